"""Mistakes in the networks that carry messages: shared memory and datagrams."""

from mutants.base import mutant, row, udp

# --- Shared memory ---

mutant(
    "ring_overwrites_unread_cells", "core/hostshm/producer.h",
    "if (next_ - done_ == kCells && !TakeCredit()) return false;\n"
    "    uint32_t start",
    "if (next_ - done_ == kCells) TakeCredit();\n"
    "    uint32_t start",
    row("am_exactly_once"),
)
mutant(
    "prepared_block_comes_back_before_its_message", "core/hostshm/producer.h",
    "static_cast<int32_t>(done_ - prepared.cell) > 0",
    "static_cast<int32_t>(done_ - prepared.cell) >= 0",
    "//core/hostshm:ring_test_par",
)
mutant(
    "prepared_payload_is_found_elsewhere", "core/hostshm/host_link_sending.cc",
    "return block == nullptr ? nullptr : block + at.payload_at;",
    "return block;",
    "//core/hostshm:host_link_test_par",
)
mutant(
    "taken_out_of_the_ring_whatever_its_arguments", "core/hostshm/host_link.h",
    "    return payload != nullptr &&\n           accept(",
    "    return payload != nullptr ||\n           accept(",
    "//core/hostshm:take_test_par",
)
mutant(
    "long_short_by_one", "core/hostshm/host_link_sending.cc",
    "std::memcpy(shape.direct, message.payload, message.nbytes);",
    "std::memcpy(shape.direct, message.payload, message.nbytes - 1);",
    row("am_long"),
)
mutant(
    "long_outside_segment_accepted", "core/hostshm/host_link.cc",
    "  if (header.nbytes > 0 && !my_segment_.Contains(destination, header.nbytes))",
    "  if (header.nbytes > 0 && destination == nullptr)",
    "//core/hostshm:host_link_test_par",
)
mutant(
    "rail_of_a_computing_thread_is_left_alone", "core/hostshm/rails.cc",
    "if (index != own && stands_still) Serve(self, index);",
    "",
    "//core/hostshm:rails_test_par",
)
mutant(
    "rail_is_not_taken_back", "core/hostshm/rails.cc",
    "  if (at(own).server() != 0) at(own).SetServer(0);\n",
    "",
    "//core/hostshm:rails_test_par",
)
mutant(
    "armed_thread_polls_its_own_rail_alone", "core/hostshm/host_link.cc",
    "  if constexpr (thread::kManyThreads) thread::Self().rails.polls_all = true;\n",
    "",
    "//core/hostshm:rail_threads_test_par",
)
mutant(
    "reply_leaves_on_the_threads_own_rail", "core/hostshm/host_link.h",
    "lane == am::Lane::kReply ? rails_.OfReply(use) : rails_.OwnOf(use);",
    "rails_.OwnOf(use);",
    "//core/hostshm:rail_threads_test_par",
)
mutant(
    "rail_is_used_without_introduction", "core/hostshm/host_link_sending.cc",
    "rails_.at(index).IsKnownTo(host_rank);",
    "true;",
    "//core/hostshm:rail_threads_test_par",
)
mutant(
    "reply_introduces_its_rail", "core/hostshm/host_link_sending.cc",
    "return index == 0 || lane == am::Lane::kReply ||",
    "return index == 0 ||",
    "//core/hostshm:rail_threads_test_par",
)
mutant(
    "replies_are_taken_on_some_rails", "core/hostshm/host_link.cc",
    "all_lanes ? rails_.ToPoll(self) : rails_.made();",
    "rails_.ToPoll(self);",
    "//core/hostshm:rail_threads_test_par",
)
mutant(
    "nested_poll_changes_the_rail_of_a_reply", "core/hostshm/host_link.cc",
    "  self.rails.reply = replies_on;\n",
    "",
    "//core/hostshm:rail_threads_test_par",
)
mutant(
    "thread_that_meets_another_stays", "core/hostshm/host_link_sending.cc",
    "if (lane == am::Lane::kRequest && MoveThread()) {",
    "if (false) {",
    "//core/hostshm:rail_threads_test_par",
)
mutant(
    "message_to_take_is_on_another_rail", "core/hostshm/host_link_sending.cc",
    "  if (message.to_take) {",
    "  if (false) {",
    "//core/hostshm:rail_threads_test_par",
)
mutant(
    "rails_lie_on_each_other", "core/hostshm/endpoint_rings.cc",
    "return Map(rail - 1, absl",
    "return Map(rail / 2, absl",
    "//core/hostshm:endpoint_rings_test_par",
)
mutant(
    "neighbours_segments_lie_at_one_place", "core/hostshm/segments.cc",
    "mapping.base() + (offsets_[rank] - begin);",
    "mapping.base();",
    "//core/hostshm:segments_test_par",
)
mutant(
    "guards_of_a_mapping_stay", "job/memory/memory_shortage.cc",
    "range->begin - begin >= bytes",
    "range->begin - begin >= 1",
    "//job/memory:memory_shortage_test",
)
mutant(
    "heap_offset_ignored", "core/hostshm/address_range.cc",
    "base - HeapEnd() < min_heap_offset;",
    "base - HeapEnd() < min_heap_offset * 0;",
    row("job_heap_offset_far"), udp("job_heap_offset_far"),
)

