"""Rows about statistics: GASNET_STATSFILE and GASNETT_STATS_*.

This is a part of table.bzl. Like it, it is also read as Python.
"""

load("//conformance:rows.bzl", "dies", "exits", "ex_test", "job_test", "passes", "test")

_TO_FILE = {"GASNET_STATSFILE": "{scratch}/%"}
_TO_STDOUT = {"GASNET_STATSFILE": "stdout"}

# The head of the report of a rank at its end, and its seven polls.
_AT_END = "GASNet statistics at the end: rank \\d+.*"
_POLLS = "X  gasnet_AMPoll +7 +0 +7 .*"

def _ends(env, reports):
    """Returns a case for each way to end.

    Args:
      env: variables to set.
      reports: the number of reports, as in the lines of a case.

    Returns:
      the cases, by name.
    """
    return {
        way: exits(
            [0],
            args = [way],
            env = dict(_TO_STDOUT, **env),
            lines = {_AT_END: reports, _POLLS: reports},
        )
        for way in ["handler", "gasnet_exit", "exit", "return"]
    }

def _refused(variable, value, accepted):
    return dies(
        "%s is '%s'; accepted: %s" % (variable, value.replace("?", "\\?"), accepted),
        ["return"],
        env = dict(_TO_STDOUT, **{variable: value}),
    )

_MASK = "letters of GPRSWBLAXIOCDNHU, after a \\^ all others"
_RANKS = "ranks and ranges, such as 0,2-4, or \\*"

# The messages about arguments that point to memory that nobody may read.
_UNREADABLE = {
    "commit": "gex_AM_CommitRequestMedium: descriptor",
    "commit_long": "gex_AM_CommitRequestLong: descriptor",
    "atomic": "gex_AD_OpNB_I32: the domain is",
    "vector": "gex_VIS_VectorPutBlocking: rank 2",
    "vector_of_pair": "gex_VIS_VectorGetNB: rank 2",
    "vector_of_node": "gasnet_putv_bulk: .*node.* 2",
}

OBSERVING = {
    "statistics": test(
        "observe/statistics.cc",
        cases = {"": passes(env = _TO_FILE)},
        ranks = [2, 3],
    ),
    "statistics_control": job_test(
        "observe/control.cc",
        cases = {
            "": passes(env = _TO_FILE, lines = {
                ".*WARNING.*GASNETT_STATS_SETMASK: the mask is 'A\\?'; accepted: " +
                _MASK: [1, 0],
                ".*WARNING.*": [1, 0],
            }),
            "one_node": passes(
                args = ["one_node"],
                env = dict(_TO_FILE, GASNET_STATSNODES = "0"),
                lines = {".*WARNING.*": [0, 0]},
            ),
        },
        ranks = [1, 2],
    ),
    "statistics_ends": job_test(
        "observe/ends.cc",
        cases = _ends({}, [1, 0]),
        ranks = [1, 3],
    ),
    "statistics_ends_first": job_test(
        "observe/ends.cc",
        cases = _ends({"GASNET_STATSNODES": "0"}, [0, 1]),
        ranks = [3],
    ),
    "statistics_settings": job_test(
        "observe/ends.cc",
        cases = {
            "mask": _refused("GASNET_STATSMASK", "?", _MASK),
            "mask_after_letters": _refused("GASNET_STATSMASK", "AP?", _MASK),
            "nodes": _refused("GASNET_STATSNODES", "x", _RANKS),
            "nodes_reversed": _refused("GASNET_STATSNODES", "4-2", _RANKS),
        },
        ranks = [1],
    ),
    "ex_statistics": ex_test(
        "ex/statistics.cc",
        cases = {"": passes(env = _TO_FILE)},
    ),
    "am_block_until_throws": job_test(
        "am/block_until_throws.cc",
        cases = {"": passes(env = _TO_FILE)},
        ranks = [1, 2],
    ),
    "ex_misuse_observed": job_test(
        "ex/misuse_observed.cc",
        cases = {
            name: dies(message, [name], env = _TO_FILE)
            for name, message in _UNREADABLE.items()
        },
        modes = ["par"],
        ranks = [2],
        checks = "only",
    ),
    "ex_statistics_refused": ex_test(
        "ex/statistics_refused.cc",
        cases = {"": passes(env = _TO_FILE)},
        ranks = [2],
        reference = "no",
    ),
}
