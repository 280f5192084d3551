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
