"""The builds in which the suite runs, and the rows that each admits."""

load("//conformance:programs.bzl", "shows_parsync")

# The values of a row's `checks` and `reference` that admit a build without (False)
# or with (True) that property.
_ADMITTED = {
    False: ["also", "no"],
    True: ["also", "only"],
}

# The builds in which the suite runs, besides one for each kind of segment:
#
# - on the reference extended API;
# - with checks for misuse; one threading mode is enough for rows that are not
#   about misuse;
# - both.
REFERENCE = "reference"
_CHECKED = "checked"
_CHECKED_REFERENCE = "checked_reference"

# Differs from a fast segment only in its name. So one threading mode is
# enough, only rows that check the contents of the headers, and only --full builds
# it.
LARGE = "large"

# Threads do not affect the memory that transfers reach, or the way to it.
_EVERYTHING = "everything"

def _configuration(segment, reference = False, checks = False):
    return struct(segment = segment, reference = reference, checks = checks)

def configurations(segments):
    """Returns the configurations of a conduit's programs, by the name of their
    variant."""
    made = {segment: _configuration(segment) for segment in segments}
    made[REFERENCE] = _configuration("fast", reference = True)
    made[_CHECKED] = _configuration("fast", checks = True)
    made[_CHECKED_REFERENCE] = _configuration(
        "fast",
        reference = True,
        checks = True,
    )
    return made

# The table treats a large segment as a fast one.
_SEGMENT_OF_ROWS = {"fast": "fast", "large": "fast", "everything": "everything"}

def is_wanted(row, mode, variant, configuration):
    """Returns True if the row is run in a threading mode and configuration."""
    if mode not in row["modes"]:
        return False
    if _SEGMENT_OF_ROWS[configuration.segment] not in row["segments"]:
        return False
    if variant == LARGE and mode != "par":
        return False
    if row["reference"] not in _ADMITTED[configuration.reference]:
        return False
    if row["checks"] not in _ADMITTED[configuration.checks]:
        return False
    if variant == _CHECKED_REFERENCE:
        return row["reference"] == "only"
    return variant != _CHECKED or mode == "par" or row["checks"] == "only"

def repeats_others(row, mode, variant):
    """Returns True if another configuration shows the same. Only --full runs it."""
    if variant == _EVERYTHING:
        return mode != "par"
    if variant == LARGE:
        return True
    return mode == "parsync" and not shows_parsync(row)
