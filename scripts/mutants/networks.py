"""Mistakes in what carries messages: shared memory and datagrams."""

from mutants.base import mutant, row, udp

# --- Shared memory ---

mutant(
    "ring_overwrites_unread_cells", "core/hostshm/producer.h",
    "if (next_ - done_ == kCells && !TakeCredit()) return false;",
    "if (next_ - done_ == kCells) TakeCredit();",
    row("am_exactly_once"),
)
mutant(
    "credit_never_returned", "core/hostshm/consumer.h",
    "    credit_->store(finished_, std::memory_order_release);\n",
    "",
    row("am_flood_short"),
)
mutant(
    "taken_out_of_the_ring_whatever_its_arguments", "core/hostshm/host_link.h",
    "    return payload != nullptr &&\n           accept(",
    "    return payload != nullptr ||\n           accept(",
    "//core/hostshm:take_test_par",
)
mutant(
    "taken_out_of_the_ring_with_no_credit_back", "core/hostshm/host_link.h",
    "  if (ring.Finish(index, 1, at.block_bytes)) DoorbellOf(source).Ring();\n",
    "",
    "//core/hostshm:take_test_par",
)
mutant(
    "doorbell_does_not_ring", "core/hostshm/doorbell.h",
    "    FutexWake(epoch, kEverybody);\n",
    "",
    row("threads_waitmode"),
)
mutant(
    "long_short_by_one", "core/hostshm/host_link.cc",
    "std::memcpy(direct, message.payload, message.nbytes);",
    "std::memcpy(direct, message.payload, message.nbytes - 1);",
    row("am_long"),
)
mutant(
    "long_outside_segment_accepted", "core/hostshm/host_link.cc",
    "  if (header.nbytes > 0 && !my_segment_.Contains(destination, header.nbytes))",
    "  if (header.nbytes > 0 && destination == nullptr)",
    "//core/hostshm:host_link_test_par",
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
    "crossing_packets_acknowledged_late",
    "core/datagram/channel_driver_poll.h",
    "channel.crosses = some_cross_ = true;",
    "channel.crosses = true;",
    "//core/datagram:poll_test_par",
)
mutant(
    "slower_of_two_that_cross_acknowledges_late",
    "core/datagram/channel_driver_poll.h",
    "if (!channel.crosses) return;",
    "if (!channel.crosses || channel.CanAcksWait()) return;",
    "//core/datagram:poll_test_par",
)
mutant(
    "one_of_those_that_cross_acknowledged",
    "core/datagram/channel_driver_poll.h",
    "    if (!channel.crosses) return;",
    "    if (!channel.crosses || !urgent_.empty()) return;",
    "//core/datagram:poll_test_par",
)
mutant(
    "large_packets_acknowledged_while_more_comes",
    "core/datagram/channel_driver_poll.h",
    "if (found_nothing_ && some_cross_)",
    "if (some_cross_)",
    "//core/datagram:poll_test_par",
)
mutant(
    "one_way_packets_acknowledged_at_once",
    "core/datagram/channel_driver_poll.h",
    "arrival.packet.size() >= kLargeDatagram && !channel.CanAcksWait()",
    "arrival.packet.size() >= kLargeDatagram",
    "//core/datagram:poll_test_par",
)
mutant(
    "lost_packet_never_sent_again", "core/datagram/send_window.cc",
    "    if (p->state == Packet::State::kInFlight) Lose(p);\n",
    "",
    "//core/datagram:faults_test_par",
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
    "packet_for_another_accepted", "core/datagram/packet_receiver.cc",
    "if (header.target != options_.me) return drop(Drop::kTarget);",
    "",
    "//core/datagram:strangers_test_par",
)
mutant(
    "fragment_at_wrong_offset", "core/datagram/assembly.cc",
    "                  fragment.fragment.offset,\n",
    "                  fragment.fragment.offset * 0,\n",
    udp("transfer_large"),
)
mutant(
    "fragment_beyond_message_accepted", "core/datagram/fragment.cc",
    "  return fragment.length > 0 && fragment.offset <= record.nbytes &&\n"
    "         fragment.length <= record.nbytes - fragment.offset;",
    "  return fragment.length > 0 && fragment.offset <= record.nbytes;",
    "//core/datagram:fragment_test",
)
mutant(
    "fragmented_long_outside_segment_accepted", "core/datagram/receiver.cc",
    "    am::CheckLong(source, fragment, limits_.segment);\n",
    "    static_cast<void>(source);\n",
    "//core/datagram:strangers_test_par",
)

