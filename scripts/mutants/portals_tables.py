"""The software Portals: what its tables say, and who else may have written it."""

from mutants.base import mutant

_APPEND = "//portals:append_test"
_COUNTER = "//portals:counter_test"
_CORRUPTED = "//portals/robustness:corrupted_test"

mutant(
    "portals_triggers_of_no_datatype", "portals/api/triggers.cc",
    "  if (!IsSound(request, operation)) return;\n",
    "",
    _CORRUPTED,
)
mutant(
    "portals_triggers_beyond_their_descriptor", "portals/api/triggers.cc",
    "       !internal::Holds(*request.put_md, operation.source_offset,\n"
    "                        operation.length))) {",
    "       request.put_md->length == 0)) {",
    _CORRUPTED,
)
mutant(
    "portals_watcher_where_there_is_none", "core/hostshm/wake_socket.cc",
    "  if (fd < 0) return;\n",
    "",
    _CORRUPTED,
)
mutant(
    "portals_appends_to_what_is_free", "portals/engine/append.cc",
    "if (pt.state.load(std::memory_order_relaxed) == PtRecord::kFree) {",
    "if (false) {",
    _APPEND, "//portals/rules:triggered_test",
)
mutant(
    "portals_search_stops_at_what_is_under_way", "portals/engine/append.cc",
    "        from = header.next.load(std::memory_order_relaxed);\n"
    "        continue;\n",
    "        break;\n",
    _APPEND,
)
mutant(
    "portals_iovecs_have_one_lock", "portals/engine/move.cc",
    "return WithinUnit(element.start + offset, element.length - offset);",
    "return WithinUnit(0, element.length - offset);",
    "//portals:move_test",
)
mutant(
    "portals_elements_share_a_lock", "portals/engine/move.cc",
    "return WithinUnit(element.start + offset, element.length - offset);",
    "return WithinUnit(element.start + offset, kAtomicUnit);",
    "//portals:move_test",
)
mutant(
    "portals_halves_of_two_values", "portals/engine/counter.h",
    "if (sets % 2 == 0 && ct.sets.load(std::memory_order_seq_cst) == sets)",
    "if (sets != ~0U)",
    _COUNTER,
)
mutant(
    "portals_setters_at_once", "portals/engine/counter.cc",
    "    const Holding holding(ct.lock);\n"
    "    // It is odd already if one died at it.\n",
    "",
    _COUNTER,
)
mutant(
    "portals_dead_setter_is_waited_for", "portals/engine/counter.cc",
    "ct.sets.load(std::memory_order_relaxed) | 1;",
    "ct.sets.load(std::memory_order_relaxed) + 1;",
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
    "portals_ring_of_triggers_runs_for_ever", "portals/engine/trigger.cc",
    "left > 0 && most > 0;\n       --left, --most) {",
    "most > 0;\n       --most) {",
    "//portals:trigger_test",
)
mutant(
    "portals_headers_that_stay_are_cleared_for_ever",
    "portals/engine/append.cc",
    "         left > 0 && own.view.UnexpectedAt(pt.headers.head) != nullptr;\n"
    "         --left) {",
    "         left > 0 && own.view.UnexpectedAt(pt.headers.head) != nullptr;) {",
    _APPEND,
)
mutant(
    "portals_entries_are_trusted_by_their_records", "portals/engine/entries.cc",
    "? Extent::Trust::kLook",
    "? Extent::Trust::kTrusted",
    _CORRUPTED,
)
