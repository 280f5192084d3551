"""The path of a precompiled header, for options that name it."""

load("//build_defs:settings_free.bzl", "for_all")

def _precompiled_path_impl(ctx):
    # A dependency through a transition is always a list.
    path = ctx.attr.header[0][DefaultInfo].files.to_list()[0].path
    return [platform_common.TemplateVariableInfo({ctx.attr.variable: path})]

precompiled_path = rule(
    doc = "Resolves $(VARIABLE) in the options of targets that have it among `toolchains`.",
    implementation = _precompiled_path_impl,
    attrs = {
        "header": attr.label(
            allow_files = [".h"],
            cfg = for_all,
            doc = "The header, in the configuration of its precompiled form.",
            mandatory = True,
        ),
        "variable": attr.string(mandatory = True),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    },
)
