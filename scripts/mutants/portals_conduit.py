"""The portals conduit: messages, their room, refusals, halves of Longs."""

from mutants.base import mutant

_HEADER = "//conduits/portals:header_test"
_ARRIVED = "//conduits/portals:arrived_test_par"
_RECOVERY = "//conduits/portals:recovery_test_par"
_SETTINGS = "//conduits/portals:settings_test"
_DIALECT = "//conduits/portals:portals_dialect_test"
_CACHE = "//conduits/portals:md_cache_test"
_LOCAL = "//conduits/portals:local_memory_test"
_BUFFERS = "//conduits/portals:request_buffers_test"
_GIVES_BACK = "//conduits/portals/testing/jobs:gives_back_test"


def _row(test, suite="portals"):
    return f"//conformance:{suite}_par_fast_{test}"


# --- How messages lie ---

mutant(
    "portals_chunk_number_is_cut", "conduits/portals/header.cc",
    ".chunk = Field<uint32_t>(header_data, kChunkAt, 24),",
    ".chunk = Field<uint32_t>(header_data, kChunkAt, 16),",
    _HEADER,
)
mutant(
    "portals_payload_at_any_place", "conduits/portals/header.cc",
    "layout.payload = RoundUp(at, 16);",
    "layout.payload = RoundUp(at, 4);",
    _HEADER,
)
mutant(
    "portals_bodies_end_anywhere", "conduits/portals/header.cc",
    "layout.end = RoundUp(layout.payload + payload, 16);",
    "layout.end = layout.payload + payload;",
    _HEADER,
)
mutant(
    "portals_long_written_outside_of_the_segment",
    "conduits/portals/arrived.cc",
    "if (arrived.nbytes > 0 &&\n      !segment.Contains(arrived.payload, arrived.nbytes)) {",
    "if (arrived.nbytes > 0 &&\n      !segment.Contains(arrived.payload, 1)) {",
    _ARRIVED,
)
mutant(
    "portals_any_number_of_arguments", "conduits/portals/arrived.cc",
    "if (header.num_args > am::kMaxArgs) return",
    "if (header.num_args > 31) return",
    _ARRIVED,
)
mutant(
    "portals_message_of_any_length", "conduits/portals/arrived.cc",
    "if (layout.end != nbytes) return",
    "if (layout.end > kMostPayload) return",
    _ARRIVED,
)

# --- Halves ---

mutant(
    "portals_halves_of_two_lanes_are_joined", "conduits/portals/halves.h",
    "static_cast<uint64_t>(name.lane) << 32 | name.lid;",
    "name.lid;",
    _ARRIVED,
)
mutant(
    "portals_joined_half_stays", "conduits/portals/halves.h",
    "    kept_.erase(at);\n",
    "",
    _ARRIVED,
)

# --- Room ---

mutant(
    "portals_requests_take_the_tickets_of_replies",
    "conduits/portals/tickets.h",
    "return TakeBelow(1, limit_ - kForReplies);",
    "return TakeBelow(1, limit_);",
    _RECOVERY,
)
mutant(
    "portals_buffer_is_refreshed_too_early",
    "conduits/portals/request_buffers.cc",
    "Count(buffer, is_last ? bytes - end - 1 : bytes);",
    "Count(buffer, is_last ? -1 : 0);",
    _BUFFERS,
)
mutant(
    "portals_silent_handler_gives_nothing_back",
    "conduits/portals/messages_served.cc",
    "    SendReply({{.form = Form::kNothing}, {}, nullptr});\n",
    "",
    _GIVES_BACK,
)

# --- Refusals ---

mutant(
    "portals_every_refusal_is_told", "conduits/portals/pauses.h",
    "return !refuser.paused.exchange(true, std::memory_order_relaxed);",
    "refuser.paused.store(true, std::memory_order_relaxed);\n    return true;",
    _RECOVERY,
)
mutant(
    "portals_refused_request_is_sent_twice", "conduits/portals/pauses.h",
    "return std::exchange(refuser.refused, {});",
    "return refuser.refused;",
    _RECOVERY,
)
mutant(
    "portals_opens_without_room", "conduits/portals/gate.h",
    "      if (!has_room) return {};\n",
    "",
    _RECOVERY,
)
mutant(
    "portals_opens_what_is_open", "conduits/portals/gate.h",
    "      shut_ = false;\n",
    "",
    _RECOVERY,
)
mutant(
    "portals_late_peer_is_never_told", "conduits/portals/gate.h",
    "    blocked_.push_back(peer);\n    busy_.store(true, std::memory_order_relaxed);\n",
    "    blocked_.push_back(peer);\n",
    _row("am_exactly_once", "portals_refused"),
)

