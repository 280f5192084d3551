"""The conformance suite: one row for each test.

This file is data. It is read by Bazel and, as Python, by check_index.py, so it
keeps to what the two languages share.
"""

load("//conformance:ex_messages.bzl", "EX_MESSAGES", "EX_MISUSE")
load("//conformance:ex_operations.bzl", "EX_OPERATIONS")
load("//conformance:jobs.bzl", "JOBS")
load(
    "//conformance:misuse.bzl",
    "ARGUMENTS",
    "COLLECTIVES",
    "COLLECTIVES_AT_ONCE",
    "COLLECTIVE_CALLS",
    "EARLY",
    "FATAL",
    "HANDLES",
    "LOCKS",
    "MESSAGES",
    "NAMES",
    "PIECES",
    "REGIONS",
    "UNWOUND",
    "WARNINGS",
)
load("//conformance:observing.bzl", "OBSERVING")
load(
    "//conformance:rows.bzl",
    "THREADED",
    "death_cases",
    "early_test",
    "exits",
    "job_test",
    "misuse_test",
    "passes",
    "test",
    "warning_test",
)

# All implementations of barriers must behave the same.
BARRIERS = {
    "": passes(),
    "amcentral": passes(env = {"GASNET_BARRIER": "AMCENTRAL"}),
    "amdissem": passes(env = {"GASNET_BARRIER": "AMDISSEM"}),
}

# Collectives choose algorithms by sizes and numbers of nodes.
WAYS = {
    "": passes(),
    "other_ways": passes(args = ["other_ways"]),
    "flat": passes(env = {"GASNET_COLL_OPT": "no", "GASNET_COLL_EAGER": "64"}),
}

