"""The part of the suite that does what the specification forbids.

Like table.bzl, of which it is a part, this is read as Python too.
"""

# From each case of a program to what the message must match: the name of the
# call, unless the mistake is no single call.
FATAL = {
    "unregistered_short": "index 222.* Short request from rank 0",
    "unregistered_medium": "index 222.* Medium request from rank 0",
    "unregistered_long": "index 222.* Long request from rank 0",
    "unregistered_reply": "index 222.* Short reply from rank [02]",
    "unregistered_low_index": "index 130.* Short request from rank 0",
    "unregistered_last_index": "index 255.* Short request from rank 0",
    "notify_twice": "gasnet_barrier_notify",
    "wait_without_notify": "gasnet_barrier_wait",
    "try_without_notify": "gasnet_barrier_try",
    "wait_twice": "gasnet_barrier_wait",
    "try_after_wait": "gasnet_barrier_try",
    "wait_after_try": "gasnet_barrier_wait",
}

LOCKS = {
    "lock_twice": "gasnet_hsl_lock",
    "try_twice": "gasnet_hsl_trylock",
    "unlock_in_wrong_order": "gasnet_hsl_unlock",
    "unlock_without_lock": "gasnet_hsl_unlock",
    "destroy_locked": "gasnet_hsl_destroy",
    "hold_twice": "gasnet_hold_interrupts",
    "resume_without_hold": "gasnet_resume_interrupts",
    "handler_keeps_lock": "handler.*lock",
    "reply_with_lock": "gasnet_AMReplyShort",
}

# What is told once a process, and goes on.
WARNINGS = {
    "initialise_twice": "gasnet_hsl_init: the lock at .* already",
    "hold_lock_long": "gasnet_hsl_unlock: the lock at .* for [1-9].* s;",
    "hold_interrupts_long": "gasnet_resume_interrupts: .* lasted [1-9].* s;",
}

MESSAGES = {
    "request_in_handler": "gasnet_AMRequestShort",
    "medium_request_in_handler": "gasnet_AMRequestMedium",
    "poll_in_handler": "gasnet_AMPoll",
    "block_in_handler": "GASNET_BLOCKUNTIL|gasnet_AMPoll",
    "block_done_in_handler": "GASNET_BLOCKUNTIL",
    "wait_for_nothing_in_handler": "gasnet_wait_syncnb",
    "put_in_handler": "gasnet_put",
    "get_in_handler": "gasnet_get",
    "put_val_in_handler": "gasnet_put_val",
    "memset_in_handler": "gasnet_memset",
    "notify_in_handler": "gasnet_barrier_notify",
    "reply_twice": "gasnet_AMReplyShort",
    "reply_to_reply": "gasnet_AMReplyShort",
    "request_in_section": "gasnet_AMRequestShort",
    "medium_request_in_section": "gasnet_AMRequestMedium",
    "poll_in_section": "gasnet_AMPoll",
    "put_in_section": "gasnet_put",
    "get_in_section": "gasnet_get",
    "request_with_lock": "gasnet_AMRequestShort",
    "poll_with_lock": "gasnet_AMPoll",
    "put_with_lock": "gasnet_put",
    "get_with_lock": "gasnet_get",
}

ARGUMENTS = {
    "request_to_no_node": "gasnet_AMRequestMedium",
    "put_to_no_node": "gasnet_put",
    "get_from_no_node": "gasnet_get",
    "memset_no_node": "gasnet_memset",
    "put_val_to_no_node": "gasnet_put_val",
    "get_val_from_no_node": "gasnet_get_val",
    "large_medium": "gasnet_AMRequestMedium",
    "large_long": "gasnet_AMRequestLong",
    "large_long_async": "gasnet_AMRequestLongAsync",
    "large_medium_reply": "gasnet_AMReplyMedium",
    "large_long_reply": "gasnet_AMReplyLong",
    "put_val_of_no_bytes": "gasnet_put_val",
    "put_val_of_many_bytes": "gasnet_put_val",
    "get_val_of_no_bytes": "gasnet_get_val",
    "get_val_of_many_bytes": "gasnet_get_val",
    "long_before": "gasnet_AMRequestLong",
    "long_across_end": "gasnet_AMRequestLong",
    "long_reply_outside": "gasnet_AMReplyLong",
    "put_to_stack": "gasnet_put",
    "put_before": "gasnet_put",
    "put_across_end": "gasnet_put",
    "put_of_wrapping_size": "gasnet_put_bulk",
    "put_nb_outside": "gasnet_put_nb_bulk",
    "put_nbi_outside": "gasnet_put_nbi",
    "get_outside": "gasnet_get",
    "get_nb_outside": "gasnet_get_nb",
    "memset_across_end": "gasnet_memset",
    "put_val_outside": "gasnet_put_val",
    "get_val_outside": "gasnet_get_val",
}

