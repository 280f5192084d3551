"""How nodes and their children end.

This is a part of table.bzl. Like it, it is also read as Python.
"""

load("//conformance:rows.bzl", "exit_cases", "exits", "passes")

EXIT_SIGNAL = dict(
    exit_cases(
        42,
        ["peer_exits", "peer_exits_while_waiting"],
        lines = {"(node \\d+|a node) caught SIGQUIT": [1, -1]},
    ),
    peer_crashes = exits(
        [],
        args = ["peer_crashes"],
        lines = {"node \\d+ caught SIGQUIT": [1, -1]},
    ),
    job_terminated = exits(
        [],
        args = ["job_signalled"],
        lines = {"node \\d+ caught SIGQUIT": [1, 0]},
        signal = "TERM",
    ),
    job_interrupted = exits(
        [],
        args = ["job_signalled"],
        lines = {"node \\d+ caught SIGQUIT": [1, 0]},
        signal = "INT",
    ),
)

FORK = dict(
    {
        which: passes(args = [which])
        for which in ["child_ends", "child_lives", "programs_run"]
    },
    # Each of 21 calls prints its name.
    calls_are_refused = exits(
        [0],
        args = ["calls_are_refused"],
        lines = {
            ".*called in a process that was forked.*": [21, 0],
            "PASSED": [0, 1],
        },
    ),
)

RETURN = dict(
    {
        which: exits(
            [0],
            args = [which],
            # No clock runs, even with so short a time.
            env = {"GASNET_EXITTIMEOUT": "0.1"},
            lines = {"node \\d+ leaves": [1, 0]},
        )
        for which in ["in_turn", "in_turn_quickly"]
    },
    first_vanishes = exits(
        [0],
        args = ["first_vanishes"],
        lines = {"node \\d+ leaves": [2, -1]},
    ),
    last_fails = exits([7], args = ["last_fails"]),
    first_fails = exits([3], args = ["first_fails"]),
    first_fails_and_others_wait = exits(
        [3],
        args = ["first_fails_and_others_wait"],
        env = {"GASNET_EXITTIMEOUT": "0.2"},
    ),
    then_one_exits = exits([5], args = ["then_one_exits"]),
    then_one_crashes = exits([134], args = ["then_one_crashes"]),
    zero_is_caught = exits(
        [0],
        args = ["zero_is_caught"],
        env = {"GASNET_CATCH_EXIT": "1"},
    ),
    nine_is_caught = exits(
        [9],
        args = ["nine_is_caught"],
        env = {"GASNET_CATCH_EXIT": "1"},
    ),
)
