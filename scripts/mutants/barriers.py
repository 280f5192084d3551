"""Mistakes in barriers."""

from mutants.base import mutant, row

BARRIERS = "extended/barriers.h"
CALLS = "extended/barrier_calls.h"

mutant(
    "barrier_value_ignored", CALLS,
    "(wait.flags != 0 || wait.vote.id == notify.vote.id);",
    "(wait.flags >= 0 || wait.vote.id == notify.vote.id);",
    row("barrier_mismatch"),
)
mutant(
    "second_notify_starts_a_phase", BARRIERS,
    "    if (notified_) [[unlikely]]\n",
    "    if (notified_ && call.vote.id == -1) [[unlikely]]\n",
    row("barrier_second_notify"),
)
mutant(
    "different_names_agree", "core/barrier_vote.h",
    "a.mismatch || b.mismatch || (a.named && b.named && a.id != b.id),",
    "a.mismatch || b.mismatch,",
    row("barrier_mismatch"),
)
mutant(
    "barrier_last_rank_not_awaited", "core/hostshm/barrier.h",
    "for (; seen_ < layout_.ranks(); ++seen_) {",
    "for (; seen_ + 1 < layout_.ranks(); ++seen_) {",
    row("barrier_order"),
)
mutant(
    "barrier_wakes_nobody", "core/hostshm/barrier.h",
    "if (Done()) link_.RingAll();",
    "static_cast<void>(Done());",
    row("threads_waitmode"),
)
mutant(
    "dissemination_a_step_short", "extended/barrier_dissemination.h",
    "steps_(std::bit_width(size - 1))",
    "steps_(std::bit_width((size - 1) / 2))",
    "//extended:barrier_state_test_par",
)
mutant(
    "central_one_vote_short", "extended/barrier_central.h",
    "if (count_ != others) return false;",
    "if (count_ + 1 < others) return false;",
    "//extended:barrier_state_test_par",
)
mutant(
    "notify_waits_for_all", BARRIERS,
    "    barrier_->Notify(call.vote);\n",
    "    barrier_->Notify(call.vote);\n"
    "    runtime->engine().WaitUntil([this] { return IsDone(); });\n",
    row("barrier_notify_returns"),
)
mutant(
    "arrival_rings_nobody", "core/hostshm/arrivals.h",
    "if (is_complete) link_.RingAll();",
    "",
    "//core/hostshm:threads_test_par",
)
mutant(
    "arrivals_of_one_rank_do_not_count", "core/hostshm/arrivals.h",
    "uint32_t rank = seen.load(std::memory_order_acquire);",
    "uint32_t rank = seen.load(std::memory_order_acquire) + 1;",
    "//core/hostshm:threads_test_par",
)
mutant(
    "record_of_a_barrier_under_way_is_reused", "ex/host_barriers.h",
    "if (slot.is_used.load(std::memory_order_acquire)) {",
    "if (false) {",
    "//ex:host_barriers_test_par",
)
mutant(
    "last_at_blocking_barrier_serves_nobody", "export/ex/coll.cc",
    "gasnet::extended::Front::Wait(kCall, BeginBarrier(kCall, tm, flags));",
    "const gex_Event_t event = BeginBarrier(kCall, tm, flags);\n"
    "  if (event != nullptr) gasnet::extended::Front::Wait(kCall, event);",
    row("ex_coll_barrier"),
)