# --- The interface, and settings ---

mutant(
    "portals_quiet_requests_are_told", "conduits/portals/interface.cc",
    "    PTL_MD_EVENT_SUCCESS_DISABLE | PTL_MD_UNORDERED,\n",
    "    PTL_MD_EVENT_SEND_DISABLE | PTL_MD_UNORDERED,\n",
    _DIALECT,
)
mutant(
    "portals_no_ticket_left_for_replies", "conduits/portals/settings.cc",
    "constexpr int64_t kLeastOperations = 4;",
    "constexpr int64_t kLeastOperations = 2;",
    _SETTINGS,
)

# --- Local memory that no descriptor covers ---

mutant(
    "portals_latest_descriptor_is_released", "conduits/portals/md_cache.cc",
    "region.idle_since < regions_[*victim].idle_since",
    "region.idle_since > regions_[*victim].idle_since",
    _CACHE, _LOCAL,
)
mutant(
    "portals_descriptor_in_use_is_released", "conduits/portals/md_cache.cc",
    "    if (region.users > 0) continue;\n",
    "",
    _CACHE,
)
mutant(
    "portals_regions_overlap", "conduits/portals/md_cache.cc",
    "  if (behind < by_start_.size()) {\n    bytes = std::min(bytes,",
    "  if (behind < by_start_.size()) {\n    bytes = std::max(bytes,",
    _CACHE,
)
mutant(
    "portals_cache_of_any_size", "conduits/portals/md_cache.cc",
    "return !unused_.empty() && bytes_ + bytes <= limits_.bytes;",
    "return !unused_.empty();",
    _CACHE,
)
mutant(
    "portals_put_beyond_its_window", "conduits/portals/windows.h",
    "return std::min<size_t>(nbytes, end - offset);",
    "return end > offset ? nbytes : 0;",
    _LOCAL,
)
mutant(
    "portals_offset_is_an_address", "conduits/portals/interface.cc",
    "PtlPut(window.handle, reinterpret_cast<uintptr_t>(from) - window.start,",
    "PtlPut(window.handle, reinterpret_cast<uintptr_t>(from),",
    _DIALECT,
)
mutant(
    "portals_waits_for_a_descriptor_that_nobody_has",
    "conduits/portals/local_memory.cc",
    "if (cache_.IsInUse()) return Piece{};",
    "return Piece{};",
    _LOCAL,
)
mutant(
    "portals_descriptors_are_always_kept", "conduits/portals/local_memory.cc",
    "if (cache_.End(hold.number) && !settings_.firehose) Remove(hold.number);",
    "cache_.End(hold.number);",
    _LOCAL,
)
mutant(
    "portals_get_stays_in_its_bounce_buffer", "conduits/portals/transfers.cc",
    "    std::memcpy(transfer.dest, local_->BouncedBy(transfer.hold),\n                transfer.nbytes);\n",
    "",
    _row("transfer_local_side", "portals_pinned_bounced"),
)
mutant(
    "portals_put_leaves_its_bounce_buffer_empty",
    "conduits/portals/local_memory.cc",
    "    std::memcpy(piece.at, source, piece.nbytes);\n",
    "",
    _LOCAL,
)
mutant(
    "portals_get_bounces_a_whole_chunk",
    "conduits/portals/registration_settings.cc",
    "limit(kGetBounce, chunk - kAddressBytes);",
    "limit(kGetBounce, chunk);",
    _SETTINGS,
)

# --- Several hosts, and what is told ---

_JOBS = "//conduits/portals/testing/jobs:"

