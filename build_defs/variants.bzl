"""Targets built otherwise than the flags `segment` and `checks` say.

Transitions change one flag more, the variant, and these two never: Bazel names the
directory of what it builds after all that transitions have ever changed, so that
one configuration that is reached in two ways would be built twice.
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
NO_MATCH = ("What is built once for all settings (settings_free_cc_library) " +
            "depends on this, which they change.")

_CHECKED = "_checked"

VARIANTS = [AS_FLAGS, FOR_ALL] + SEGMENTS + [
    segment + _CHECKED
    for segment in SEGMENTS
]

def variant_of(settings, segment, checks):
    """The variant for a segment and checks.

    Args:
      settings: the flags' values, by label.
      segment: the kind of segments to build for, or None for that of now.
      checks: whether to check for misuse, or None for as now.

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
    """Whether a flag has the value or, by its variant, a target is built so."""
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

    Of what is built for all values none of them is true: a select that names them
    all and has no default refuses to be built so.
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
