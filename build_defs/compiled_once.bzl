"""A library for one threading mode, some of whose sources are common to all modes."""

load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

def _objects(target):
    """Returns the objects of `target` alone, and the position-independent ones."""
    objects, pic_objects = [], []
    for linker_input in target[CcInfo].linking_context.linker_inputs.to_list():
        if linker_input.owner != target.label:
            continue
        for library in linker_input.libraries:
            objects += library.objects or []
            pic_objects += library.pic_objects or []
    return objects, pic_objects

def _runfiles(ctx, targets):
    runfiles = ctx.runfiles()
    for target in targets:
        runfiles = runfiles.merge(target[DefaultInfo].default_runfiles)
    return runfiles

def _joined_library_impl(ctx):
    toolchain = find_cpp_toolchain(ctx)
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    objects, pic_objects = [], []
    for part in [ctx.attr.own, ctx.attr.once]:
        more, more_pic = _objects(part)
        objects += more
        pic_objects += more_pic
    linking_context, linked = cc_common.create_linking_context_from_compilation_outputs(
        actions = ctx.actions,
        name = ctx.label.name,
        feature_configuration = features,
        cc_toolchain = toolchain,
        compilation_outputs = cc_common.create_compilation_outputs(
            objects = depset(objects),
            pic_objects = depset(pic_objects),
        ),
        # Omits the dependencies of `once`, which are another mode's.
        linking_contexts = [dep[CcInfo].linking_context for dep in ctx.attr.deps],
        disallow_dynamic_library = True,
    )
    archive = linked.library_to_link.static_library or linked.library_to_link.pic_static_library
    return [
        CcInfo(
            compilation_context = ctx.attr.own[CcInfo].compilation_context,
            linking_context = linking_context,
        ),
        DefaultInfo(
            files = depset([archive]),
            runfiles = _runfiles(ctx, [ctx.attr.own] + ctx.attr.deps),
        ),
    ]

joined_library = rule(
    doc = """The objects of two cc_libraries as one library, with the dependencies of
the first of them alone.""",
    implementation = _joined_library_impl,
    attrs = {
        "deps": attr.label_list(
            doc = "The dependencies of `own`.",
            providers = [CcInfo],
        ),
        "once": attr.label(
            doc = "The sources that are compiled once for all modes.",
            mandatory = True,
            providers = [CcInfo],
        ),
        "own": attr.label(
            doc = "The sources that are compiled for this mode, and the headers.",
            mandatory = True,
            providers = [CcInfo],
        ),
        "_cc_toolchain": attr.label(
            default = "@bazel_tools//tools/cpp:current_cc_toolchain",
        ),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)
