"""The tests for mistakes that patterns make in a file.

The first entry whose prefix begins the file's path counts. A test is a label, or the
name of a group of rows of the conformance suite. The unit tests of the file's own
package are added.
"""

import os

_OVER_THE_HOST = [
    "smp_par_fast_am", "smp_par_fast_barrier", "smp_par_fast_sync",
    "smp_par_fast_transfer",
]
_ROWS_OF_A_NETWORK = ["am", "barrier", "sync", "threads", "transfer", "vis"]


def _over(conduit):
    return [f"{conduit}_par_fast_{row}" for row in _ROWS_OF_A_NETWORK]


_LAUNCHED = [
    "smp_par_fast_job",
    "//tools/gasnetrun/testing:gasnetrun_test",
    "//tools/gasnetrun/testing:hosts_test",
    "//tools/gasnetrun/testing:tree_test",
    "//tools/gasnetrun/testing:command_line_test",
]
_CALLS = [
    "smp_par_fast_c", "smp_par_fast_general", "smp_par_fast_misuse",
    "smp_par_checked_checks",
]

TESTS_OF = [
    ("api/", _OVER_THE_HOST + _CALLS),
    ("base/", _LAUNCHED),
    ("coll/", ["smp_par_fast_coll", "udp_par_fast_coll"]),
    ("conduits/ofi/", _over("ofi")),
    ("conduits/portals/", _over("portals")),
    ("conduits/udp/", _over("udp")),
    ("core/datagram/", _over("udp")),
    ("core/network/", _over("fake") + _over("udp")),
    ("core/ip/", _over("udp")),
    ("core/thread/", ["smp_par_fast_threads", "smp_par_fast_atomicity",
                      "smp_par_checked_checks"]),
    ("core/", _OVER_THE_HOST + ["smp_par_fast_threads", "fake_par_fast_am"]),
    ("export/coll", ["smp_par_fast_coll", "smp_par_checked_checks"]),
    ("export/", _OVER_THE_HOST + _CALLS),
    ("extended/", _OVER_THE_HOST + ["udp_par_fast_transfer", "udp_par_fast_sync",
                                    "fake_par_fast_transfer"]),
    ("gasnet_tools/", ["//gasnet_tools/test:all"]),
    ("job/", _LAUNCHED),
    ("portals/", ["//portals/rules:all", "//portals:all"]),
    ("tools/gasnetrun/", _LAUNCHED + ["//tools/gasnetrun:all",
                                      "//tools/gasnetrun/remote:all"]),
    ("vis/", ["smp_par_fast_vis", "udp_par_fast_vis", "fake_par_fast_vis"]),
]


def _label(test):
    return test if test.startswith("//") else f"//conformance:{test}"


def is_product(path):
    """Returns true if a pattern's mistake in this file is a mistake in the product."""
    is_source = path.endswith((".cc", ".h", ".inc"))
    of_tests = "_test" in path or "/test" in path or "fuzz" in path
    return is_source and not of_tests and any(
        path.startswith(prefix) for prefix, _ in TESTS_OF)


def tests_of(root, path):
    """Returns the labels of the tests that may notice a mistake in a file."""
    tests = next(tests for prefix, tests in TESTS_OF if path.startswith(prefix))
    package = os.path.dirname(path)
    while not os.path.exists(os.path.join(root, package, "BUILD.bazel")):
        package = os.path.dirname(package)
    return [f"//{package}:all"] + [_label(test) for test in tests]
