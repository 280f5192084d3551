"""Rows about GASNet-EX's objects, messages and programs of both interfaces.

This is a part of table.bzl. Like it, it is also read as Python.
"""

load(
    "//conformance:rows.bzl",
    "death_cases",
    "ex_test",
    "exit_cases",
    "exits",
    "job_test",
    "misuse_test",
    "passes",
    "test",
)

def _of_job(source, **kwargs):
    """Returns a row for behaviour that is the same on the reference extended
    API."""
    return ex_test(source, reference = "no", **kwargs)

_EXITS = [
    "before_attach",
    "exit",
    "in_handler",
    "one",
    "return",
    "while_attaching",
    "while_preparing",
]

_SHORT_PATIENCE = {"GASNET_EXITTIMEOUT": "0.2"}

EX_MESSAGES = {
    # Objects and queries.
    "ex_bound_segment": _of_job("ex/bound_segment.cc", cases = {
        "": passes(),
        "alone": passes(env = {"GASNET_SUPERNODE_MAXSIZE": "1"}),
        "pairs": passes(env = {"GASNET_SUPERNODE_MAXSIZE": "2"}),
    }),
    "ex_constants": _of_job("ex/constants.cc", ranks = [1]),
    "ex_neighbours": _of_job("ex/neighbours.cc", ranks = [1, 3], cases = {
        "": passes(args = ["0"]),
        "alone": passes(args = ["1"], env = {"GASNET_SUPERNODE_MAXSIZE": "1"}),
        "pairs": passes(args = ["2"], env = {"GASNET_SUPERNODE_MAXSIZE": "2"}),
    }),
    "ex_objects": _of_job("ex/objects.cc", ranks = [1, 2]),
    "ex_refusals": _of_job("ex/refusals.cc", ranks = [2], cases = {
        "loud": passes(args = ["loud"], lines = {
            ".*gex_EP_Create.*": [1, 0],
            ".*gex_System_QueryProgressThreads.*": [1, 0],
        }),
        "quiet": passes(args = ["quiet"], lines = {".*gex_.*": [0, 0]}),
    }),

    # Jobs, and programs of both interfaces.
    "ex_everything": test(
        "ex/everything.cc",
        ranks = [1, 2],
        reference = "no",
        segments = ["everything"],
    ),
    "ex_exit": _of_job("ex/exit.cc", ranks = [1, 3], cases = dict(
        exit_cases(42, _EXITS),
        one_fails = exits([42], args = ["one_fails"], env = _SHORT_PATIENCE),
        one_returns = exits([0], args = ["one_returns"], env = _SHORT_PATIENCE),
        late = exits([0], args = ["late"], lines = {"late": [0, 1]}),
    )),
    "ex_hybrid": ex_test("ex/hybrid.cc", ranks = [1, 2], cases = {
        which: passes(args = [which])
        for which in ["gasnet_init", "gex_Client_Init"]
    }),

    # Messages.
    "ex_any_calls": _of_job("ex/any_calls.cc", ranks = [1, 2]),
    "ex_arguments": _of_job("ex/arguments.cc", ranks = [1, 2]),
    "ex_attach_owing": _of_job("ex/attach_owing.cc"),
    "ex_before_attach": _of_job("ex/before_attach.cc"),
    "ex_handlers": _of_job("ex/handlers.cc", ranks = [1, 2]),
    "ex_immediate": _of_job("ex/immediate.cc"),
    "ex_limits": _of_job("ex/limits.cc"),
    "ex_local_completion": _of_job("ex/local_completion.cc"),
    "ex_payload": _of_job("ex/payload.cc", ranks = [1, 2]),
    "ex_prepared": _of_job("ex/prepared.cc", ranks = [1, 2]),
    "ex_prepared_replies": _of_job("ex/prepared_replies.cc", ranks = [1, 3]),
    "ex_registration": _of_job("ex/registration.cc", modes = ["par"]),
    "ex_served": _of_job(
        "ex/served.cc",
        modes = ["par"],
        cases = {"": passes(env = {"GASNET_PROGRESS_THREAD": "1"})},
    ),
    "ex_token_info": _of_job("ex/token_info.cc"),

}

