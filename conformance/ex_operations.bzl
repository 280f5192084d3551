"""Rows of GASNet-EX: transfers, events, teams, collectives, atomics.

This is a part of table.bzl. Like it, it is also read as Python.
"""

load("//conformance:rows.bzl", "ex_test")

EX_OPERATIONS = {
    # Teams and collectives.
    "ex_coll_barrier": ex_test("ex/coll_barrier.cc", ranks = [2, 3, 4]),
    "ex_coll_broadcast": ex_test("ex/coll_broadcast.cc", ranks = [2, 3, 5]),
    "ex_coll_flight": ex_test("ex/coll_flight.cc", ranks = [2, 3, 5]),
    "ex_coll_reduce": ex_test("ex/coll_reduce.cc", ranks = [2, 3, 5]),
    "ex_coll_user": ex_test("ex/coll_user.cc", ranks = [2, 3, 5]),
    "ex_atomics": ex_test("ex/atomics.cc"),
    "ex_atomics_categories": ex_test("ex/atomics_categories.cc"),
    "ex_atomics_constant": ex_test("ex/atomics_constant.cc"),
    "ex_atomics_contended": ex_test("ex/atomics_contended.cc"),
    "ex_team_create": ex_test("ex/team_create.cc", ranks = [2, 3, 4]),
    "ex_team_split": ex_test("ex/team_split.cc", ranks = [2, 3, 5]),

    # Puts, gets, events and implicit operations.
    "ex_endpoint_messages": ex_test("ex/endpoint_messages.cc", ranks = [1, 2, 3]),
    "ex_endpoint_rma": ex_test("ex/endpoint_rma.cc"),
    "ex_endpoint_teams": ex_test("ex/endpoint_teams.cc", ranks = [1, 2, 3]),
    "ex_events": ex_test("ex/events.cc"),
    "ex_events_quiet": ex_test("ex/events_quiet.cc"),
    "ex_immediate_transfers": ex_test("ex/immediate_transfers.cc"),
    "ex_nbi": ex_test("ex/nbi.cc"),
    "ex_pairs": ex_test("ex/pairs.cc"),
    "ex_regions": ex_test("ex/regions.cc"),
    "ex_rma_forms": ex_test("ex/rma_forms.cc"),
    "ex_rma_source": ex_test("ex/rma_source.cc"),
    "ex_rma_values": ex_test("ex/rma_values.cc"),

    # Memory in pieces.
    "ex_vis_lists": ex_test("ex/vis_lists.cc"),
    "ex_vis_strided": ex_test("ex/vis_strided.cc"),

    # Programs that use the library like a runtime.
    "ex_runtime_coarrays": ex_test("ex/runtime_coarrays.cc", ranks = [1, 2, 5]),
    "ex_runtime_messages": ex_test("ex/runtime_messages.cc", modes = ["par"]),
    "ex_runtime_rpc": ex_test("ex/runtime_rpc.cc", ranks = [1, 2, 3]),
    "ex_runtime_tasks": ex_test("ex/runtime_tasks.cc", modes = ["par"]),

    # Everything at once.
    "ex_random_model": ex_test("ex/random_model.cc", ranks = [1, 2, 3]),
    "ex_threads": ex_test("ex/threads.cc", modes = ["par"]),
    "ex_threads_immediate": ex_test("ex/threads_immediate.cc", modes = ["par"]),
}
