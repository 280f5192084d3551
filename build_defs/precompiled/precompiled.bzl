"""The precompiled headers, for libraries and tests to use."""

def _clang_options(header):
    """Returns the options by which clang reads the precompiled form of a header.

    Clang looks for that form next to the header. Paths in the form are relative to
    the root that -isysroot names. Without -fno-validate-pch clang would refuse
    sources with other macros or another level of optimisation, which do not affect
    these headers.
    """
    path = "$(%s)" % header.upper()
    relative = ["-Xclang", "-isysroot", "-Xclang", "."]
    return ["-include", path, "-Xclang", "-fno-validate-pch"] + relative

def _use(header):
    """Returns the options and dependencies of sources that begin with the header.

    Args:
      header: the header's name, without the suffix.

    Returns:
      options, dependencies, and the toolchain that resolves names in the options.
    """
    by_clang = "//build_defs/precompiled:all_by_clang"
    by_others = "//build_defs/precompiled:all"
    begun = ["//build_defs/precompiled:" + header]
    return struct(
        copts = select({
            by_clang: _clang_options(header),
            by_others: ["-include", header + ".h"],
            "//conditions:default": [],
        }),
        deps = select({by_others: begun, "//conditions:default": []}),
        toolchains = ["//build_defs/precompiled:%s_path" % header],
    )

PRECOMPILED = _use("precompiled")

# The precompiled header with GoogleTest.
PRECOMPILED_TEST = _use("precompiled_test")

# The value for sources that begin with neither of the two.
NOT_PRECOMPILED = struct(copts = [], deps = [], toolchains = [])

def _begun(rule, copts, deps, kwargs):
    rule(
        copts = copts + PRECOMPILED.copts,
        deps = deps + PRECOMPILED.deps,
        toolchains = PRECOMPILED.toolchains,
        **kwargs
    )

# buildifier: disable=function-docstring
def cc_library(copts = [], deps = [], **kwargs):
    """Makes a cc_library of C++ sources that begin with the precompiled header."""
    _begun(native.cc_library, copts, deps, kwargs)

# buildifier: disable=function-docstring
def cc_binary(copts = [], deps = [], **kwargs):
    """Makes a cc_binary of C++ sources that begin with the precompiled header."""
    _begun(native.cc_binary, copts, deps, kwargs)
