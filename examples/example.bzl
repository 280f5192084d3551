"""An example program for each conduit, and its test."""

# The suffix of a program's name.
_CONDUITS = {
    "smp": "",
    "udp": "_udp",
    "ofi": "_ofi",
    "portals": "_portals",
}

# Two conduits are built by default, to show that programs compile for several. The
# others are built on request.
_TAGS = {"ofi": ["manual"], "portals": ["manual"]}

def _gasnet(conduit):
    return "//conduits/%s:gasnet_seq" % conduit

def _abseil(parts):
    return ["//third_party/abseil:" + part for part in parts]

def example_library(name, srcs, hdrs, abseil = []):
    """Makes the library NAME for each conduit, since gasnet.h differs.

    Args:
      name: of the library.
      srcs: its sources.
      hdrs: its headers.
      abseil: the parts of //third_party/abseil that it uses.
    """
    for conduit, suffix in _CONDUITS.items():
        native.cc_library(
            name = name + suffix,
            srcs = srcs,
            hdrs = hdrs,
            tags = _TAGS.get(conduit, []),
            visibility = ["//visibility:private"],
            deps = [_gasnet(conduit)] + _abseil(abseil),
        )

def example_test(name, example, program, ranks, cases = [], env = {}, **kwargs):
    """Runs a program with the checks of testing/example_test.py.

    Args:
      name: of the test.
      example: the example whose cases run.
      program: to run.
      ranks: numbers of ranks, separated by commas.
      cases: the cases to run. An empty list means all.
      env: variables of the job.
      **kwargs: of the test.
    """
    native.py_test(
        name = name,
        size = "medium",
        srcs = ["//examples/testing:example_test.py"],
        main = "//examples/testing:example_test.py",
        args = [
            example,
            "$(rootpath //tools/gasnetrun)",
            "$(rootpath :%s)" % program,
            ranks,
        ] + cases,
        data = [
            ":" + program,
            "//tools/gasnetrun",
        ],
        env = env,
        deps = ["//examples/testing:cases"],
        **kwargs
    )

def example_binary(name, srcs, deps = ["util"], abseil = []):
    """Makes the program NAME, and NAME_udp and so on for other conduits.

    NAME_test runs the former on 1, 3 and 4 ranks.

    Args:
      name: of the program, and of its cases in testing.
      srcs: its sources and headers.
      deps: example libraries that it needs.
      abseil: the parts of //third_party/abseil that it uses.
    """
    for conduit, suffix in _CONDUITS.items():
        native.cc_binary(
            name = name + suffix,
            srcs = srcs,
            tags = _TAGS.get(conduit, []),
            deps = [":" + dep + suffix for dep in deps] + [_gasnet(conduit)] +
                   _abseil(abseil),
        )
    # This test runs on shared memory. The thread sanitizer sees the threads of such
    # a job, one for each node and the job's monitor, in the conformance suite.
    example_test(name + "_test", name, name, "1,3,4", tags = ["no-tsan"])
