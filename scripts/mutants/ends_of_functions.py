"""Mistakes at the edge of a client's functions and threads: what leaves a handler,
a cancelled thread, a plugin that is closed, a process that dumps core."""

from mutants.base import mutant, row, udp

mutant(
    "exception_passes_through", "core/am/dispatcher.h",
    "      RefuseUnwinding(\"handler\", token.index, token.handler);",
    "      throw;",
    row("am_handler_unwound"),
)
mutant(
    "exception_of_a_reduction_passes_through", "coll/combine.cc",
    "      RefuseUnwinding(\"reduction function\",\n"
    "                      how_->name & ~Reduction::kFunctionName,\n"
    "                      reinterpret_cast<void (*)()>(how_->function));",
    "      throw;",
    "//coll:engine_parts_test_par",
)
mutant(
    "asleep_is_a_cancellation_point", "core/network/readable.cc",
    "  const NoCancellation asleep;\n",
    "",
    udp("threads_cancelled"),
)
mutant(
    "sends_are_cancellation_points", "core/datagram/socket_port.cc",
    "syscall(SYS_sendmmsg, fd, headers, count, 0)",
    "sendmmsg(fd, headers, count, 0)",
    udp("threads_cancelled"),
)
mutant(
    "cancelled_in_libfabric", "conduits/ofi/domain_lock.h",
    "    if (got) cancellation_before_ = ForbidCancellation();\n",
    "",
    "//conduits/ofi:domain_lock_test",
)
mutant(
    "plugin_goes", "job/stay_loaded.cc",
    "RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE",
    "RTLD_LAZY | RTLD_NOLOAD | RTLD_LOCAL",
    "//export/testing:plugin_test",
)
mutant(
    "peers_in_the_core", "core/hostshm/segments.cc",
    "        LeaveOutOfCore(at, bytes);\n",
    "",
    "//tools/gasnetrun/testing:core_test",
)
mutant(
    "holes_in_the_core", "base/core_dump.cc",
    "    used = hole;",
    "    used = end;",
    "//base:core_dump_test",
)
mutant(
    "dump_is_not_seen", "job/launch/process_status.cc",
    "    if (key == \"CoreDumping:\") return status >> value && value == \"1\";",
    "    if (key == \"CoreDumping:\") return status >> value && value == \"2\";",
    "//job/launch:process_status_test",
)
mutant(
    "segment_before_the_threads_memory", "job/monitor.cc",
    "  TakeMemory();\n  const",
    "  has_memory.store(1, std::memory_order_release);\n"
    "  FutexWake(has_memory, 1);\n  const",
    row("job_memory_limit"),
)
mutant(
    "overflow_of_a_thread_is_silent", "core/thread/thread_state.cc",
    "  current->crash_stack.Begin();\n",
    "",
    "//core/thread:thread_test_par",
)
