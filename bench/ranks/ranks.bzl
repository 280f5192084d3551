"""The benchmark programs of one conduit."""

load("//build_defs:modes.bzl", "mode_cc_binary", "mode_cc_library")

def rank_programs(conduit, programs):
    """Makes CONDUIT_ranks_MODE, and CONDUIT_PROGRAM_MODE for each program.

    //bench:programs has those that ./dev bench runs. The others are built only on
    request.

    Args:
      conduit: the conduit's name.
      programs: the names of their sources.
    """
    gasnet = "//conduits/%s:gasnet" % conduit
    mode_cc_library(
        name = conduit + "_ranks",
        srcs = [
            "collectives.cc",
            "flood.cc",
            "limit_rows.cc",
            "pieces.cc",
            "ranks.cc",
            "reductions.cc",
            "round_trip.cc",
            "transfer.cc",
        ],
        hdrs = [
            "collectives.h",
            "flood.h",
            "handlers.h",
            "limit_rows.h",
            "pieces.h",
            "ranks.h",
            "reductions.h",
            "round_trip.h",
            "transfer.h",
        ],
        # The same alignment as in the limits.
        copts = ["-falign-loops=64"],
        tags = ["manual"],
        mode_deps = [gasnet],
        deps = [
            "//base:clock",
            "//bench/harness",
            "//bench/limits",
            "//coll/kernels",
            "//core/datagram:channel",
        ],
    )
    for program in programs:
        mode_cc_binary(
            name = "%s_%s" % (conduit, program),
            srcs = [program + ".cc"],
            mode_deps = [
                ":%s_ranks" % conduit,
                gasnet,
            ],
            tags = [
                "benchmark",
                "manual",
            ],
            visibility = ["//bench:__pkg__"],
            deps = [
                "//base:clock",
                "//bench/harness",
                "//bench/limits",
            ],
        )
