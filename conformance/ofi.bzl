"""The suite over libfabric."""

load("//conformance:conformance.bzl", "conformance_tests")

_NO_KERNEL_SYMBOLS = "//conduits/ofi/testing:libno_kernel_symbols.so"

def ofi_conformance_tests(name = "ofi", env = {}, data = [], **kwargs):
    """Makes conformance_tests with nodes that start faster: see no_kernel_symbols.cc.

    Args:
      name: as of conformance_tests.
      env: as of conformance_tests.
      data: as of conformance_tests.
      **kwargs: passed on.
    """
    conformance_tests(
        name = name,
        conduit = "ofi",
        data = data + [_NO_KERNEL_SYMBOLS],
        env = dict(
            env,
            LD_PRELOAD = _NO_KERNEL_SYMBOLS[2:].replace(":", "/"),
        ),
        **kwargs
    )
