"""Programs and tests built in a configuration of their own.

The command line chooses one configuration of the library for a whole build.
The rules here override it for one target, so that a single `bazel test` covers
several segment kinds and checked builds.
"""

load("//build_defs:variants.bzl", "CHECKS_FLAG", "SEGMENT_FLAG", "VARIANT_FLAG", "variant_of")

_KEEP = "keep"

_CHECKS = {_KEEP: None, "on": True, "off": False}

def _transition_impl(settings, attr):
    segment = None if attr.segment == _KEEP else attr.segment
    return dict(
        settings,
        **{VARIANT_FLAG: variant_of(settings, segment, _CHECKS[attr.checks])}
    )

# Bazel omits a flag with its default value from outputs. Otherwise a
# configuration that sets the default explicitly would differ from one that does
# not.
_FLAGS = [SEGMENT_FLAG, CHECKS_FLAG, VARIANT_FLAG]

configuration_transition = transition(
    implementation = _transition_impl,
    inputs = _FLAGS,
    outputs = _FLAGS,
)

# Attributes that a rule needs to use configuration_transition: `"keep"` keeps
# the command line's setting.
CONFIGURATION_ATTRS = {
    "segment": attr.string(
        default = _KEEP,
        values = [_KEEP, "fast", "large", "everything"],
    ),
    "checks": attr.string(default = _KEEP, values = [_KEEP, "on", "off"]),
    "_allowlist_function_transition": attr.label(
        default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
    ),
}

def _executable_link(ctx, target):
    """Makes this target's executable: a link to `target`'s."""
    link = ctx.actions.declare_file(ctx.label.name)
    executable = target[DefaultInfo].files_to_run.executable
    ctx.actions.symlink(output = link, target_file = executable, is_executable = True)
    runfiles = ctx.runfiles(files = [executable])
    return DefaultInfo(
        executable = link,
        files = depset([link]),
        runfiles = runfiles.merge(target[DefaultInfo].default_runfiles),
    )

def _configured_impl(ctx):
    # A dependency through a transition is always a list.
    return [_executable_link(ctx, ctx.attr.program[0])]

def _configured_test_impl(ctx):
    return _configured_impl(ctx) + [testing.TestEnvironment(ctx.attr.env)]

_PROGRAM_ATTRS = dict(
    CONFIGURATION_ATTRS,
    program = attr.label(
        cfg = configuration_transition,
        doc = "The target to build in the configuration.",
        executable = True,
        mandatory = True,
    ),
)

configured_test = rule(
    doc = "Runs the program, built in the configuration, as a test.",
    implementation = _configured_test_impl,
    attrs = dict(_PROGRAM_ATTRS, env = attr.string_dict()),
    test = True,
)
