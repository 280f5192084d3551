"""Targets with other values of `segment` and `checks` than the flags'.

Transitions change only a third flag, the variant, and never these two. Bazel names an
output directory after all flags that transitions have ever changed. So if transitions
changed these two, it would build one configuration twice if two ways lead to it.
"""

load("@bazel_skylib//lib:selects.bzl", "selects")

SEGMENT_FLAG = "//build_defs:segment"
CHECKS_FLAG = "//build_defs:checks"
VARIANT_FLAG = "//build_defs:variant"

SEGMENTS = ["fast", "large", "everything"]

# The variant of a build that follows the flags, and the variant of targets that
# are the same for all values of the flags.
AS_FLAGS = ""
FOR_ALL = "for_all"

# The message for selects on settings that have no default.
NO_MATCH = ("A target that is built once for all settings (settings_free_cc_library) " +
            "depends on this, which settings change.")

_CHECKED = "_checked"

VARIANTS = [AS_FLAGS, FOR_ALL] + SEGMENTS + [
    segment + _CHECKED
    for segment in SEGMENTS
]

def variant_of(settings, segment, checks):
    """Returns the variant for a segment and checks.

    Args:
      settings: the flags' values, by label.
      segment: the kind of segments to build for, or None to keep it.
      checks: true to check for misuse, or None to keep it.

    Returns:
      a value of the variant's flag.
    """
    now = settings[VARIANT_FLAG]
    as_flags = now in [AS_FLAGS, FOR_ALL]
    flags = (settings[SEGMENT_FLAG], settings[CHECKS_FLAG])
    if segment == None:
        segment = flags[0] if as_flags else now.split("_")[0]
    if checks == None:
        checks = flags[1] if as_flags else now.endswith(_CHECKED)
    if (segment, checks) == flags:
        return AS_FLAGS
    return segment + (_CHECKED if checks else "")

def _setting(name, flag, value, variants):
    """Makes a setting that is true if the flag or the variant has the value."""
    native.config_setting(
        name = name + "_by_flag",
        flag_values = {
            flag: value,
            VARIANT_FLAG: AS_FLAGS,
        },
    )
    for variant in variants:
        native.config_setting(
            name = name + "_by_" + variant,
            flag_values = {VARIANT_FLAG: variant},
        )
    selects.config_setting_group(
        name = name,
        match_any = [name + "_by_flag"] + [
            name + "_by_" + variant
            for variant in variants
        ],
    )

def variant_settings():
    """Makes the config_settings segment_SEGMENT, checks_on and checks_off.

    All of them are false in a build for all values. A select with all of them and no
    default is an error there.
    """
    for segment in SEGMENTS:
        _setting(
            "segment_" + segment,
            SEGMENT_FLAG,
            segment,
            [segment, segment + _CHECKED],
        )
    _setting(
        "checks_on",
        CHECKS_FLAG,
        "True",
        [segment + _CHECKED for segment in SEGMENTS],
    )
    _setting("checks_off", CHECKS_FLAG, "False", SEGMENTS)