# --- Datagrams ---

mutant(
    "duplicate_delivered", "core/datagram/receive_window.h",
    "return Has(sequence) ? Verdict::kDuplicate : Verdict::kNew;",
    "return Verdict::kNew;",
    "//core/datagram:faults_test_par",
)
mutant(
    "slower_of_two_that_cross_acknowledges_late",
    "core/datagram/acknowledger.cc",
    "if (!channel.crosses) return;",
    "if (!channel.crosses || channel.CanAcksWait()) return;",
    "//core/datagram:poll_test_par",
)
mutant(
    "one_of_those_that_cross_acknowledged",
    "core/datagram/acknowledger.cc",
    "    if (!channel.crosses) return;",
    "    if (!channel.crosses || !urgent_.empty()) return;",
    "//core/datagram:poll_test_par",
)
mutant(
    "only_the_oldest_sent_again", "core/datagram/send_window.cc",
    "  out[1] = second;\n  return 2;\n",
    "  return 1;\n",
    "//core/datagram:poll_test_par",
)
mutant(
    "forged_packet_accepted", "core/datagram/packet_receiver.cc",
    "if (!authentic) return drop(Drop::kForged);",
    "static_cast<void>(authentic);",
    "//core/datagram:strangers_test_par",
)
mutant(
    "fragment_at_wrong_offset", "core/am/assembly.cc",
    "                  fragment.fragment.offset,\n",
    "                  fragment.fragment.offset * 0,\n",
    udp("transfer_large"),
)
mutant(
    "fragment_beyond_message_accepted", "core/am/fragment.cc",
    "  return fragment.length > 0 && fragment.offset <= record.nbytes &&\n"
    "         fragment.length <= record.nbytes - fragment.offset;",
    "  return fragment.length > 0 && fragment.offset <= record.nbytes;",
    "//core/am:fragment_test",
)
mutant(
    "fragmented_long_outside_segment_accepted", "core/datagram/receiver.cc",
    "    am::CheckLong(source, fragment, limits_.segments);\n",
    "    static_cast<void>(source);\n",
    "//core/datagram:strangers_test_par",
)

mutant(
    "host_memory_not_reserved", "job/memory/memory_shortage.cc",
    "  if (!FreeInFileSystem(fd).has_value()) return absl::OkStatus();\n",
    "  if (bytes > 0) return absl::OkStatus();\n",
    "//core/hostshm/testing:full_memory_test",
)

# --- The common part of networks ---

mutant(
    "kept_request_overwritten", "core/am/kept_requests.cc",
    "  if (RoomBytes(slot) >= bytes) return true;\n  if (bytes >= refused_)",
    "  if (slot != nullptr) return true;\n  if (bytes >= refused_)",
    "//core/am:kept_requests_test",
)
mutant(
    "medium_of_any_length_accepted", "core/am/check_records.cc",
    "record.nbytes > limits.max_medium",
    "false",
    "//core/am:check_records_test",
)

# --- The parts of a conduit over a network ---

_COMPOSITION = "//core/network/testing:composition_test"

mutant(
    "attach_waits_once_more", "core/runtime/runtime.cc",
    "  endpoints_.Attach(segments_, rules);\n  return absl::OkStatus();",
    "  endpoints_.Attach(segments_, rules);\n  return job_.Barrier();",
    _COMPOSITION,
)

# --- A rank that computes ---

