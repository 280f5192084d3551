"""Libraries that no setting of the build changes, so that they are built once."""

_SETTINGS = {
    "//build_defs:segment": "fast",
    "//build_defs:checks": False,
}

# buildifier: disable=unused-variable
def _as_not_set_impl(settings, attr):
    return _SETTINGS

_as_not_set = transition(
    implementation = _as_not_set_impl,
    inputs = [],
    outputs = _SETTINGS.keys(),
)

def _settings_free_impl(ctx):
    # A dependency through a transition is always a list.
    library = ctx.attr.library[0]
    return [library[CcInfo], library[DefaultInfo]]

_settings_free = rule(
    implementation = _settings_free_impl,
    attrs = {
        "library": attr.label(cfg = _as_not_set, providers = [CcInfo]),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    },
)

def settings_free_cc_library(name, visibility = None, **kwargs):
    """A cc_library of which all configurations of a build share one.

    All that it depends on is built so too, so what others in the program depend
    on as well must be another one of these.

    Args:
      name: the target's.
      visibility: the target's.
      **kwargs: passed on to cc_library.
    """
    native.cc_library(
        name = name + "_built",
        visibility = ["//visibility:private"],
        **kwargs
    )
    _settings_free(
        name = name,
        library = name + "_built",
        visibility = visibility,
    )
