"""The software Portals: what calls answer, and how long they wait before."""

from mutants.base import mutant


def _rules(name):
    return f"//portals/rules:{name}_test"


mutant(
    "portals_unlink_waits_for_nobody", "portals/engine/append.cc",
    "if (flights() == 0 || NowNanos() >= end) return true;",
    "return true;",
    "//portals:append_test",
)
mutant(
    "portals_release_waits_for_nobody", "portals/api/memory_calls.cc",
    "  WaitOutPending(md_handle);\n",
    "",
    "//portals/datagram:quiet_test",
)
mutant(
    "portals_volatile_of_any_length", "portals/api/request.h",
    "arguments.length > limits.max_volatile_size) {",
    "arguments.length > limits.max_msg_size) {",
    _rules("descriptors"),
)
mutant(
    "portals_small_limits_are_raised", "portals/api/limits.cc",
    "return std::min(wanted > 0 ? wanted : bounds.floor, most);",
    "return std::min(std::max(wanted, bounds.floor), most);",
    _rules("init"),
)
mutant(
    "portals_failures_end_no_wait", "portals/api/counter_calls.cc",
    "return value.success >= test || value.failure != 0;",
    "return value.success + value.failure >= test;",
    _rules("counters"),
)
mutant(
    "portals_freed_before_it_was_aborted", "portals/api/wait.h",
    "return GetLibrary().IsAborted() ? PTL_ABORTED : PTL_ARG_INVALID;",
    "return PTL_ARG_INVALID;",
    _rules("queues"),
)
