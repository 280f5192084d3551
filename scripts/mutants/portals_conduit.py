"""The portals conduit: messages, their room, refusals, halves of Longs."""

from mutants.base import mutant

_ARRIVED = "//conduits/portals:arrived_test_par"
_RECOVERY = "//conduits/portals:recovery_test_par"
_LOCAL = "//conduits/portals:local_memory_test"
_BUFFERS = "//conduits/portals:request_buffers_test"
_GIVES_BACK = "//conduits/portals/testing/jobs:gives_back_test"
_JOBS = "//conduits/portals/testing/jobs:"
_BARRIERS = "//conduits/portals/testing/jobs:barriers_test"
_FUZZED = "//conduits/portals:message_fuzzer_test"
_MESSAGES = "//conduits/portals:messages_test"
_NETWORK = "//conduits/portals:network_test"
_SEGMENT = "//conduits/portals:segment_test"
_SLOT = "//conduits/portals:request_slot_test_par"

# --- The layout of messages ---

mutant(
    "portals_long_written_outside_of_the_segment",
    "conduits/portals/arrived.cc",
    "if (arrived.nbytes > 0 &&\n      !segment.Contains(arrived.payload, arrived.nbytes)) {",
    "if (arrived.nbytes > 0 &&\n      !segment.Contains(arrived.payload, 1)) {",
    _ARRIVED,
)
mutant(
    "portals_message_of_any_length", "conduits/portals/arrived.cc",
    "if (layout.end != nbytes) return",
    "if (layout.end > kMaxPayload) return",
    _ARRIVED,
)

# --- Room ---

mutant(
    "portals_buffer_is_refreshed_too_early",
    "conduits/portals/request_buffers.cc",
    "Count(buffer, is_last ? bytes - end - 1 : bytes);",
    "Count(buffer, is_last ? -1 : 0);",
    _BUFFERS,
)

# --- Refusals ---

mutant(
    "portals_every_refusal_is_told", "conduits/portals/pauses.h",
    "return !refuser.paused.exchange(true, std::memory_order_relaxed);",
    "refuser.paused.store(true, std::memory_order_relaxed);\n    return true;",
    _RECOVERY,
)
mutant(
    "portals_opens_without_room", "conduits/portals/gate.h",
    "      if (!has_room) return {};\n",
    "",
    _RECOVERY,
)

# --- Local memory that no descriptor covers ---

mutant(
    "portals_put_beyond_its_window", "conduits/portals/windows.h",
    "return std::min<size_t>(nbytes, end - offset);",
    "return end > offset ? nbytes : 0;",
    _LOCAL,
)

# --- Several hosts, and reports on them ---

mutant(
    "portals_waits_for_those_that_have_left", "portals/job/hand_over.cc",
    "return job.HasLeft(rank);",
    "return job.HasLeft(rank) && false;",
    _JOBS + "returns_test",
)
mutant(
    "portals_end_leaves_what_is_refused", "conduits/portals/drain.cc",
    "!messages_.requests().MayGoAgain(has_left)",
    "(messages_.requests().MayGoAgain(has_left) || true)",
    _JOBS + "leaves_test",
)
mutant(
    "portals_those_that_left_keep_chunks", "conduits/portals/requests.h",
    "if (any) ReleaseGivenUp();",
    "if (any && now < 0) ReleaseGivenUp();",
    _JOBS + "leaves_test",
)
mutant(
    "portals_looks_close_together_do_not_count", "conduits/portals/stall_watchdog.cc",
    "quiet_ += std::min(passed, kMaxOfLook);",
    "if (passed >= kMaxOfLook) quiet_ += kMaxOfLook;",
    "//conduits/portals:stall_watchdog_test_par",
)

# --- The barrier that Portals takes on its own ---

mutant(
    "portals_barrier_sends_before_it_knows", "conduits/portals/barrier.cc",
    "PTL_MAX, PTL_INT64_T, CounterOf(phase, step), CountOf(phase)),",
    "PTL_MAX, PTL_INT64_T, CounterOf(phase, step), CountOf(phase) - 1),",
    _BARRIERS,
)
mutant(
    "portals_barrier_over_a_count_early", "conduits/portals/barrier.cc",
    "return count.success >= CountOf(phase_);",
    "return count.success + 1 >= CountOf(phase_);",
    _BARRIERS,
)

# --- Resources that are given back ---

mutant(
    "portals_put_keeps_its_op_slot", "conduits/portals/transfers.cc",
    "  if (has_op_slot) op_slots_.Give(1);\n",
    "  if (has_op_slot && !transfer.is_put) op_slots_.Give(1);\n",
    _GIVES_BACK,
)

# --- Messages of any bytes ---