REGIONS = {
    "begin_twice": "gasnet_begin_nbi_accessregion",
    "end_without_begin": "gasnet_end_nbi_accessregion",
    "end_twice": "gasnet_end_nbi_accessregion",
    "wait_gets_inside": "gasnet_wait_syncnbi_gets",
    "wait_puts_inside": "gasnet_wait_syncnbi_puts",
    "wait_all_inside": "gasnet_wait_syncnbi_all",
    "try_gets_inside": "gasnet_try_syncnbi_gets",
    "try_puts_inside": "gasnet_try_syncnbi_puts",
    "try_all_inside": "gasnet_try_syncnbi_all",
}

HANDLES = {
    "wait_twice": "gasnet_wait_syncnb",
    "try_after_wait": "gasnet_try_syncnb",
    "twice_in_array": "gasnet_wait_syncnb_all",
    "wait_in_other_thread": "gasnet_wait_syncnb",
    "try_array_in_other_thread": "gasnet_try_syncnb_some",
}

COLLECTIVES = {
    "root_has_less": "nbytes 16 and OUT_ALLSYNC, the root.*nbytes 8 and",
    "root_has_more": "nbytes 8 and OUT_ALLSYNC, the root.*nbytes 16 and",
    "root_has_nothing": "nbytes 8 and OUT_MYSYNC.*the root.*nbytes 0 and",
    "root_does_not_wait": "and OUT_ALLSYNC, the root.*and OUT_MYSYNC or",
    "root_alone_waits": "and OUT_MYSYNC or.*, the root.*and OUT_ALLSYNC",
}

NAMES = {
    "before_init": "gasnet_coll_broadcast.*before gasnet_coll_init",
    "init_twice": "gasnet_coll_init.*twice",
    "several_images": "gasnet_coll_init.*images.*is 2",
    "wrong_image": "gasnet_coll_init.*my_image is 1",
    "no_functions": "gasnet_coll_init.*fn_tbl",
    "no_such_root": "gasnet_coll_broadcast.*srcimg is 2",
    "no_such_team": "gasnet_coll_broadcast.*team",
    "broadcast_with_lock": "gasnet_coll_broadcast.*lock",
    "too_many_arguments": "gasnet_AMRequestShort.*numargs is 17",
    "less_than_no_arguments": "gasnet_AMRequestMedium.*numargs is -1",
}

# What may not be called before gasnet_init, or not before gasnet_attach either.
EARLY = {
    "gasnet_init": [
        "gasnet_getMaxLocalSegmentSize",
        "gasnet_getMaxGlobalSegmentSize",
        "gasnet_getenv",
        "gasnet_AMMaxMedium",
        "gasnet_AMMaxLongRequest",
        "gasnet_AMMaxLongReply",
        "gasnet_set_waitmode",
        "GASNET_GET_THREADINFO",
    ],
    "gasnet_attach": [
        "gasnet_AMRequestShort0",
        "gasnet_AMRequestMedium0",
        "gasnet_AMRequestLong0",
        "gasnet_AMRequestLongAsync0",
        "gasnet_AMReplyShort0",
        "gasnet_AMReplyMedium0",
        "gasnet_AMReplyLong0",
        "gasnet_AMRequestShort",
        "gasnet_AMPoll",
        "gasnet_AMGetMsgSource",
        "GASNET_BLOCKUNTIL",
        "gasnet_get",
        "gasnet_put",
        "gasnet_get_bulk",
        "gasnet_put_bulk",
        "gasnet_memset",
        "gasnet_get_nb",
        "gasnet_put_nb",
        "gasnet_get_nb_bulk",
        "gasnet_put_nb_bulk",
        "gasnet_memset_nb",
        "gasnet_get_nbi",
        "gasnet_put_nbi",
        "gasnet_get_nbi_bulk",
        "gasnet_put_nbi_bulk",
        "gasnet_memset_nbi",
        "gasnet_put_val",
        "gasnet_put_nb_val",
        "gasnet_put_nbi_val",
        "gasnet_get_val",
        "gasnet_get_nb_val",
        "gasnet_wait_syncnb_valget",
        "gasnet_wait_syncnb",
        "gasnet_try_syncnb",
        "gasnet_wait_syncnb_all",
        "gasnet_try_syncnb_all",
        "gasnet_wait_syncnb_some",
        "gasnet_try_syncnb_some",
        "gasnet_wait_syncnbi_gets",
        "gasnet_wait_syncnbi_puts",
        "gasnet_wait_syncnbi_all",
        "gasnet_try_syncnbi_gets",
        "gasnet_try_syncnbi_puts",
        "gasnet_try_syncnbi_all",
        "gasnet_begin_nbi_accessregion",
        "gasnet_end_nbi_accessregion",
        "gasnet_barrier_notify",
        "gasnet_barrier_wait",
        "gasnet_barrier_try",
        "gasnet_barrier",
        "gasnet_barrier_result",
        "gasnet_coll_init",
        "gasnet_coll_broadcast",
    ],
}

# The same, in a build with checks: elsewhere they are loads.
EARLY_INLINED = {
    "gasnet_init": [
        "gasnet_mynode",
        "gasnet_nodes",
    ],
    "gasnet_attach": [],
}