# Maps each case to a pattern that the message must match.
_FATAL = {
    "second_client": "gex_Client_Init",
    "second_segment": "gex_Segment_Attach",
    "destroy_segment": "gex_Segment_Destroy",
    "host_kind": "gex_MK_Create",
    "no_index": "gex_AM_RequestShort: handler 0",
    "no_handler": "index 222.* Short request from rank 0",
}

_BETWEEN = " called between a gex_AM_Prepare"
_LC_OPT = ": lc_opt is "

_MISUSE = {
    "wrong_category": "Medium request.*handler 200.*for Shorts",
    "medium_to_long": "Medium request.*handler 202.*for Longs",
    "wrong_direction": "Short request.*handler 203.* replies",
    "wrong_reply_direction": "Short reply.*handler 200.* requests",
    "wrong_count": "with 1 arguments.*handler 200.*with 0",
    "no_handler": "index 222.* Short request from rank 0",
    "commit_twice": "gex_AM_CommitRequestMedium: descriptor",
    "cancel_twice": "gex_AM_CancelRequestMedium: descriptor",
    "commit_cancelled": "gex_AM_CommitRequestMedium: descriptor",
    "commit_nothing": "gex_AM_CommitRequestMedium: descriptor",
    "commit_other_kind": "gex_AM_CommitRequestLong: .*gex_AM_PrepareRequestMedium",
    "cancel_other_kind": "gex_AM_CancelReplyMedium: .*gex_AM_PrepareRequestMedium",
    "commit_too_much": "gex_AM_CommitRequestMedium: nbytes is 17",
    "commit_other_count": "gex_AM_CommitRequestMedium: 1 arguments",
    "commit_other_place": "gex_AM_CommitRequestLong: dest_addr",
    "commit_in_other_thread": "gex_AM_CommitRequestMedium: descriptor",
    "preparing_prepare": "gex_AM_PrepareRequestMedium" + _BETWEEN,
    "preparing_request": "gex_AM_RequestShort" + _BETWEEN,
    "preparing_old_request": "gasnet_AMRequestShort" + _BETWEEN,
    "preparing_poll": "gasnet_AMPoll" + _BETWEEN,
    "preparing_put": "gex_RMA_PutBlocking" + _BETWEEN,
    "preparing_wait": "gex_Event_Wait" + _BETWEEN,
    "preparing_test": "gex_Event_Test" + _BETWEEN,
    "preparing_wait_implicit": "gex_NBI_Wait" + _BETWEEN,
    "preparing_register": "gex_EP_RegisterHandlers" + _BETWEEN,
    "preparing_notify": "gasnet_barrier_notify" + _BETWEEN,
    "preparing_bound": "gex_EP_QueryBoundSegmentNB" + _BETWEEN,
    "locked_prepare": "gex_AM_PrepareRequestMedium.*lock",
    "locked_request": "gex_AM_RequestShort.*lock",
    "locked_wait": "gex_Event_Wait.*lock",
    "locked_register": "gex_EP_RegisterHandlers.*lock",
    "handler_prepare": "gex_AM_PrepareRequestMedium.*handler",
    "handler_request": "gex_AM_RequestShort.*handler",
    "handler_test": "gex_Event_Test.*handler",
    "handler_wait_implicit": "gex_NBI_Wait.*handler",
    "handler_register": "gex_EP_RegisterHandlers.*handler",
    "handler_bound": "gex_EP_QueryBoundSegmentNB.*handler",
    "reply_twice": "gex_AM_ReplyShort.*second time",
    "reply_prepare_after": "gex_AM_PrepareReplyMedium.*second time",
    "reply_while_preparing": "gex_AM_ReplyShort" + _BETWEEN,
    "reply_commit_twice": "gex_AM_CommitReplyMedium: descriptor",
    "reply_locked": "gex_AM_PrepareReplyMedium.*lock",
    "reply_never_committed": "gex_AM_Prepare",
    "lc_request_defer": "gex_AM_RequestMedium" + _LC_OPT + "GEX_EVENT_DEFER",
    "lc_request_null": "gex_AM_RequestMedium" + _LC_OPT + "NULL",
    "lc_long_null": "gex_AM_RequestLong" + _LC_OPT + "NULL",
    "lc_reply_group": "gex_AM_ReplyMedium" + _LC_OPT + "GEX_EVENT_GROUP",
    "lc_prepare_buffer": "gex_AM_PrepareRequestMedium: lc_opt must be NULL",
    "lc_prepare_null": "gex_AM_PrepareRequestMedium" + _LC_OPT + "NULL",
    "lc_prepare_defer": "gex_AM_PrepareRequestLong" + _LC_OPT + "GEX_EVENT_DEFER",
    "large_medium": "gex_AM_RequestMedium: nbytes",
    "large_long": "gex_AM_RequestLong: nbytes",
    "large_reply": "gex_AM_ReplyMedium: nbytes",
    "large_least": "gex_AM_PrepareRequestMedium: least_payload",
    "least_over_most": "gex_AM_PrepareRequestMedium: least_payload is 9",
    "long_outside": "gex_AM_RequestLong: destination",
    "prepared_outside": "gex_AM_CommitRequestLong: destination",
    "no_rank": "gex_AM_RequestShort: rank 2",
    "no_team": "gex_AM_RequestShort: the team is GEX_TM_INVALID",
    "no_rank_of_pair": "gex_AM_RequestShort: rank 2",
}