mutant(
    "narrow_path_never_doubted", "core/datagram/transmitter.h",
    "      channel.path.Doubt(sizes_);\n",
    "",
    "//core/datagram:narrowing_test_par",
)
mutant(
    "host_memory_not_reserved", "job/memory/memory_shortage.cc",
    "  if (!FreeInFileSystem(fd).has_value()) return absl::OkStatus();\n",
    "  if (bytes > 0) return absl::OkStatus();\n",
    "//core/hostshm/testing:full_memory_test",
)

# --- What networks have in common ---

mutant(
    "record_beyond_frame_accepted", "core/am/records.cc",
    "  if (end > frame.size()) return 0;\n",
    "",
    "//core/am:records_test",
)
mutant(
    "long_of_record_outside_segment_accepted", "core/am/check_records.cc",
    "      CheckLong(source, record, limits.segment);\n",
    "",
    "//core/am:check_records_test",
)
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
mutant(
    "payload_in_place_copied_over", "core/am/deliver_records.h",
    " && !record.in_place",
    "",
    "//core/am:deliver_records_test_par",
)

# --- A host and a network as one link ---

mutant(
    "watcher_not_woken", "core/hostshm/doorbell.h",
    "    if ((flags & kWatched) != 0) WakeSocket::Wake(watcher);\n",
    "",
    "//core/network:link_test_par",
)
mutant(
    "watches_though_it_has_rung", "core/hostshm/doorbell.h",
    "      if (flags == 0) return false;\n",
    "",
    "//core/hostshm:threads_test_par",
)
mutant(
    "next_thread_does_not_watch", "core/network/link.h",
    "    if constexpr (thread::kManyThreads) HandOver(longest != kNever && is_armed);\n",
    "",
    "//core/network:link_test_par",
)
mutant(
    "watcher_that_has_napped_hands_nothing_on", "core/network/link.h",
    "if (owes_ring_.load(kRelaxed) && owes",
    "if (false && owes",
    "//core/network:link_test_par",
)
mutant(
    "awaiting_watcher_is_not_rung", "core/network/link.h",
    "        network_->Ring();\n",
    "",
    "//core/network:awaiting_link_test_par",
)
mutant(
    "room_wakes_nobody", "core/network/link.h",
    "(handled > 0 || network_->receipts() != before)",
    "handled > 0",
    "//core/network:link_test_par",
)
mutant(
    "uncertain_sleeper_does_not_look", "core/network/link.h",
    "certain ? longest_sleep_.load(kRelaxed) : kGlance);",
    "longest_sleep_.load(kRelaxed));\n    static_cast<void>(certain);",
    "//core/network:link_test_par",
)
mutant(
    "timers_not_served", "core/datagram/channel_driver_timer.h",
    "  if (received && ++overdue_ < kMostOverdue) return;\n"
    "  LookAfterTimers(now, !received);\n",
    "",
    "//core/datagram:faults_test_par",
)

# --- A host and a network in one ---

mutant(
    "network_without_a_descriptor_looked_at_all_the_time", "core/network/link.h",
    "const bool told = IsToldOfAll() || IsLookedAtBy(deadline);",
    "const bool told = IsToldOfAll();",
    "//core/network:link_test_par",
)
mutant(
    "network_of_unknown_ranks_taken_for_one", "core/network/agreement.cc",
    "return offers[rank].HasNamespace() &&\n                       ",
    "return ",
    "//core/network:agreement_test",
)

# --- What a conduit over a network is made of ---

_COMPOSITION = "//core/network/testing:composition_test"

mutant(
    "network_opened_for_nobody", "core/network/conduit_over.h",
    "    if (status.ok() && s->rings.ranks().size() < s->job.size()) {",
    "    if (status.ok()) {",
    _COMPOSITION,
)
mutant(
    "network_drained_by_nobody_at_a_return", "core/network/conduit_over.h",
    "    if (s->link.network() != nullptr) job::SetBeforeReturn(&BeforeReturn);\n",
    "",
    _COMPOSITION,
)
mutant(
    "mediums_of_one_rank_alone", "core/network/conduit_over.h",
    "    s.link.SetMaxMedium(agreed->max_medium);\n",
    "",
    _COMPOSITION,
)
mutant(
    "network_not_attached", "core/network/conduit_over.h",
    "      network->Attach(s.segments.by_rank, *shared);\n",
    "",
    _COMPOSITION,
)
mutant(
    "segment_not_exposed", "core/network/conduit_over.h",
    "    if (mine.ok()) mine = Expose(s, exposed);\n",
    "",
    _COMPOSITION,
)
mutant(
    "attach_waits_once_more", "core/network/conduit_over.h",
    "network->Attach(s.segments.by_rank, *shared);\n    }\n    return absl::OkStatus();",
    "network->Attach(s.segments.by_rank, *shared);\n    }\n    return s.job.Barrier();",
    _COMPOSITION,
)
