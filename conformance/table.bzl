"""The conformance suite: one row for each test.

This file is data. It is read by Bazel and, as Python, by check_index.py, so it
keeps to what the two languages share.
"""

load("//conformance:ends.bzl", "EXIT_SIGNAL", "FORK", "RETURN")
load(
    "//conformance:misuse.bzl",
    "ARGUMENTS",
    "COLLECTIVES",
    "EARLY",
    "EARLY_INLINED",
    "FATAL",
    "HANDLES",
    "LOCKS",
    "MESSAGES",
    "NAMES",
    "REGIONS",
    "WARNINGS",
)
load(
    "//conformance:rows.bzl",
    "death_cases",
    "early_test",
    "exit_cases",
    "exits",
    "job_test",
    "misuse_test",
    "passes",
    "test",
    "warning_test",
)

THREADED = ["parsync", "par"]

# Barriers must work alike whichever implementation is chosen.
BARRIERS = {
    "": passes(),
    "amcentral": passes(env = {"GASNET_BARRIER": "AMCENTRAL"}),
    "amdissem": passes(env = {"GASNET_BARRIER": "AMDISSEM"}),
}

TESTS = {
    # Chapter 1
    "general_config_string": test("general/config_string.cc", ranks = [1]),
    "general_constants": test("general/constants.cc", ranks = [1, 2]),
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
    "job_crash": job_test(
        "job/crash.cc",
        ranks = [1, 3],
        cases = dict(
            exit_cases(134, ["abort", "abort_in_handler"]),
            kill = exits([137], args = ["kill"]),
            # A sanitizer makes an exit code of its own of it.
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
        ranks = [2, 3],
        cases = {"": passes(
            args = ["unequal"],
            env = {"GASNET_SUPERNODE_MAXSIZE": "1"},
        )},
    ),
    "job_segment_size": test("job/segment_size.cc", cases = {
        which: passes(args = [which])
        for which in [
            "zero",
            "one_page",
            "unequal",
            "local_maximum",
            "global_maximum",
        ]
    }),

    # Section 2.3
    "am_block_until": job_test("am/block_until.cc"),
    "am_block_until_threads": job_test(
        "am/block_until_threads.cc",
        modes = ["par"],
        ranks = [1, 2, 3],
    ),
    "am_empty_payload": test("am/empty_payload.cc"),
    "am_exactly_once": test("am/exactly_once.cc"),
    "am_flood_long": test("am/flood_long.cc"),
    "am_flood_medium": test("am/flood_medium.cc"),
    "am_flood_short": test("am/flood_short.cc"),
    "am_handler_indices": test("am/handler_indices.cc"),
    "am_hot_spot": test("am/hot_spot.cc"),
    "am_limits": test("am/limits.cc", ranks = [1, 2]),
    "am_long": test("am/long.cc"),
    "am_long_async": test("am/long_async.cc"),
    "am_long_maximum": test("am/long_maximum.cc"),
    "am_long_reply": test("am/long_reply.cc"),
    "am_medium": test("am/medium.cc"),
    "am_message_source": test("am/message_source.cc"),
    "am_poll": test("am/poll.cc"),
    "am_reply_kinds": test("am/reply_kinds.cc"),
    "am_short": test("am/short.cc"),
    "am_to_oneself": test("am/to_oneself.cc", ranks = [1, 2]),
    "am_to_oneself_asleep": job_test(
        "am/to_oneself_asleep.cc",
        modes = ["par"],
        ranks = [1, 2],
    ),
    "am_to_oneself_threads": test("am/to_oneself_threads.cc", modes = ["par"]),
    "am_waits_serve": test("am/waits_serve.cc", ranks = [2, 3]),

    # Section 2.4
    "atomicity_handlers": test("atomicity/handlers.cc"),
    "atomicity_interrupts_ignored": job_test("atomicity/interrupts_ignored.cc"),
    "atomicity_locks": job_test("atomicity/locks.cc", ranks = [1, 2]),
    "atomicity_locks_exclude": job_test(
        "atomicity/locks_exclude.cc",
        modes = ["par"],
        ranks = [1, 2],
    ),
    "atomicity_locks_in_handlers": test("atomicity/locks_in_handlers.cc"),
    "atomicity_locks_in_threads": job_test(
        "atomicity/locks_in_threads.cc",
        modes = THREADED,
        ranks = [1, 2],
    ),
    "atomicity_no_interrupts": job_test("atomicity/no_interrupts.cc"),
    "atomicity_warnings": warning_test("atomicity/warnings.cc", WARNINGS),

    # Sections 3.1, 3.2, 3.3.1, 3.3.2, 3.3.4 and 3.4
    "transfer_blocking": test("transfer/blocking.cc"),
    "transfer_blocking_bulk": test("transfer/blocking_bulk.cc"),
    "transfer_constant_sizes": test("transfer/constant_sizes.cc"),
    "transfer_everything": test(
        "transfer/everything.cc",
        segments = ["everything"],
        reference = "no",
        checks = "no",
    ),
    "transfer_explicit": test("transfer/explicit.cc"),
    "transfer_implicit": test("transfer/implicit.cc"),
    "transfer_large": test("transfer/large.cc"),
    "transfer_litmus": test("transfer/litmus.cc", ranks = [2, 4]),
    "transfer_local_side": test("transfer/local_side.cc"),
    "transfer_memset": test("transfer/memset.cc"),
    "transfer_random_model": test("transfer/random_model.cc"),
    "transfer_same_address": test("transfer/same_address.cc"),
    "transfer_source_reuse": test("transfer/source_reuse.cc"),
    "transfer_threads": test("transfer/threads.cc", modes = THREADED),
    "transfer_values": test("transfer/values.cc"),
    "transfer_visibility": test("transfer/visibility.cc"),

    # Sections 3.3.3, 3.3.5 and 3.3.6
    "sync_access_region": test("sync/access_region.cc"),
    "sync_all": test("sync/all.cc"),
    "sync_completion": test("sync/completion.cc"),
    "sync_implicit_sets": test("sync/implicit_sets.cc"),
    "sync_invalid_handle": test("sync/invalid_handle.cc"),
    "sync_many_in_flight": test("sync/many_in_flight.cc", ranks = [1, 2]),
    "sync_mixed_kinds": test("sync/mixed_kinds.cc"),
    "sync_some": test("sync/some.cc"),

    # Section 3.5
    "barrier_anonymous": test("barrier/anonymous.cc", cases = BARRIERS),
    "barrier_flags": test(
        "barrier/flags.cc",
        cases = dict({
            "default": passes(args = ["strict"]),
            "strict": passes(
                args = ["strict"],
                env = {"GASNET_BARRIER_FLAGS": "strict"},
            ),
        }, **{
            "relaxed_" + barrier.lower(): passes(
                args = ["relaxed"],
                env = {
                    "GASNET_BARRIER": barrier,
                    "GASNET_BARRIER_FLAGS": "relaxed",
                },
            )
            for barrier in ["DEFAULT", "AMCENTRAL", "AMDISSEM"]
        }),
    ),
    "barrier_mismatch": test("barrier/mismatch.cc", cases = BARRIERS),
    "barrier_named": test("barrier/named.cc", cases = BARRIERS),
    "barrier_notify_returns": test("barrier/notify_returns.cc", cases = BARRIERS),
    "barrier_order": test("barrier/order.cc", cases = BARRIERS),
    "barrier_split_phase": test("barrier/split_phase.cc", cases = BARRIERS),
    "barrier_threads": test(
        "barrier/threads.cc",
        modes = THREADED,
        cases = BARRIERS,
    ),
    "barrier_traffic": test(
        "barrier/traffic.cc",
        modes = ["par"],
        cases = BARRIERS,
    ),
    "barrier_try": test("barrier/try.cc", cases = BARRIERS),

    # Section 3.6
    "threads_come_and_go": test("threads/come_and_go.cc", modes = THREADED),
    "threads_many": test("threads/many.cc", modes = ["par"], ranks = [1, 2]),
    "threads_mixture": test("threads/mixture.cc"),
    "threads_waitmode": test("threads/waitmode.cc"),

    # Collectives
    "coll_broadcast": test("coll/broadcast.cc", cases = BARRIERS),
    "coll_threads": job_test("coll/threads.cc", modes = ["par"], ranks = [1, 3]),

    # Names beyond the specification
    "names_coll": test("names/coll.c"),
    "names_coll_cxx": test("names/coll.c", language = "c++"),
    "names_gasnet": test("names/gasnet.c"),
    "names_gasnet_cxx": test("names/gasnet.c", language = "c++"),
    "names_trace": test("names/trace.c", ranks = [1]),
    "names_trace_cxx": test("names/trace.c", ranks = [1], language = "c++"),

    # Version 0.5
    "c_version_0_5": test("c/version_0_5.c"),
    "c_version_0_5_cxx": test("c/version_0_5.c", language = "c++"),
    "c_version_0_5_refused": job_test(
        "c/version_0_5_refused.c",
        ranks = [1, 3],
        cases = {
            which: exits([0], args = [which], lines = {"refused": [1, 0]})
            for which in [
                "reserved",
                "duplicate",
                "part_of_a_page",
                "everything",
                "too_much",
            ]
        },
    ),

    # Misuse
    "misuse_arguments": misuse_test("misuse/arguments.cc", ARGUMENTS),
    "misuse_collectives": job_test(
        "misuse/collectives.cc",
        cases = death_cases(COLLECTIVES),
        modes = ["par"],
        ranks = [3],
    ),
    "misuse_early": early_test("misuse/early.cc", EARLY),
    "misuse_early_inlined": early_test("misuse/early.cc", EARLY_INLINED, checks = "only"),
    "misuse_fatal": test(
        "misuse/fatal.cc",
        cases = death_cases(FATAL),
        ranks = [1, 3],
    ),
    "misuse_handles": test(
        "misuse/handles.cc",
        cases = death_cases(HANDLES),
        modes = ["par"],
        segments = ["fast"],
        ranks = [2],
        reference = "only",
        checks = "only",
    ),
    "misuse_locks": misuse_test("misuse/locks.cc", LOCKS),
    "misuse_messages": misuse_test("misuse/messages.cc", MESSAGES),
    "misuse_names": misuse_test("misuse/names.cc", NAMES),
    "misuse_regions": misuse_test("misuse/regions.cc", REGIONS),

    # In plain C
    "c_am_arguments": test("c/am_arguments.c"),
    "c_arguments_once": test("c/arguments_once.c"),
    "c_every_function": test("c/every_function.c"),
    "c_thread_info": test("c/thread_info.c"),
}
