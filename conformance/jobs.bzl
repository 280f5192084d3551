"""Rows about jobs: constants, starting, attaching, ending, environment, and nodes
that a thread of the library serves.

This is a part of table.bzl. Like it, it is also read as Python.
"""

load("//conformance:ends.bzl", "EXIT_SIGNAL", "FORK", "RETURN")
load(
    "//conformance:rows.bzl",
    "THREADED",
    "dies",
    "exit_cases",
    "exits",
    "job_test",
    "passes",
    "test",
)

# A thread of the library runs handlers.
SERVED = {"GASNET_PROGRESS_THREAD": "1"}

# A thread of the network serves puts, gets, memsets and atomics.
UNATTENDED = {"GASNET_OFI_PROGRESS": "1", "GASNET_UDP_PROGRESS": "1"}

# There are more sockets than threads.
RAILS = {"GASNET_UDP_RAILS": "8"}

LOSSES = "drop=3,duplicate=2,reorder=10,corrupt=1"

JOBS = {
    # Chapter 1
    "general_config_string": test(
        "general/config_string.cc",
        of_conduit = True,
        ranks = [1],
    ),
    "general_constants": test(
        "general/constants.cc",
        of_conduit = True,
        ranks = [1, 2],
    ),
    "general_error_names": test("general/error_names.cc", ranks = [1]),

    # Sections 2.1 and 2.2
    "job_arguments": job_test(
        "job/arguments.cc",
        cases = {"": passes(args = [
            "plain",
            "",
            "two words",
            "it's \"quoted\" \\",
            "one\ntwo",
            "grüß",
            "-n",
            "--",
            "$HOME",
        ])},
    ),
    "job_attach_waits": test("job/attach_waits.cc"),
    "job_before_attach": test("job/before_attach.cc"),
    "job_lives": job_test("job/lives.cc", cases = {
        "": passes(),
        "handlers": passes(env = {
            "GASNET_BACKTRACE": "1",
            "GASNET_HOST_MEMORY": "shm",
        }),
        "hundred": passes(args = ["100"]),
    }),
    "job_lives_threads": job_test(
        "job/lives.cc",
        cases = {
            "": passes(
                args = ["30"],
                env = {"GASNET_COLL_PROGRESS": "thread"},
            ),
            "both": passes(
                args = ["30"],
                env = dict(SERVED, GASNET_COLL_PROGRESS = "thread"),
            ),
            "handlers": passes(
                args = ["30"],
                env = SERVED,
            ),
            # Both the client and the thread sleep while they wait for the end.
            "asleep": passes(
                args = ["30"],
                env = dict(SERVED, GASNET_WAITMODE = "block"),
            ),
        },
        modes = ["par"],
    ),
    "job_lives_end": job_test("job/lives.cc", ranks = [2, 3], cases = {
        "absent": exits(
            [1],
            args = ["3", "absent"],
            lines = {".* ended while others wait for it in .*gasnet_finalize.*": [0, 1]},
        ),
        "exits": exits([43], args = ["3", "exits"]),
        "killed": exits([137], args = ["3", "killed"]),
    }),
    "job_crash": job_test(
        "job/crash.cc",
        ranks = [1, 3],
        cases = dict(
            exit_cases(134, ["abort", "abort_in_handler"]),
            kill = exits([137], args = ["kill"]),
            # A sanitizer turns a fault into an exit code of its own.
            fault = exits([], args = ["fault"]),
        ),
    ),
    "job_environment": job_test(
        "job/environment.cc",
        cases = {"": passes(env = {
            "CONFORMANCE_PLAIN": "value",
            "CONFORMANCE_EMPTY": "",
            "CONFORMANCE_EQUALS": "a=b=c",
            "CONFORMANCE_QUOTES": "it's \"quoted\" \\ and $spaced",
            "CONFORMANCE_LINES": "one\ntwo\n",
            "CONFORMANCE_LETTERS": "grüß €",
        })},
    ),
    "job_exit": job_test(
        "job/exit.cc",
        ranks = [1, 2, 5],
        cases = dict(
            exit_cases(42, [
                "first_node",
                "last_node",
                "all_nodes",
                "others_sleep",
                "others_in_barrier",
                "others_block",
                "in_request_handler",
                "in_reply_handler",
                "in_no_interrupt_section",
                "holding_lock",
                "with_operations_in_flight",
            ]),
            with_zero = exits([0], args = ["with_zero"]),
            with_greatest_code = exits([255], args = ["with_greatest_code"]),
            different_codes = exits(
                [42, 43, 44, 45, 46],
                args = ["different_codes"],
            ),
        ),
    ),
    "job_exit_before_attach": job_test(
        "job/exit_before_attach.cc",
        ranks = [1, 2, 5],
        cases = {"": exits([42])},
    ),
    "job_exit_flushes": job_test(
        "job/exit_flushes.cc",
        ranks = [1, 2, 5],
        cases = {"": exits([0], lines = {
            "node \\d+ prints line \\d+": [100, 0],
            "node \\d+ complains": [1, 0],
        })},
    ),
    "job_exit_from_threads": job_test(
        "job/exit_from_threads.cc",
        ranks = [1, 2, 5],
        modes = ["par"],
        cases = {"": exits([42, 43, 44, 45])},
    ),
    "job_exit_in_thread": job_test(
        "job/exit_in_thread.cc",
        ranks = [1, 2, 5],
        modes = THREADED,
        cases = {"": exits([42])},
    ),
    "job_exit_main_returns": job_test(
        "job/exit_main_returns.cc",
        ranks = [1, 2, 5],
        cases = {
            "zero": exits([0], args = ["0"], lines = {"leaving": [1, 0]}),
            "seven": exits([7], args = ["7"], lines = {"leaving": [1, 0]}),
        },
    ),
    "job_exit_signal": job_test(
        "job/exit_signal.cc",
        ranks = [1, 2, 5],
        cases = EXIT_SIGNAL,
    ),
    "job_fork": job_test(
        "job/fork.cc",
        ranks = [1, 3],
        modes = ["seq", "par"],
        cases = FORK,
    ),
    "job_handlers_assigned": job_test("job/handlers_assigned.cc"),
    "job_handlers_differ": job_test("job/handlers_differ.cc"),
    "job_handlers_explicit": job_test("job/handlers_explicit.cc"),
    "job_handlers_full_table": job_test("job/handlers_full_table.cc"),
    "job_handlers_none": test("job/handlers_none.cc"),
    "job_handlers_refused": job_test(
        "job/handlers_refused.cc",
        ranks = [1, 3],
        cases = {
            which: exits([0], args = [which], lines = {"refused": [1, 0]})
            for which in [
                "duplicate",
                "first_reserved",
                "last_reserved",
                "too_many",
            ]
        },
    ),
    "job_heap_offset": test("job/heap_offset.cc", reference = "no"),
    "job_heap_offset_far": test("job/heap_offset_far.cc", reference = "no"),
    "job_memory_limit": job_test(
        "job/memory_limit.cc",
        ranks = [1, 2],
        cases = {
            which: passes(args = [which])
            for which in ["320", "400"]
        },
    ),
    "job_node_info": test("job/node_info.cc", cases = {
        "": passes(),
        "pairs": passes(env = {"GASNET_SUPERNODE_MAXSIZE": "2"}),
    }),
    "job_node_numbers": job_test("job/node_numbers.cc"),
    "job_not_init": job_test("job/not_init.cc", ranks = [1, 2]),
    "job_return": job_test(
        "job/return.cc",
        ranks = [2, 5],
        modes = ["seq", "par"],
        cases = RETURN,
    ),
    "job_second_calls": job_test("job/second_calls.cc"),
    "job_segment_info": test("job/segment_info.cc"),
    "job_segment_apart": job_test(
        "job/segment_size.cc",
        of_conduit = True,
        ranks = [2, 3],
        cases = {"": passes(
            args = ["unequal"],
            env = {"GASNET_SUPERNODE_MAXSIZE": "1"},
        )},
    ),
    "job_segment_size": test(
        "job/segment_size.cc",
        cases = {
            which: passes(args = [which])
            for which in [
                "zero",
                "one_page",
                "unequal",
                "local_maximum",
                "global_maximum",
            ]
        },
        of_conduit = True,
    ),

    # Section 3.6, beyond the specification
    "threads_rails": job_test(
        "threads/mixture.cc",
        modes = ["par"],
        ranks = [2, 3],
        cases = {
            "": passes(env = RAILS),
            "lossy": passes(env = dict(RAILS, GASNET_UDP_FAULTS = LOSSES)),
        },
    ),
    "threads_served": job_test(
        "threads/served.cc",
        modes = ["par"],
        ranks = [2, 3],
        cases = {
            "": passes(env = SERVED),
            "asleep": passes(env = dict(SERVED, GASNET_WAITMODE = "block")),
            "collectives": passes(
                env = dict(SERVED, GASNET_COLL_PROGRESS = "thread"),
            ),
        },
    ),
    "threads_served_exit": job_test(
        "threads/served_exit.cc",
        modes = ["par"],
        ranks = [2],
        cases = {
            "": exits([7], env = SERVED, lines = {"leaving": [0, 1]}),
            "stuck": exits(
                [7],
                args = ["stuck"],
                env = SERVED,
                lines = {"leaving": [0, 1]},
            ),
        },
    ),
    "threads_served_flood": job_test(
        "am/exactly_once.cc",
        modes = ["par"],
        ranks = [2, 3],
        cases = {"": passes(env = SERVED)},
    ),
    "threads_served_refused": job_test(
        "threads/served.cc",
        modes = ["seq", "parsync"],
        ranks = [2],
        cases = {"": dict(
            dies("GASNET_PROGRESS_THREAD is set to '1'; accepted: 0", []),
            env = SERVED,
        )},
    ),
    "threads_served_mixture": job_test(
        "threads/mixture.cc",
        modes = ["par"],
        ranks = [2, 3],
        cases = {"": passes(env = SERVED)},
    ),

    # Section 3.2, beyond the specification
    "transfer_unattended": job_test(
        "transfer/unattended.cc",
        ranks = [2, 3],
        cases = {
            "": passes(env = UNATTENDED),
            "encrypted": passes(env = dict(UNATTENDED, GASNET_UDP_ENCRYPT = "1")),
            "lossy": passes(env = dict(
                UNATTENDED,
                GASNET_UDP_FAULTS = LOSSES,
            )),
        },
    ),
    # Not with the rows of GASNet-EX, which sanitizers run in memory alone.
    "transfer_unattended_atomics": job_test(
        "transfer/unattended_atomics.cc",
        ranks = [2, 3],
        cases = {
            "": passes(env = UNATTENDED),
            "lossy": passes(env = dict(UNATTENDED, GASNET_UDP_FAULTS = LOSSES)),
        },
    ),
    # The runs and replies of the handlers at node 1. The nodes share no memory, in any
    # suite: atomics among nodes that share it are no messages.
    "transfer_unattended_observed": job_test(
        "transfer/unattended_atomics.cc",
        ranks = [2],
        cases = {"": passes(
            env = dict(
                UNATTENDED,
                GASNET_STATSFILE = "stdout",
                GASNET_SUPERNODE_MAXSIZE = "1",
            ),
            lines = {
                "A  atomic_request +2040( +\\S+){6}": [0, 1],
                "A  atomic_done_reply +1000 +0": [0, 1],
                "A  atomic_fetch_reply +1020 +0": [0, 1],
            },
        )},
    ),
    "transfer_unattended_endpoints": job_test(
        "transfer/unattended_endpoints.cc",
        ranks = [3],
        cases = {"": passes(env = UNATTENDED)},
    ),
    "transfer_unattended_mixture": job_test(
        "threads/mixture.cc",
        modes = ["par"],
        ranks = [3],
        cases = {"": passes(env = UNATTENDED)},
    ),
    "transfer_unattended_model": job_test(
        "transfer/random_model.cc",
        ranks = [3],
        cases = {"": passes(env = UNATTENDED)},
    ),
    "transfer_unattended_once": job_test(
        "am/exactly_once.cc",
        ranks = [3],
        cases = {"": passes(env = UNATTENDED)},
    ),
}
