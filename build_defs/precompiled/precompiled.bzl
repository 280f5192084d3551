"""The precompiled headers, for libraries and tests to use."""

_ON = "//build_defs/precompiled:on"

def _use(header):
    """Options and dependencies of C++ sources that begin with the header."""
    return struct(
        copts = select({
            _ON: [
                "-include",
                header + ".h",
            ],
            "//conditions:default": [],
        }),
        deps = select({
            _ON: ["//build_defs/precompiled:" + header],
            "//conditions:default": [],
        }),
    )

PRECOMPILED = _use("precompiled")

# With GoogleTest.
PRECOMPILED_TEST = _use("precompiled_test")

def _begun(rule, copts, deps, kwargs):
    rule(
        copts = copts + PRECOMPILED.copts,
        deps = deps + PRECOMPILED.deps,
        **kwargs
    )

# buildifier: disable=function-docstring
def cc_library(copts = [], deps = [], **kwargs):
    """The rule, for C++ sources."""
    _begun(native.cc_library, copts, deps, kwargs)

# buildifier: disable=function-docstring
def cc_binary(copts = [], deps = [], **kwargs):
    """The rule, for C++ sources."""
    _begun(native.cc_binary, copts, deps, kwargs)