_ENDPOINT_MISUSE = {
    "put_outside": "gex_RMA_Put.*not inside the segment of endpoint 1 of node 1",
    "put_to_primordial": "gex_RMA_Put.*not inside the segment of endpoint 1",
    "put_unpublished": "gex_RMA_Put.*endpoint 2 of node 1 has no segment",
    "put_incapable": "gex_RMA_Put.*endpoint 2 .*GEX_EP_CAPABILITY_RMA",
    "put_of_none": "gex_RMA_Put.*endpoint 3 of this process, which has none",
    "put_to_none": "gex_RMA_Put.*endpoint 32 .*0 to 31",
    "pieces_outside": "gex_VIS_StridedPutBlocking: dstaddr.*segment of endpoint 1",
    "pieces_incapable": "gex_VIS_StridedPutBlocking.*GEX_EP_CAPABILITY_VIS",
    "send_incapable": "gex_AM_RequestShort.*endpoint 1 .*GEX_EP_CAPABILITY_AM",
    "send_to_incapable": "endpoint 2 to endpoint 1 .*GEX_EP_CAPABILITY_AM",
    "send_to_none": "endpoint 2 to endpoint 9 .*does not exist",
    "send_unregistered": "no handler is registered at index 200",
    "long_outside": "gex_AM_RequestLong: destination",
    "collect_incapable": "gex_Coll_BarrierNB.*GEX_EP_CAPABILITY_COLL",
    "count_incapable": "gex_AD_Create.*GEX_EP_CAPABILITY_AD",
    "team_of_none": "gex_TM_Create: args lists endpoint 17 of this process",
    "team_of_two": "gex_TM_Create: args lists two endpoints of jobrank",
    "destroy_in_team": "gex_EP_Destroy: endpoint 1 is in 1 teams",
    "destroy_primordial": "gex_EP_Destroy: the primordial endpoint",
    "destroy_twice": "gex_EP_Destroy: the endpoint is .*destroyed",
    "destroy_segment_twice": "gex_Segment_Destroy: the segment is .*destroyed",
    "bind_destroyed": "gex_EP_BindSegment: the segment is .*destroyed",
    "register_destroyed": "gex_EP_RegisterHandlers: the endpoint is .*destroyed",
    "publish_twice": "gex_EP_PublishBoundSegment: eps lists endpoint 1 .*twice",
    "publish_over_pair": "gex_EP_PublishBoundSegment: the team is a pair",
}

