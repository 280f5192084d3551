"""An example program and the test that runs it."""

def example_binary(name, srcs, deps = [":util"]):
    """Makes the program NAME and NAME_test, which runs it on 1, 3 and 4 ranks.

    Args:
      name: of the program, and of its cases in example_test.py.
      srcs: its sources and headers.
      deps: what it needs besides GASNet.
    """
    native.cc_binary(
        name = name,
        srcs = srcs,
        deps = deps + ["//conduits/smp:gasnet_seq"],
    )
    native.sh_test(
        name = name + "_test",
        size = "medium",
        srcs = ["example_test.py"],
        args = [
            name,
            "$(rootpath //tools/gasnetrun)",
            "$(rootpath :%s)" % name,
        ],
        data = [
            ":" + name,
            "//tools/gasnetrun",
        ],
    )
