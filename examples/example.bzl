"""An example program, for each conduit, and the test that runs it."""

# The end of a program's name.
_CONDUITS = {
    "smp": "",
    "udp": "_udp",
    "ofi": "_ofi",
    "portals": "_portals",
}

# Two conduits show that programs compile for several; others build them when they
# are asked for.
_TAGS = {"ofi": ["manual"], "portals": ["manual"]}

def _gasnet(conduit):
    return "//conduits/%s:gasnet_seq" % conduit

def _abseil(parts):
    return ["//third_party/abseil:" + part for part in parts]

def example_library(name, srcs, hdrs, abseil = []):
    """Makes the library NAME for each conduit: gasnet.h differs.

    Args:
      name: of the library.
      srcs: its sources.
      hdrs: its headers.
      abseil: what it uses of //third_party/abseil.
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
    """Runs a program as testing/example_test.py knows it.

    Args:
      name: of the test.
      example: whose cases there.
      program: to run.
      ranks: how many, separated by commas.
      cases: those to run; none: all.
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
      deps: example libraries it needs.
      abseil: what it uses of //third_party/abseil.
    """
    for conduit, suffix in _CONDUITS.items():
        native.cc_binary(
            name = name + suffix,
            srcs = srcs,
            tags = _TAGS.get(conduit, []),
            deps = [":" + dep + suffix for dep in deps] + [_gasnet(conduit)] +
                   _abseil(abseil),
        )
    # On shared memory, where a node has its own thread and the job's monitor, which
    # the thread sanitizer sees in the conformance suite.
    example_test(name + "_test", name, name, "1,3,4", tags = ["no-tsan"])