mutant(
    "portals_long_header_with_a_payload_is_taken",
    "conduits/portals/arrived.cc",
    "if (has_payload && !HasPayload(header.shape)) {",
    "if (has_payload && header.shape == MessageShape::kShort) {",
    _FUZZED,
)
mutant(
    "portals_offer_of_any_length_is_taken", "conduits/portals/arrived.cc",
    "  if (arrived.nbytes == 0 || arrived.nbytes > kFetchedBytes) {",
    "  if (arrived.nbytes == 0) {",
    "//conduits/portals:arrived_test_par",
)
mutant(
    "portals_offer_ends_with_any_get", "conduits/portals/offers.h",
    "      if (rest == 0) PoolOf(index).Give(offer);",
    "      if (rest + 1 > 0) PoolOf(index).Give(offer);",
    "//conduits/portals:offers_test",
)
mutant(
    "portals_long_of_any_place", "conduits/portals/arrived.cc",
    "if (arrived.nbytes > 0 &&\n      !segment.Contains(arrived.payload, arrived.nbytes)) {",
    "if (packed && arrived.nbytes > 0 &&\n      !segment.Contains(arrived.payload, arrived.nbytes)) {",
    _FUZZED,
)
mutant(
    "portals_segment_that_wraps_around", "core/segment.h",
    "return offset <= size && nbytes <= size - offset;",
    "return offset <= size && offset + nbytes <= size;",
    _FUZZED,
)

# --- Receive buffers ---

mutant(
    "portals_last_message_of_a_buffer_is_taken_for_one_of_many",
    "conduits/portals/request_buffers.cc",
    "static_cast<size_t>(end) > bytes_ - chunk_;",
    "static_cast<size_t>(end) > bytes_ - chunk_ / 2;",
    _BUFFERS,
)

# --- Events of an earlier use ---

mutant(
    "portals_late_event_is_of_the_use_now",
    "conduits/portals/request_slot.h",
    "return IsInFlight(use) && use / 2 % kTurns == TurnOf(user) ? use : 0;",
    "return IsInFlight(use) && TurnOf(user) < kTurns ? use : 0;",
    _MESSAGES,
)

mutant(
    "portals_put_of_a_later_use_goes_again", "conduits/portals/request_slot.h",
    "    if (use_.load(std::memory_order_relaxed) != use) return std::nullopt;\n",
    "",
    _SLOT,
)

# --- The order of a poll, and of the start ---

mutant(
    "portals_poll_takes_replies_first", "conduits/portals/network.cc",
    "  unsigned taken = PollSystem();\n  unsigned handled = PollSafe(&dispatcher, taken);\n",
    "  unsigned taken = 0;\n  unsigned handled = PollSafe(&dispatcher, taken);\n  taken += PollSystem();\n",
    _NETWORK,
)
mutant(
    "portals_poll_takes_requests_before_replies", "conduits/portals/network.cc",
    "  unsigned handled = PollSafe(&dispatcher, taken);\n  if (lanes == am::Lanes::kAll) handled += PollRequests(dispatcher, taken);\n",
    "  unsigned handled = 0;\n  if (lanes == am::Lanes::kAll) handled += PollRequests(dispatcher, taken);\n  handled += PollSafe(&dispatcher, taken);\n",
    _NETWORK,
)
mutant(
    "portals_poll_of_replies_takes_requests", "conduits/portals/network.cc",
    "  if (lanes == am::Lanes::kAll) handled += PollRequests(",
    "  if (lanes == am::Lanes::kAll || taken > 0) handled += PollRequests(",
    _NETWORK,
)
mutant(
    "portals_rank_is_taken_for_another", "conduits/portals/start.cc",
    "processes.push_back(all[rank].process);",
    "processes.push_back(all[job.rank()].process);",
    "//conformance:portals_par_fast_am_flood_short",
)
mutant(
    "portals_everything_is_exposed_where_it_cannot_be",
    "conduits/portals/start.cc",
    "(!IsEverything(mine) || interface.takes_everything());",
    "(!IsEverything(mine) || interface.most_bytes() > 0);",
    _NETWORK,
)

# --- The segment ---

mutant(
    "portals_segment_exposed_with_a_byte_more", "conduits/portals/start.cc",
    ": ptl_size_t{segment.size},",
    ": ptl_size_t{segment.size} + 1,",
    _SEGMENT,
)
mutant(
    "portals_segment_exposed_without_its_end", "conduits/portals/start.cc",
    ": ptl_size_t{segment.size},",
    ": ptl_size_t{segment.size} - 1,",
    _SEGMENT,
)
mutant(
    "portals_entry_of_longs_is_read", "conduits/portals/start.cc",
    "  entry.options = PTL_ME_OP_PUT;\n",
    "  entry.options = PTL_ME_OP_PUT | PTL_ME_OP_GET;\n",
    _SEGMENT,
)
