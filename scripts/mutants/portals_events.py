"""The portals conduit: messages of any bytes, and events in any order."""

from mutants.base import mutant

_FUZZED = "//conduits/portals:message_fuzzer_test"

# --- Messages of any bytes ---

mutant(
    "portals_cut_off_message_is_taken", "conduits/portals/arrived.cc",
    "if (layout.end != nbytes) return",
    "if (layout.end < nbytes) return",
    _FUZZED,
)
mutant(
    "portals_long_header_with_a_payload_is_taken",
    "conduits/portals/arrived.cc",
    "if (header.payload > 0 && !HasPayload(header.shape)) {",
    "if (header.payload > 0 && header.shape == Shape::kShort) {",
    _FUZZED,
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
mutant(
    "portals_fields_of_a_header_overlap", "conduits/portals/header.cc",
    "constexpr int kHandlerAt = 47;",
    "constexpr int kHandlerAt = 48;",
    _FUZZED,
)

# --- Receive buffers ---

_BUFFERS = "//conduits/portals:request_buffers_test"

mutant(
    "portals_buffer_is_refreshed_before_it_is_unlinked",
    "conduits/portals/request_buffers.cc",
    "  Count(Untag<Buffer>(event.user_ptr), 1);\n",
    "  Count(Untag<Buffer>(event.user_ptr), 0);\n",
    _BUFFERS,
)
mutant(
    "portals_last_message_of_a_buffer_is_taken_for_one_of_many",
    "conduits/portals/request_buffers.cc",
    "static_cast<size_t>(end) > bytes_ - chunk_;",
    "static_cast<size_t>(end) > bytes_ - chunk_ / 2;",
    _BUFFERS,
)
mutant(
    "portals_message_without_bytes_ends_a_buffer",
    "conduits/portals/request_buffers.cc",
    "  if (bytes == 0) return;\n",
    "",
    _BUFFERS,
)
mutant(
    "portals_buffer_is_filled_to_its_end",
    "conduits/portals/request_buffers.cc",
    "          .min_free = chunk_,\n",
    "",
    _BUFFERS,
)
mutant(
    "portals_buffer_without_room_is_forgotten",
    "conduits/portals/request_buffers.cc",
    "  unlinked_.push_back(&buffer);\n",
    "",
    _BUFFERS,
)

# --- Events of an earlier use ---

_MESSAGES = "//conduits/portals:messages_test"

mutant(
    "portals_late_event_is_of_the_use_now", "conduits/portals/messages.cc",
    "return use % 2 != 0 && use / 2 % kTurns == TurnOf(user) ? use : 0;",
    "return use % 2 != 0 && TurnOf(user) < kTurns ? use : 0;",
    _MESSAGES,
)
mutant(
    "portals_all_uses_have_one_name", "conduits/portals/messages_sent.cc",
    "Tag(slot, Kind::kRequest, use / 2));",
    "Tag(slot, Kind::kRequest, use % 2));",
    _MESSAGES,
)
mutant(
    "portals_late_refusal_pauses", "conduits/portals/messages_control.cc",
    "if (kind == Kind::kRequest && UseOf(event.user_ptr) == 0) return;",
    "",
    _MESSAGES,
)
mutant(
    "portals_use_that_is_over_is_sent_again",
    "conduits/portals/messages_control.cc",
    "if (use != 0) PutRequest(",
    "PutRequest(",
    _MESSAGES,
)
mutant(
    "portals_reply_of_anybody", "conduits/portals/messages_served.cc",
    "if (slot.Peer() == source && slot.Claim(use)) return &slot;",
    "if (slot.Claim(use)) return &slot;",
    _MESSAGES,
)
mutant(
    "portals_reply_between_chunks", "conduits/portals/messages_served.cc",
    "if (offset % chunk_ != 0 || index >= requests_.size()) {",
    "if (index >= requests_.size()) {",
    _MESSAGES,
)
mutant(
    "portals_reply_beyond_all_chunks", "conduits/portals/messages_served.cc",
    "if (offset % chunk_ != 0 || index >= requests_.size()) {",
    "if (offset % chunk_ != 0 || index > requests_.size()) {",
    _MESSAGES,
)

# --- The order of a poll, and of the start ---

_NETWORK = "//conduits/portals:network_test"

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
    "portals_starts_before_all_is_linked", "conduits/portals/network.cc",
    "  if (status.ok()) status = interface_->AwaitLinks();\n  return status;\n",
    "  return status;\n",
    _NETWORK,
)
mutant(
    "portals_is_reached_before_ranks_are_known", "conduits/portals/network.cc",
    "  absl::Status status = interface_->SetMap(processes_);\n  if (status.ok()) status = messages_.Start();\n",
    "  absl::Status status = messages_.Start();\n  if (status.ok()) status = interface_->SetMap(processes_);\n",
    _NETWORK,
)
mutant(
    "portals_rank_is_taken_for_another", "conduits/portals/start.cc",
    "processes.push_back(all[rank].process);",
    "processes.push_back(all[job.rank()].process);",
    "//conformance:portals_par_fast_am_flood_short",
)
mutant(
    "portals_entry_that_is_not_linked_is_taken",
    "conduits/portals/interface.cc",
    "if (event.type != PTL_EVENT_LINK || event.ni_fail_type != PTL_NI_OK) {",
    "if (event.type != PTL_EVENT_LINK) {",
    _NETWORK,
)
mutant(
    "portals_everything_is_exposed_where_it_cannot_be",
    "conduits/portals/start.cc",
    "(!IsEverything(mine) || interface.takes_everything());",
    "(!IsEverything(mine) || interface.most_bytes() > 0);",
    _NETWORK,
)

# --- The segment ---

_SEGMENT = "//conduits/portals:segment_test"

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
    "portals_segment_tells_of_puts", "conduits/portals/start.cc",
    ".options = PTL_ME_OP_PUT | PTL_ME_OP_GET | PTL_ME_EVENT_COMM_DISABLE};",
    ".options = PTL_ME_OP_PUT | PTL_ME_OP_GET};",
    _SEGMENT,
)
mutant(
    "portals_entry_of_longs_is_read", "conduits/portals/start.cc",
    "  entry.options = PTL_ME_OP_PUT;\n",
    "  entry.options = PTL_ME_OP_PUT | PTL_ME_OP_GET;\n",
    _SEGMENT,
)