mutant(
    "unanswered_requests_wait_for_the_client", "core/datagram/endpoint.h",
    "    AnswerAgain(dispatcher);\n  }",
    "  }",
    udp("transfer_unattended"),
)
mutant(
    "client_message_runs_unattended", "core/am/unattended.cc",
    "      handler_(to_.handlers().FindUnattended(message.handler)) {",
    "      handler_(to_.handlers().Find(message.handler)) {",
    udp("transfer_unattended"),
)
mutant(
    "request_of_a_record_not_parked", "core/datagram/attendance.cc",
    "        left.for_client.push_back(at);",
    "        break;",
    udp("transfer_unattended"),
)
mutant(
    "parked_packets_without_bound", "core/datagram/parked_packets.h",
    "return client_bytes_.load(kRelaxed) >= limit_;",
    "return limit_ == 0;",
    "//conduits/udp:attending_test_seq",
)
mutant(
    "ofi_reply_taken_for_a_request", "conduits/ofi/attendance.cc",
    "  if (arrival.lane == Lane::kReply) {",
    "  if (arrival.lane == Lane::kReply && ended_.size() > 1) {",
    row("transfer_unattended", "ofi_par_fast"),
)
mutant(
    "ofi_ended_transfers_forgotten", "conduits/ofi/network.cc",
    "          ended_.push_back(&context);\n",
    "",
    row("transfer_unattended", "ofi_par_fast"),
)
mutant(
    "further_segments_unserved_until_attach", "export/job_functions.h",
    "    StartAll();\n    ServeUnattended();\n",
    "    StartAll();\n",
    udp("transfer_unattended_endpoints"),
)
mutant(
    "network_wait_of_a_silent_peer_untold", "conduits/udp/network.cc",
    "NowNanos() - silence->since < kNanosPerSecond",
    "NowNanos() - silence->since > kNanosPerSecond",
    "//conduits/udp/testing:hosts_test",
)
mutant(
    "network_wait_names_the_last_silence", "core/datagram/endpoint.cc",
    "if (longest && longest->since <= since) return;",
    "if (longest && longest->since >= since) return;",
    "//core/datagram:silence_test",
)

# --- Rails of datagrams ---

_RAILS = "//conduits/udp:rails_test_par"
_RAILS_TOGETHER = "//conduits/udp:rails_together_test_par"

mutant(
    "udp_reply_on_the_rail_of_its_thread", "conduits/udp/rails.cc",
    "    use.serves = index + 1;\n",
    "",
    _RAILS,
)
mutant(
    "udp_busy_thread_leaves_other_rails", "conduits/udp/rails.cc",
    "use.looks_left > 0 || ++use.polls >= kPollsPerLook",
    "use.looks_left > 0",
    _RAILS,
)
mutant(
    "udp_packet_of_another_rail_accepted", "core/datagram/packet_receiver.cc",
    "header.target != options_.me || RailOf(header) != options_.rail",
    "header.target != options_.me",
    _RAILS_TOGETHER,
)
mutant(
    "udp_rails_count_packets_alike", "core/datagram/packet_sealer.cc",
    "counter_(FirstCounter(options.rail))",
    "counter_(0)",
    _RAILS_TOGETHER,
)
mutant(
    "udp_rail_polled_beside_its_thread", "conduits/udp/rails.cc",
    "if (index != current && use.polls_seen[index] == polls)",
    "if (index != current)",
    _RAILS,
)
mutant(
    "udp_first_rail_alone_is_drained", "conduits/udp/rails.cc",
    "if (endpoint.DrainStep()) continue;",
    "if (endpoint.DrainStep() || index > 0) continue;",
    _RAILS_TOGETHER,
)
mutant(
    "udp_rails_differ_in_number", "core/datagram/job_socket.cc",
    "    if (ports.count < made.size()) made.resize(ports.count);\n",
    "",
    "//core/datagram:job_socket_test",
)
mutant(
    "udp_patient_drain_waits_for_its_own_lock", "conduits/udp/rails.cc",
    "can_step |= endpoint.drain_steps() != steps[index];",
    "can_step = true;",
    _RAILS_TOGETHER,
)
mutant(
    "udp_parked_message_waits_for_a_look", "core/datagram/attendance.cc",
    "  NoteHeld();\n",
    "",
    _RAILS,
)
mutant(
    "udp_looks_leave_timers", "core/datagram/endpoint.cc",
    "  if (receives && NextDeadline() != kNever) driver_.ServeTimers();\n",
    "",
    _RAILS,
)
mutant(
    "udp_kept_request_waits_for_its_rail", "core/datagram/endpoint.cc",
    "receiver_.HasReplies() || receiver_.HasKept() ||",
    "receiver_.HasReplies() ||",
    _RAILS,
)
mutant(
    "udp_sockets_take_the_last_descriptor", "core/datagram/job_socket.cc",
    "descriptor = UniqueFd(eventfd(0, EFD_CLOEXEC));",
    "descriptor = UniqueFd();",
    "//core/datagram:job_socket_test",
)
mutant(
    "udp_poll_leaves_what_is_owed", "core/datagram/endpoint.cc",
    "    if (OwesReplies()) [[unlikely]]\n      AnswerOwed(dispatcher);\n",
    "",
    "//conduits/udp:attending_test_seq",
)
