"""Mistakes at the edge of a client's functions and threads: exceptions that leave a
handler, a cancelled thread, a plugin that is closed, a process that dumps core."""

from mutants.base import mutant, row, udp

mutant(
    "exception_passes_through", "core/am/dispatcher.h",
    "      RefuseUnwinding(\"handler\", token.index, token.handler);",
    "      throw;",
    row("am_handler_unwound"),
)
mutant(
    "exception_of_a_reduction_passes_through", "coll/combine.cc",
    "    RefuseUnwinding(\"reduction function\",\n"
    "                    how_->name & ~Reduction::kFunctionName,\n"
    "                    reinterpret_cast<void (*)()>(how_->function));",
    "    throw;",
    "//coll:engine_parts_test_par",
)
mutant(
    "asleep_is_a_cancellation_point", "core/network/readable.cc",
    "  const NoCancellation asleep;\n",
    "",
    udp("threads_cancelled"),
)
mutant(
    "receives_are_cancellation_points", "core/datagram/socket_port.cc",
    "syscall(SYS_recvfrom, fd, ",
    "recvfrom(fd, ",
    udp("threads_cancelled"),
)
mutant(
    "plugin_goes", "job/stay_loaded.cc",
    "dlopen(name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE)",
    "return",
    "//export/testing:plugin_test",
)
mutant(
    "peers_in_the_core", "core/hostshm/shared_mapping.cc",
    "    LeaveOutOfCore(base_, bytes_);\n",
    "",
    "//tools/gasnetrun/testing:core_test",
)
