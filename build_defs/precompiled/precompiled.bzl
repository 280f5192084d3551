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

def cc_library(name, copts = [], deps = [], **kwargs):
    """A cc_library of C++ sources.

    Args:
      name: the target's.
      copts: as of the rule.
      deps: as of the rule.
      **kwargs: passed on to the rule.
    """
    native.cc_library(
        name = name,
        copts = copts + PRECOMPILED.copts,
        deps = deps + PRECOMPILED.deps,
        **kwargs
    )

def cc_binary(name, copts = [], deps = [], **kwargs):
    """A cc_binary of C++ sources.

    Args:
      name: the target's.
      copts: as of the rule.
      deps: as of the rule.
      **kwargs: passed on to the rule.
    """
    native.cc_binary(
        name = name,
        copts = copts + PRECOMPILED.copts,
        deps = deps + PRECOMPILED.deps,
        **kwargs
    )