TESTS = dict(EX_MESSAGES, **dict(EX_MISUSE, **dict(EX_OPERATIONS, **dict(OBSERVING, **dict(JOBS, **{
    # Section 2.3
    "am_block_until": job_test("am/block_until.cc"),
    "am_block_until_put": job_test("am/block_until_put.cc", ranks = [2, 3]),
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
    "am_handler_unwound": job_test(
        "am/handler_unwound.cc",
        cases = death_cases(UNWOUND),
        ranks = [1, 3],
    ),
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

    # Memory in pieces (gasnet_vis.h)
    "vis_extremes": job_test("vis/extremes.cc", ranks = [1, 2], cases = {
        "far": passes(["far"]),
        "lists": passes(["lists"]),
        "many": passes(["many"]),
    }),
    "vis_random_model": test("vis/random_model.cc"),
    "vis_settings": test("vis/random_model.cc", ranks = [3], cases = {
        "alone": passes(env = {"GASNET_VIS_AMPIPE": "0"}),
        "contiguous": passes(env = {"GASNET_VIS_REMOTECONTIG": "0"}),
        "each": passes(env = {
            "GASNET_VIS_AMPIPE": "0",
            "GASNET_VIS_REMOTECONTIG": "0",
        }),
        "gets": passes(env = {
            "GASNET_VIS_GET_MAXCHUNK": "1",
            "GASNET_VIS_MAXCHUNK": "100",
        }),
        "puts": passes(env = {
            "GASNET_VIS_MAXCHUNK": "8",
            "GASNET_VIS_PUT_MAXCHUNK": "480",
        }),
    }),
    "vis_threads": test("vis/threads.cc", modes = THREADED),
    # This row uses messages. It runs once, since it takes seconds.
    "vis_total": test(
        "vis/total.cc",
        checks = "no",
        modes = ["par"],
        ranks = [2],
        reference = "only",
        segments = ["fast"],
    ),

    # Sections 3.3.3, 3.3.5 and 3.3.6
    "sync_access_region": test("sync/access_region.cc"),
    "sync_all": test("sync/all.cc"),
    "sync_completion": test("sync/completion.cc"),
    "sync_implicit_sets": test("sync/implicit_sets.cc"),
    "sync_invalid_handle": test("sync/invalid_handle.cc"),
    "sync_many_in_flight": test("sync/many_in_flight.cc", ranks = [1, 2]),
    "sync_mixed_kinds": test("sync/mixed_kinds.cc"),
    "sync_nopoll": test("sync/nopoll.cc"),
    "sync_some": test("sync/some.cc"),

    # Section 3.5
    "barrier_advances": test(
        "barrier/advances.cc",
        cases = {
            "amcentral": passes(
                args = ["center"],
                env = {"GASNET_BARRIER": "AMCENTRAL"},
            ),
            "amdissem": passes(env = {"GASNET_BARRIER": "AMDISSEM"}),
        },
        ranks = [4],
    ),
    "barrier_second_notify": job_test(
        "barrier/second_notify.cc",
        cases = {
            "": passes(lines = {
                ".*WARNING.*gasnet_barrier_notify called a second.*": [1, 0],
            }),
        },
        ranks = [1, 3],
        checks = "no",
    ),
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
    "threads_cancelled": job_test(
        "threads/cancelled.cc",
        modes = ["par"],
        ranks = [1, 2, 3],
        cases = {
            # With more sockets than threads, threads look at those of others.
            which: passes(args = [which], env = {"GASNET_UDP_RAILS": "8"})
            for which in ["calling", "asleep"]
        },
    ),
    "threads_come_and_go": test("threads/come_and_go.cc", modes = THREADED),
    "threads_many": test("threads/many.cc", modes = ["par"], ranks = [1, 2]),
    "threads_mixture": test("threads/mixture.cc"),
    "threads_waitmode": test("threads/waitmode.cc"),

    # Collectives
    "coll_barriers": job_test(
        "coll/barriers.cc",
        ranks = [1, 2, 3],
        cases = {
            "strict": passes(args = ["strict"]),
            "relaxed": passes(
                args = ["relaxed"],
                env = {"GASNET_BARRIER_FLAGS": "relaxed"},
            ),
        },
    ),
    "coll_broadcast": test(
        "coll/broadcast.cc",
        cases = BARRIERS,
        of_conduit = True,
    ),
    "coll_checksum": test("coll/checksum.cc"),
    # Rows with many processes take long. Unit tests in virtual time cover
    # larger numbers of nodes.
    "coll_operations": test("coll/operations.cc", cases = WAYS, ranks = [2, 3, 5]),
    "coll_images": job_test("coll/images.cc", modes = ["par"], ranks = [1, 2, 3]),
    "coll_computing": job_test(
        "coll/computing.cc",
        modes = ["par"],
        ranks = [2, 3],
        cases = {"": passes(env = {"GASNET_COLL_PROGRESS": "thread"})},
    ),
    "coll_killed": job_test(
        "coll/killed.cc",
        ranks = [2, 3],
        cases = {"": exits([137])},
    ),
    "coll_outstanding": job_test("coll/outstanding.cc", ranks = [1, 3]),
    "coll_partners": job_test("coll/partners.cc", ranks = [2, 3]),
    "coll_random": test("coll/random.cc", cases = WAYS, ranks = [1, 2, 3, 5]),
    "coll_serving": job_test("coll/serving.cc", ranks = [2, 3]),
    "coll_sort": job_test("coll/sort.cc", ranks = [1, 3, 4]),
    "coll_types": job_test("coll/types.cc", ranks = [1, 2, 5]),
    "coll_unequal": job_test("coll/unequal.cc", ranks = [1, 3, 4]),
    "coll_without_init": job_test(
        "coll/without_init.cc",
        cases = {
            "": passes(lines = {".*WARNING.*before gasnet_coll_init.*": [1, 0]}),
            "some_have": passes(
                args = ["some_have"],
                lines = {".*WARNING.*before gasnet_coll_init.*": [1, -1]},
            ),
        },
        ranks = [1, 3],
        checks = "no",
    ),
    "coll_threads": job_test("coll/threads.cc", modes = ["par"], ranks = [1, 3]),

    # Names beyond the specification
    "names_handler": test("names/handler.c"),
    "names_handler_cxx": test("names/handler.c", language = "c++"),
    "names_coll": test("names/coll.c"),
    "names_coll_cxx": test("names/coll.c", language = "c++"),
    "names_vis": test("names/vis.c"),
    "names_vis_cxx": test("names/vis.c", language = "c++"),
    "names_gasnet": test("names/gasnet.c", of_conduit = True),
    "names_gasnet_cxx": test(
        "names/gasnet.c",
        language = "c++",
        of_conduit = True,
    ),
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
    "misuse_collective_calls": misuse_test(
        "misuse/collective_calls.cc",
        COLLECTIVE_CALLS,
    ),
    "misuse_collectives": job_test(
        "misuse/collectives.cc",
        cases = death_cases(COLLECTIVES),
        modes = ["par"],
        ranks = [3],
    ),
    "misuse_collectives_at_once": job_test(
        "misuse/collectives_at_once.cc",
        cases = death_cases(COLLECTIVES_AT_ONCE),
        modes = ["par"],
        ranks = [1],
        checks = "only",
    ),
    "misuse_early": early_test("misuse/early.cc", EARLY),
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
    "misuse_pieces": misuse_test("misuse/pieces.cc", PIECES),
    "misuse_regions": misuse_test("misuse/regions.cc", REGIONS),

    # In plain C
    "c_am_arguments": test("c/am_arguments.c"),
    "c_arguments_once": test("c/arguments_once.c"),
    "c_every_function": test("c/every_function.c"),
    "c_thread_info": test("c/thread_info.c"),
})))))
