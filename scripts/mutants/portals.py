"""The software Portals: matching, lists, queues, counters, memory."""

from mutants.base import mutant


def _rules(name):
    return f"//portals/rules:{name}_test"


def _robustness(name):
    return f"//portals/robustness:{name}_test"


_QUEUE = "//portals:event_queue_test"
_LOCK = "//portals:shared_lock_test"
_POOL = "//portals:pool_test"
_FLIGHT = "//portals:flight_test"
_TRIGGER = "//portals:trigger_test"
_REGION = "//portals:region_test"
_DELIVER = "//portals:deliver_test"

mutant(
    "portals_ignored_bits_matter", "portals/api/entry_calls.cc",
    "entry.care_bits = ~me.ignore_bits;",
    "entry.care_bits = ~uint64_t{0};",
    _rules("matching"),
)
mutant(
    "portals_overflow_before_priority", "portals/engine/claim.cc",
    "claim.entry = FindEntry(target.view, pt.lists[PTL_PRIORITY_LIST], operation);",
    "claim.entry = FindEntry(target.view, pt.lists[PTL_OVERFLOW_LIST], operation);",
    _rules("overflow"), _rules("matching"),
)
mutant(
    "portals_local_offset_stays", "portals/engine/claim.cc",
    "entry.offset += claim.mlength;",
    "entry.offset += 0;",
    _rules("matching"),
)
mutant(
    "portals_use_once_used_again", "portals/engine/claim.cc",
    "if (Has(entry, PTL_ME_USE_ONCE)) return true;",
    "if (Has(entry, PTL_ME_USE_ONCE)) return false;",
    _rules("matching"),
)
mutant(
    "portals_drops_are_not_counted", "portals/engine/claim.cc",
    "  view.Register(index).fetch_add(1, std::memory_order_relaxed);\n",
    "",
    _rules("objects"), _rules("init"),
)
mutant(
    "portals_full_queue_takes_more", "portals/engine/event_queue.cc",
    "return wanted - eq.head_seen <= UsableBy(eq);",
    "return wanted - eq.head_seen <= 2 * UsableBy(eq);",
    _QUEUE, _rules("queues"),
)
mutant(
    "portals_loss_not_told", "portals/engine/event_queue.cc",
    "return lost ? Taken::kAfterLoss : Taken::kEvent;",
    "return Taken::kEvent;",
    _QUEUE,
)
mutant(
    "portals_closed_queue_still_written", "portals/engine/event_queue.cc",
    "  eq.slot.Become(Phase::kFree);\n",
    "",
    _QUEUE,
)
mutant(
    "portals_dead_holder_never_buried", "portals/engine/shared_lock.cc",
    "const uint64_t then = dead == DeadHolder::kBreak ? kBroken : ThisProcess();",
    "const uint64_t then = ThisProcess();",
    _LOCK,
)
mutant(
    "portals_number_given_again_is_the_same", "portals/engine/process.cc",
    "if (stat.process != process) return Life::kOver;",
    "if (stat.process == 0) return Life::kOver;",
    _LOCK,
)
mutant(
    "portals_pool_gives_too_much", "portals/engine/pool.h",
    "if (slot == 0 || slot > limit) return 0;",
    "if (slot == 0) return 0;",
    _POOL,
)
mutant(
    "portals_pool_looks_for_ever", "portals/engine/pool.h",
    "for (int tries = 0; tries < kPoolTries; ++tries) {",
    "for (;;) {",
    _POOL,
)
mutant(
    "portals_thresholds_out_of_order", "portals/engine/trigger.cc",
    "at->threshold > record.threshold",
    "at->threshold < record.threshold",
    _rules("triggered"),
)
mutant(
    "portals_due_too_late", "portals/engine/counter.h",
    "ValueOf(ct).total() >= due_at",
    "ValueOf(ct).total() > due_at",
    _rules("triggered"),
)
mutant(
    "portals_swap_compares_the_other_way", "portals/engine/arithmetic.cc",
    "return operand < target;",
    "return operand > target;",
    _rules("atomics"),
)
mutant(
    "portals_acks_of_nobody", "portals/api/initiate.cc",
    "if (request.ack == PTL_NO_ACK_REQ) return;",
    "if (request.ack != PTL_ACK_REQ) return;",
    _rules("events"),
)
mutant(
    "portals_descriptor_has_no_end", "portals/api/request.h",
    "return offset <= md.length && length <= md.length - offset;",
    "return offset <= md.length;",
    _rules("data"),
)
mutant(
    "portals_iovec_begins_anew", "portals/memory/extent.cc",
    "offset -= element.length;",
    "offset = 0;",
    _rules("data"),
)
mutant(
    "portals_headers_kept_after_append", "portals/engine/append.cc",
    "    if (entry->headers > 0) --entry->headers;\n",
    "",
    _rules("overflow"),
)
mutant(
    "portals_turns_are_not_kept", "portals/datagram/target.cc",
    "if (record.turn != NextTurn(turn)) return Verdict::kNotNow;",
    "",
    _rules("data"),
)
mutant(
    "portals_parts_beyond_their_operation", "portals/datagram/record.cc",
    "if (record.offset > whole || "
    "record.bytes.size() > whole - record.offset) {",
    "if (record.offset > whole) {",
    "//portals/datagram:record_test",
)
mutant(
    "portals_lost_rank_is_waited_for", "portals/datagram/transport.cc",
    "    initiator_.Lose(rank);\n",
    "",
    "//portals/robustness:datagrams_test",
)
mutant(
    "portals_ended_by_the_part_before_the_last", "portals/datagram/target.cc",
    "arriving.arrived += record.bytes.size();",
    "arriving.arrived += record.bytes.size() + 1;",
    _rules("data"),
)
mutant(
    "portals_thread_does_not_wake_for_packets",
    "portals/datagram/transport_thread.cc",
    "ppoll(sources, 2,",
    "ppoll(sources + 1, 1,",
    "//portals/robustness:datagrams_test",
)
mutant(
    "portals_quiet_puts_are_answered", "portals/datagram/initiator.cc",
    "      return OperationRecord::kQuiet;\n",
    "      return OperationRecord::kAsks;\n",
    "//portals/datagram:quiet_test",
)
mutant(
    "portals_receipts_do_not_ride", "portals/datagram/outbox.cc",
    "  if (receipts_.CountOf(rank) > 0) AddReceipts(channel, *place.packet);\n",
    "",
    "//portals/datagram:outbox_test", "//portals/datagram:quiet_test",
)
mutant(
    "portals_receipts_have_no_bound", "portals/datagram/target.cc",
    "!from.late.empty() || out_.OwesMost(rank)",
    "!from.late.empty()",
    "//portals/datagram:outbox_test",
)
mutant(
    "portals_quiet_failures_are_receipted", "portals/datagram/target.cc",
    "if (is_quiet && outcome.fail == PTL_NI_OK) {",
    "if (is_quiet) {",
    "//portals/datagram:quiet_test",
)
mutant(
    "portals_refusal_is_no_memory", "portals/memory/space.cc",
    "    if (moved < 0 && IsRefusal(errno)) {",
    "    if (moved > 0 && IsRefusal(errno)) {",
    _robustness("refused"),
)
mutant(
    "portals_helper_that_nobody_needs", "portals/api/interface.cc",
    "if (MayBeRefused()) helper_.Start();",
    "helper_.Start();",
    _robustness("refused"),
)
mutant(
    "portals_helper_when_it_is_too_late", "portals/engine/flight.cc",
    "    Helper::StartWhereWanted();\n    return false;",
    "    return false;",
    _robustness("refused"),
)
mutant(
    "portals_dead_runner_is_waited_for", "portals/api/counter_calls.cc",
    "  if (portals4::IsDue(*ct)) RunIfDue(ct, true);\n",
    "",
    _robustness("resumed"),
)
mutant(
    "portals_dead_runner_keeps_what_it_took", "portals/engine/trigger.cc",
    "      Abandon(owner.view, ct);\n",
    "",
    _robustness("resumed"),
)
mutant(
    "portals_sleeps_for_ever", "portals/api/wait.h",
    "const int64_t most = fenced ? kLookInterval :",
    "const int64_t most = fenced ? 1000 * kLookInterval :",
    _robustness("resumed"),
)
mutant(
    "portals_sleeper_resumes_nothing", "portals/api/wait.h",
    "        RunAbandonedTriggers(interface);\n",
    "",
    _robustness("resumed"),
)
mutant(
    "portals_sleeper_that_is_woken_resumes_nothing", "portals/api/wait.h",
    "          kLookInterval) {",
    "          kLookInterval &&\n"
    "          bell.epoch.load(std::memory_order_relaxed) == seen) {",
    _robustness("resumed"),
)
mutant(
    "portals_sleeper_ends_no_flights", "portals/api/wait.h",
    "        EndDeadFlights(interface.own());\n",
    "",
    _robustness("deaths"),
)
mutant(
    "portals_sleeper_accepts_nobody", "portals/api/wait.h",
    "        GetLibrary().AcceptLookers();\n",
    "",
    _robustness("peers"),
)
mutant(
    "portals_looker_accepts_nobody", "portals/api/library.cc",
    "  AcceptAll();\n  Region region",
    "  Region region",
    _robustness("peers"),
)
mutant(
    "portals_full_backlog_hides_its_owner", "portals/memory/region.cc",
    "if (process != kUntold) {",
    "if (process != 0) {",
    _REGION, _robustness("peers"),
)
mutant(
    "portals_first_that_has_the_file_is_the_owner", "portals/memory/region.cc",
    "      PidOf(header.owner) != process ||\n",
    "",
    _REGION,
)
mutant(
    "portals_listener_is_asked_each_time", "portals/memory/region.cc",
    "now - asked_ < kAskForListener && IsAlive(process_)",
    "now < asked_",
    _REGION,
)
mutant(
    "portals_life_is_asked_for_each_time", "portals/engine/deliver.cc",
    "age < uint64_t{kAliveFor}",
    "static_cast<int64_t>(age) < 0",
    _DELIVER,
)
mutant(
    "portals_dead_owner_lives_on", "portals/engine/deliver.cc",
    "age < uint64_t{kAliveFor}",
    "static_cast<int64_t>(age) >= 0",
    _DELIVER,
)
mutant(
    "portals_last_of_a_dead_runner_is_left", "portals/api/triggers.cc",
    "(has_runner || IsDue(ct))",
    "IsDue(ct)",
    _robustness("resumed"),
)
mutant(
    "portals_atomics_wait_under_the_entry", "portals/engine/move.cc",
    "patience == Patience::kNone ? lock.TryAcquire()\n"
    "                                      : lock.Acquire(DeadHolder::kTakeOver)",
    "lock.Acquire(DeadHolder::kTakeOver)",
    "//portals:move_test",
)
mutant(
    "portals_atomics_of_two_locks_at_once", "portals/engine/move.cc",
    "  return size <= PlaceAt(memory, offset).left &&\n",
    "  return ",
    "//portals:move_test",
)
mutant(
    "portals_late_ones_overtake", "portals/api/held_back.cc",
    "std::list<Held>& list = alone ? store.apart : store.in_order;",
    "std::list<Held>& list = store.apart;",
    _robustness("faults"),
)
mutant(
    "portals_late_ones_hold_up_others", "portals/api/held_back.cc",
    "  if (!owner.space.own() || SomethingWaits(owner, request.put_md) ||\n",
    "  if (!owner.space.own() ||\n",
    _robustness("faults"),
)
mutant(
    "portals_dead_poster_loses_its_event", "portals/engine/event_queue.cc",
    "    eq.tail.store(index + 1, std::memory_order_release);\n  }\n",
    "  }\n",
    _QUEUE,
)
mutant(
    "portals_queue_opened_under_its_takers", "portals/engine/event_queue.cc",
    "  const Holding takers(eq.taking);\n  eq.tail.store(0,",
    "  eq.tail.store(0,",
    _QUEUE,
)
mutant(
    "portals_taker_looks_once", "portals/engine/event_queue.cc",
    "  if (view.Eq(ref) == nullptr) return Taken::kNone;\n",
    "",
    _QUEUE,
)
mutant(
    "portals_broken_entry_keeps_its_room", "portals/engine/event_queue.cc",
    "if (pt.queue() == eq && !pt.lock.IsBroken()) sum += pt.reserved;",
    "if (pt.queue() == eq) sum += pt.reserved;",
    _QUEUE,
)
mutant(
    "portals_dead_flight_keeps_its_room", "portals/engine/flight.cc",
    "    if (reserved > 0) GiveBack(target.view, pt, reserved);\n",
    "",
    _FLIGHT,
)
mutant(
    "portals_flight_before_it_is_written_down", "portals/engine/flight.cc",
    "  flight.pt.store(0, std::memory_order_relaxed);\n",
    "",
    _FLIGHT,
)
mutant(
    "portals_due_as_the_dead_left_it", "portals/engine/trigger.cc",
    "  // It may be of what was taken.\n  UpdateDue(view, ct);\n",
    "",
    _TRIGGER,
)
mutant(
    "portals_dead_runner_gives_back_what_is_in_the_list",
    "portals/engine/trigger.cc",
    "if (!IsInList(view, ct, slot)) Dispose(view, ct, slot);",
    "Dispose(view, ct, slot);",
    _TRIGGER,
)
mutant(
    "portals_unlinks_what_has_the_slot_now", "portals/engine/append.cc",
    "if (!EntryRef::IsLive(ref, entry.slot)) {",
    "if (entry.slot.phase() != Phase::kLive) {",
    "//portals:append_test",
)
mutant(
    "portals_failed_mapping_is_for_ever", "portals/memory/space.cc",
    "return std::has_single_bit(before) || before % kMostUsesUnmapped == 0;",
    "return before == 0;",
    "//portals:space_test",
)
mutant(
    "portals_any_fini_forgets", "portals/api/library.cc",
    "      uses_.fetch_sub(1, std::memory_order_acq_rel) > 1) {\n    return;",
    "      uses_.fetch_sub(1, std::memory_order_acq_rel) > 1) {\n"
    "    if (GetCarrier() != nullptr && GetCarrier()->forget != nullptr)\n"
    "      GetCarrier()->forget();\n    return;",
    _robustness("datagrams"),
)