_NO_OBJECTS = {
    "no_client": "gex_Client_QueryName: the client is NULL",
    "no_client_data": "gex_Client_SetCData: the client is NULL",
    "no_endpoint": "gex_EP_QuerySegment: the endpoint is GEX_EP_INVALID",
    "no_endpoint_to_register": "gex_EP_RegisterHandlers: the endpoint is GEX_EP_INVALID",
    "no_endpoint_of_pair": "gex_TM_Pair: the endpoint is NULL",
    "no_segment": "gex_Segment_QueryAddr: the segment is GEX_SEGMENT_INVALID",
    "no_team": "gex_TM_QueryRank: the team is GEX_TM_INVALID",
    "no_domain": "gex_AD_QueryOps: the domain is GEX_AD_INVALID",
    "no_domain_to_destroy": "gex_AD_Destroy: the domain is GEX_AD_INVALID",
    "no_token": "gex_Token_MaxReplyMedium: the token is null",
    "no_token_to_ask": "gex_Token_Info: the token is null",
    "no_descriptor": "gex_AM_SrcDescSize: descriptor",
    "domain_of_destroyed_team": "gex_AD_Create: the team is .*destroyed",
    "collective_of_destroyed_team": "gex_Coll_BarrierNB: the team is .*destroyed",
    "team_with_domain": "gex_TM_Destroy: the team has atomic domains",
    "destroyed_domain": "gex_AD_OpNB_I32: the domain is .*destroyed",
    "synced_collective": "gex_Event_Wait: handle .* synced before",
    "scratch_outside": "gex_TM_Split: scratch space of 64 bytes .* segment",
    "no_scratch": "gex_TM_Split: scratch space is 0 bytes",
}

_NOT_IMMEDIATE = ": does not take GEX_FLAG_IMMEDIATE"

_IMMEDIATE = {
    "barrier": "gex_Coll_BarrierNB: flags are 0x1",
    "broadcast": "gex_Coll_BroadcastNB: flags are 0x1",
    "split": "gex_TM_Split" + _NOT_IMMEDIATE,
    "destroy": "gex_TM_Destroy" + _NOT_IMMEDIATE,
    "test_some": "gex_Event_TestSome" + _NOT_IMMEDIATE,
    "wait_all": "gex_Event_WaitAll" + _NOT_IMMEDIATE,
    "test_implicit": "gex_NBI_Test" + _NOT_IMMEDIATE,
    "wait_implicit": "gex_NBI_Wait" + _NOT_IMMEDIATE,
    "begin_region": "gex_NBI_BeginAccessRegion" + _NOT_IMMEDIATE,
    "end_region": "gex_NBI_EndAccessRegion" + _NOT_IMMEDIATE,
    "cancel": "gex_AM_CancelRequestMedium" + _NOT_IMMEDIATE,
    "arm": "gex_VIS_SetPeerCompletionHandler" + _NOT_IMMEDIATE,
    "armed_put": "gex_VIS_StridedPutNB" + _NOT_IMMEDIATE,
    "armed_put_blocking": "gex_VIS_StridedPutBlocking" + _NOT_IMMEDIATE,
}

EX_MISUSE = {
    "ex_endpoint_misuse": misuse_test(
        "ex/endpoint_misuse.cc",
        _ENDPOINT_MISUSE,
        modes = ["par"],
    ),
    "ex_fatal": job_test("ex/fatal.cc", cases = death_cases(_FATAL), ranks = [2]),
    "ex_misuse": misuse_test("ex/misuse.cc", _MISUSE, modes = ["par"]),
    "ex_misuse_objects": misuse_test(
        "ex/misuse_objects.cc",
        _NO_OBJECTS,
        modes = ["par"],
    ),
    "ex_misuse_immediate": misuse_test(
        "ex/misuse_immediate.cc",
        _IMMEDIATE,
        modes = ["par"],
    ),
}
