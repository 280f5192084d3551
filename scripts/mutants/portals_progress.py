"""The software Portals: who makes progress in the place of a program."""

from mutants.base import mutant

_THREAD = "portals/datagram/transport_thread.cc"
_TEST = "//portals/datagram:progress_test"

mutant(
    "portals_thread_does_not_stand_in", _THREAD,
    "NowNanos() - last < kStandInFor;",
    "NowNanos() < last;",
    _TEST,
)
mutant(
    "portals_thread_stands_in_for_who_computes", _THREAD,
    "GetLibrary().IsAsleep() &&",
    "",
    _TEST,
)
mutant(
    "portals_strangers_make_the_thread_stand_in", _THREAD,
    "if (self.statistics().packets_received != packets) last = NowNanos();",
    "if (self.statistics().packets_received >= packets) last = NowNanos();",
    _TEST,
)
mutant(
    "portals_pause_waits_for_the_stand_in", _THREAD,
    "pausing_.load(std::memory_order_relaxed) == 0 &&",
    "",
    _TEST,
)
mutant(
    "portals_sleepers_are_not_counted", "portals/api/wait.h",
    "  interface.sleepers.fetch_add(1, std::memory_order_relaxed);\n"
    "  LeaveToCarrier();\n"
    "  FutexWait(interface.view().header().doorbell.epoch, seen, left);\n"
    "  interface.sleepers.fetch_sub(1, std::memory_order_relaxed);\n",
    "  FutexWait(interface.view().header().doorbell.epoch, seen, left);\n",
    _TEST,
)
mutant(
    "portals_sleeper_leaves_the_socket_to_nobody", "portals/api/wait.h",
    "  LeaveToCarrier();\n",
    "",
    _TEST,
)
mutant(
    "portals_woken_program_counts_as_asleep", "portals/api/interface.h",
    "view().header().doorbell.armed.load(std::memory_order_relaxed) != 0;",
    "view().header().doorbell.armed.load(std::memory_order_relaxed) != 2;",
    _TEST,
)
mutant(
    "portals_every_look_polls", "portals/api/queue_calls.cc",
    "return looks++ % portals4::kLooksPerPoll == 0;",
    "return looks++ % 1 == 0;",
    _TEST,
)

_ASIDE = "portals/datagram/aside.cc"
_ASIDE_TEST = "//portals/datagram:aside_test"

mutant(
    "portals_thread_works_for_who_has_no_processor", _ASIDE,
    "absent_ >= kMostAbsent",
    "true",
    _ASIDE_TEST,
)
mutant(
    "portals_thread_naps_while_others_compute", _ASIDE,
    "if (seen.polls == 0 && (computes || absent_",
    "if (seen.polls == 0 && (absent_",
    _ASIDE_TEST,
)