mutant(
    "portals_ends_before_all_has_arrived",
    "conduits/portals/hand_over_software.cc",
    "return portals4::HasArrived();",
    "return true;",
    _JOBS + "returns_test",
)
mutant(
    "portals_waits_for_those_that_have_left", "portals/job/hand_over.cc",
    "return job.HasLeft(rank);",
    "return job.HasLeft(rank) && false;",
    _JOBS + "returns_test",
)
mutant(
    "portals_end_leaves_what_is_refused", "conduits/portals/network.cc",
    "!messages_.MayGoAgain(has_left)",
    "(messages_.MayGoAgain(has_left) || true)",
    _JOBS + "leaves_test",
)
mutant(
    "portals_those_that_left_keep_chunks", "conduits/portals/messages.h",
    "if (any) ReleaseGivenUp();",
    "if (any && now < 0) ReleaseGivenUp();",
    _JOBS + "leaves_test",
)
mutant(
    "portals_stall_that_moved", "conduits/portals/stall.cc",
    "view.receipts != receipts_ || ",
    "",
    "//conduits/portals:stall_test_par",
)
mutant(
    "portals_looks_close_together_do_not_count", "conduits/portals/stall.cc",
    "quiet_ += std::min(passed, kMostOfLook);",
    "if (passed >= kMostOfLook) quiet_ += kMostOfLook;",
    "//conduits/portals:stall_test_par",
)
mutant(
    "portals_handlers_run_inside", "conduits/portals/inside.h",
    "{ Inside::depth_ = 0; }",
    "{}",
    _JOBS + "returns_test",
)
mutant(
    "portals_polls_know_no_limit", "conduits/portals/network.cc",
    "return limit == 0 || taken < limit;",
    "return limit == 0 || taken <= limit;",
    "//conformance:portals_settings_test",
)


# --- The barrier that Portals takes on its own ---

_BARRIERS = "//conduits/portals/testing/jobs:barriers_test"
_WORDS = "//conduits/portals:barrier_words_test"

mutant(
    "portals_barrier_sends_before_it_knows", "conduits/portals/barrier.cc",
    "TagRank(to.peer, Kind::kBarrier), 0, PTL_MAX,\n                PTL_INT64_T, CounterOf(phase, step), CountOf(phase)),",
    "TagRank(to.peer, Kind::kBarrier), 0, PTL_MAX,\n                PTL_INT64_T, CounterOf(phase, step), CountOf(phase) - 1),",
    _BARRIERS,
)
mutant(
    "portals_barrier_steps_are_not_chained", "conduits/portals/barrier.cc",
    "one.success = 1;",
    "one.success = 0;",
    _BARRIERS,
)
mutant(
    "portals_barrier_over_a_count_early", "conduits/portals/barrier.cc",
    "return count.success >= CountOf(phase_);",
    "return count.success + 1 >= CountOf(phase_);",
    _BARRIERS,
)
mutant(
    "portals_barrier_votes_are_never_cleared", "conduits/portals/barrier.cc",
    "SetOf(phase_ + kSets - 1).known = kNoVotes;",
    "",
    _BARRIERS,
)
mutant(
    "portals_barrier_wakes_nobody", "conduits/portals/network.cc",
    "if (barrier_ != nullptr) barrier_->RingWhenDone();",
    "",
    _BARRIERS,
)
mutant(
    "portals_barrier_of_some_ranks", "conduits/portals/start.cc",
    "if (!all_have_barrier) mine->barrier.reset();",
    "",
    _BARRIERS,
)
mutant(
    "portals_barrier_two_names_are_one", "conduits/portals/barrier_words.h",
    "words.minus_id == -words.id;",
    "words.minus_id >= -words.id;",
    _WORDS,
)
mutant(
    "portals_barrier_does_not_tell_a_thread_that_sleeps",
    "conduits/portals/barrier.cc",
    "bell_->RingAwaiting();",
    "",
    _DIALECT,
)

# --- What is given back ---

_GIVES_BACK = "//conduits/portals/testing/jobs:gives_back_test"

mutant(
    "portals_put_keeps_its_ticket", "conduits/portals/transfers.cc",
    "  pool_.Give(transfer);\n  tickets_.Give(1);\n",
    "  pool_.Give(transfer);\n  if (!transfer.is_put) tickets_.Give(1);\n",
    _GIVES_BACK,
)
mutant(
    "portals_source_of_a_put_stays_in_use", "conduits/portals/transfers.cc",
    "  if (transfer.sources != nullptr) transfer.sources->End();\n",
    "",
    _GIVES_BACK,
)
mutant(
    "portals_long_without_a_chunk_keeps_its_ticket",
    "conduits/portals/messages_sent.cc",
    "    if (slot == nullptr) {\n      tickets_.Give(1);\n",
    "    if (slot == nullptr) {\n",
    _GIVES_BACK,
)
mutant(
    "portals_answered_request_keeps_its_ticket", "conduits/portals/messages.cc",
    "  requests_.Give(slot);\n  tickets_.Give(1);\n",
    "  requests_.Give(slot);\n",
    _GIVES_BACK,
)
