"""Libraries that are independent of the build's settings, and are built once."""

load("//build_defs:source_groups.bzl", "in_groups")
load("//build_defs:variants.bzl", "FOR_ALL", "VARIANT_FLAG")
load("//build_defs/precompiled:precompiled.bzl", "NOT_PRECOMPILED", "PRECOMPILED")

# The suffix of the names of the real libraries.
_BUILT = "_built"

# buildifier: disable=unused-variable
def _for_all_impl(settings, attr):
    return {VARIANT_FLAG: FOR_ALL}

for_all = transition(
    implementation = _for_all_impl,
    inputs = [],
    outputs = [VARIANT_FLAG],
)

# buildifier: disable=unused-variable
def _built_once_impl(target, ctx):
    sources = getattr(ctx.rule.attr, "srcs", [])
    ours = not target.label.workspace_name
    if sources and ours and not target.label.name.endswith(_BUILT):
        fail(("{} is built once for all settings as a dependency, and once for " +
              "each otherwise: a program would hold both. Make it a " +
              "settings_free_cc_library too.").format(target.label))
    return []

_built_once = aspect(
    doc = "Refuses libraries with sources that are not built once for all settings.",
    implementation = _built_once_impl,
    attr_aspects = ["deps"],
)

def _settings_free_impl(ctx):
    return [
        # Offers all headers that the libraries offer.
        cc_common.merge_cc_infos(
            direct_cc_infos = [library[CcInfo] for library in ctx.attr.libraries],
        ),
        DefaultInfo(files = depset(transitive = [
            library[DefaultInfo].files
            for library in ctx.attr.libraries
        ])),
    ]

settings_free_libraries = rule(
    doc = "Several libraries as one that all configurations of a build share.",
    implementation = _settings_free_impl,
    attrs = {
        "libraries": attr.label_list(
            aspects = [_built_once],
            cfg = for_all,
            providers = [CcInfo],
        ),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    },
)

def settings_free_cc_library(name, srcs = [], visibility = None, tags = [], copts = [], deps = [], precompiled = True, apart = [], testonly = None, **kwargs):
    """A cc_library that all configurations of a build share.

    All its dependencies are built in the same way, so those with sources must be
    libraries of this kind too.

    Args:
      name: the target's.
      srcs: as of cc_library.
      visibility: the target's.
      tags: the target's.
      copts: as of cc_library.
      deps: as of cc_library.
      precompiled: true if sources begin with the precompiled header. C sources cannot,
        nor can the library of the header itself. The header also initialises the C++
        library's streams in each object, since it includes absl/status/status.h.
      apart: sources that are not compiled together with others (source_groups.bzl).
        Those without the precompiled header never are.
      testonly: as of cc_library.
      **kwargs: passed on to cc_library.
    """
    begun = PRECOMPILED if precompiled else NOT_PRECOMPILED
    native.cc_library(
        name = name + _BUILT,
        srcs = in_groups(name, srcs, apart) if precompiled else srcs,
        testonly = testonly,
        copts = copts + begun.copts,
        deps = deps + begun.deps,
        toolchains = begun.toolchains,
        # It is built only as a dependency, in one configuration.
        tags = tags + ["manual"],
        visibility = ["//visibility:private"],
        **kwargs
    )
    settings_free_libraries(
        name = name,
        testonly = testonly,
        libraries = [name + _BUILT],
        tags = tags,
        visibility = visibility,
    )
