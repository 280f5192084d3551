"""The software Portals: matching, lists, queues, counters, memory."""

from mutants.base import mutant

_QUEUE = "//portals:event_queue_test"
_LOCK = "//portals:shared_lock_test"
_REGION = "//portals:region_test"
_DELIVER = "//portals:deliver_test"
_THREAD = "portals/datagram/transport_thread.cc"
_TEST = "//portals/datagram:progress_test"
_APPEND = "//portals:append_test"
_COUNTER = "//portals:counter_test"
_CORRUPTED = "//portals/robustness:corrupted_test"


def _rules(name):
    return f"//portals/rules:{name}_test"


def _robustness(name):
    return f"//portals/robustness:{name}_test"


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
    "portals_full_queue_takes_more", "portals/engine/event_queue.cc",
    "return wanted - eq.head_seen <= UsableBy(eq);",
    "return wanted - eq.head_seen <= 2 * UsableBy(eq);",
    _QUEUE, _rules("queues"),
)
mutant(
    "portals_number_given_again_is_the_same", "portals/engine/process.cc",
    "if (stat.process != process) return Life::kOver;",
    "if (stat.process == 0) return Life::kOver;",
    _LOCK,
)
mutant(
    "portals_acks_of_nobody", "portals/api/initiate.cc",
    "if (request.ack == PTL_NO_ACK_REQ) return;",
    "if (request.ack != PTL_ACK_REQ) return;",
    _rules("events"),
)
mutant(
    "portals_iovec_begins_anew", "portals/memory/extent.cc",
    "offset -= element.length;",
    "offset = 0;",
    _rules("data"),
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
    "portals_sleeps_for_ever", "portals/api/wait.h",
    "const int64_t most = fenced ? kLookInterval :",
    "const int64_t most = fenced ? 1000 * kLookInterval :",
    _robustness("peers"),
)
mutant(
    "portals_sleeper_that_is_woken_resumes_nothing", "portals/api/wait.h",
    "          kLookInterval) {",
    "          kLookInterval &&\n"
    "          bell.epoch.load(std::memory_order_relaxed) == seen) {",
    _robustness("resumed"),
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
    "portals_late_ones_overtake", "portals/api/held_back.cc",
    "std::list<Held>& list = alone ? store.apart : store.in_order;",
    "std::list<Held>& list = store.apart;",
    _robustness("faults"),
)
mutant(
    "portals_unlinks_what_has_the_slot_now", "portals/engine/append.cc",
    "if (!EntryRef::IsLive(ref, entry.slot)) {",
    "if (entry.slot.phase() != RecordPhase::kLive) {",
    "//portals:append_test",
)
mutant(
    "portals_any_fini_forgets", "portals/api/library.cc",
    "      uses_.fetch_sub(1, std::memory_order_acq_rel) > 1) {\n    return;",
    "      uses_.fetch_sub(1, std::memory_order_acq_rel) > 1) {\n"
    "    if (Carrier* const carrier = GetCarrier()) carrier->Forget();\n"
    "    return;",
    _robustness("datagrams"),
)

mutant(
    "portals_unlink_waits_for_nobody", "portals/engine/append.cc",
    "if (flights() == 0 || NowNanos() >= end) return true;",
    "return true;",
    "//portals:append_test",
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
    "portals_thread_does_not_stand_in", _THREAD,
    "NowNanos() - last < kStandInFor;",
    "NowNanos() < last;",
    _TEST,
)

mutant(
    "portals_door_opens_for_all_users", "portals/memory/door.cc",
    "peer.uid == geteuid();",
    "true;",
    _robustness("shut"),
)

mutant(
    "portals_triggers_beyond_their_descriptor", "portals/api/triggers.cc",
    "       !internal::Holds(*request.put_md, operation.source_offset,\n"
    "                        operation.length))) {",
    "       request.put_md->length == 0)) {",
    _CORRUPTED,
)
mutant(
    "portals_search_stops_at_what_is_under_way", "portals/engine/append.cc",
    "        from = header.next.load(std::memory_order_relaxed);\n"
    "        continue;\n",
    "        break;\n",
    _APPEND,
)
mutant(
    "portals_halves_of_two_values", "portals/engine/counter.h",
    "if (sets % 2 == 0 && ct.sets.load(std::memory_order_seq_cst) == sets)",
    "if (sets != ~0U)",
    _COUNTER,
)
mutant(
    "portals_elements_need_not_be_there", "portals/api/entry_calls.cc",
    "  if (!interface.allows_inaccessible() &&\n"
    "      !ArePresent(interface, elements, access)) {",
    "  if (access != Access::kRead && access != Access::kWrite) {",
    "//portals/rules:objects_test",
)
mutant(
    "portals_lines_given_back_as_tables_say", "portals/api/queue_calls.cc",
    "    eq.interface->events.Give(lines.mapped());",
    "    eq.interface->events.Give(\n"
    "        {eq->ring, portals4::QueueLines(eq->slots)});",
    _CORRUPTED,
)
mutant(
    "portals_elements_given_back_as_tables_say", "portals/api/memory_calls.cc",
    "    md.interface->iovs.Give(iov.mapped());",
    "    md.interface->iovs.Give({md->iov - 1, md->iov_count});",
    _CORRUPTED,
)
mutant(
    "portals_helper_ends_when_anybody_says_so", "portals/memory/help.cc",
    "    if (asked == desk.answered.load(std::memory_order_relaxed)) {",
    "    if ((asked & HelpDesk::kClosed) != 0) return;\n"
    "    if (asked == desk.answered.load(std::memory_order_relaxed)) {",
    _robustness("overwritten"),
)
mutant(
    "portals_overwritten_request_is_waited_for", "portals/memory/help.cc",
    "return now != asked || (now & HelpDesk::kClosed) != 0;",
    "return now != asked + 1 && (now & HelpDesk::kClosed) != 0;",
    "//portals:help_test",
)
mutant(
    "portals_any_mutex_is_unlocked", "portals/memory/life.cc",
    "IsStillHeld(header.life, held) && IsListed(header.life) &&",
    "IsStillHeld(header.life, held) && held.__data.__owner != 0 &&",
    _robustness("overwritten"),
)
mutant(
    "portals_tables_shrink", "portals/memory/region.cc",
    "F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL",
    "F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SEAL",
    _robustness("overwritten"),
)
mutant(
    "portals_flights_without_a_record_are_waited_for",
    "portals/api/table_calls.cc",
    "portals4::HasFlight(own.view, pt));",
    "&own != nullptr);",
    _robustness("overwritten"),
)
