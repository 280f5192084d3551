"""Rows about GASNet-EX's objects, messages and programs of both interfaces.

Like table.bzl, of which it is a part, this is read as Python too.
"""

load(
    "//conformance:rows.bzl",
    "death_cases",
    "ex_test",
    "exit_cases",
    "job_test",
    "misuse_test",
    "passes",
    "test",
)

def _of_job(source, **kwargs):
    """A row for what is the same on the reference extended API."""
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
    "ex_exit": _of_job("ex/exit.cc", ranks = [1, 3], cases = exit_cases(42, _EXITS)),
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
    "ex_token_info": _of_job("ex/token_info.cc"),

}

# From each case to what the message must match.
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
    "ex_fatal": job_test("ex/fatal.cc", cases = death_cases(_FATAL), ranks = [2]),
    "ex_misuse": misuse_test("ex/misuse.cc", _MISUSE, modes = ["par"]),
    "ex_misuse_immediate": misuse_test(
        "ex/misuse_immediate.cc",
        _IMMEDIATE,
        modes = ["par"],
    ),
}
