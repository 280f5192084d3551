"""Mistakes in the conduit over libfabric."""

from mutants.base import mutant

_CHOICE = "//conduits/ofi:choice_test"
_FOREIGN = "//conduits/ofi:foreign_frames_test"
_FLUSHES = "//conduits/ofi:flushes_test_par"
_INJECTED = "//conduits/ofi:injected_messages_test"
_LONGS = "//conduits/ofi:longs_test_par"
_MESSAGES = "//conduits/ofi:messages_test"
_POSTS = "//conduits/ofi:transfer_posts_test_par"
_SILENCE = "//conduits/ofi:silence_test_par"
_STRICT_FLUSHED = "//conformance:ofi_strict_flushed_par_fast_"
_TRANSFERS = "//conduits/ofi:transfers_test_par"

# --- Which of the ways over a provider is taken ---

mutant(
    "ofi_fence_not_set", "conduits/ofi/messages.cc",
    "FI_COMPLETION | FI_FENCE",
    "FI_COMPLETION",
    _LONGS,
)
mutant(
    "ofi_order_taken_for_granted", "conduits/ofi/longs.cc",
    "const bool at_once = path_ != LongPath::kInTwoSteps;",
    "const bool at_once = true;",
    _LONGS,
)
mutant(
    "ofi_fences_not_asked_for", "conduits/ofi/choice.cc",
    "  hints->caps |= FI_FENCE;\n",
    "",
    _CHOICE,
)
mutant(
    "ofi_long_source_given_up_early", "conduits/ofi/longs.cc",
    "return !waits || complete.IsOver() ? am::Post::kDone",
    "return journey.held != nullptr ? am::Post::kDone",
    _LONGS,
)
mutant(
    "ofi_first_part_of_a_long_again", "conduits/ofi/longs.cc",
    "static_cast<const std::byte*>(message.payload) + posted",
    "static_cast<const std::byte*>(message.payload)",
    _LONGS,
)
mutant(
    "ofi_address_of_another_interface", "conduits/ofi/choice.cc",
    "  return at && at->SameHost(address);\n",
    "  return at.has_value() || address.IsLoopback();\n",
    _CHOICE,
)
mutant(
    "ofi_provider_that_hangs_is_taken", "conduits/ofi/choice.cc",
    "admission == Admission::kOpen && PreferenceOf(name) == kNotPreferred",
    "admission == Admission::kOpen && name.empty()",
    _CHOICE,
)
mutant(
    "ofi_negated_list_names_providers", "conduits/ofi/choice.cc",
    "return negated ? Admission::kOpen : Admission::kNamed;",
    "return Admission::kNamed;",
    _CHOICE,
)
mutant(
    "ofi_named_device_of_another_family", "conduits/ofi/choice.cc",
    "  return at && at->family() == family;\n",
    "  return at.has_value() || family == 0;\n",
    _CHOICE,
)
mutant(
    "ofi_ranks_of_other_sockets_take_turns_too", "conduits/ofi/choice.cc",
    "NearOf(devices, {.cpus = cpus, .sys = place.sys}) == near",
    "!NearOf(devices, {.cpus = cpus, .sys = place.sys}).empty()",
    _CHOICE,
)
mutant(
    "ofi_lock_limit_of_each_registration_alone", "conduits/ofi/endpoint.cc",
    "  registered_ += nbytes;\n",
    "",
    "//conduits/ofi:endpoint_test",
)

mutant(
    "ofi_transfers_fill_the_transmit_queue", "conduits/ofi/paths.cc",
    "const size_t sends = IsManaged(info) ? 0 : SendsOf(info);",
    "const size_t sends = IsManaged(info) ? 0 : 1;",
    "//conduits/ofi:paths_test",
)

# --- Reads behind puts ---

mutant(
    "ofi_put_waits_for_no_read", "conduits/ofi/transfers.cc",
    "  put.awaited = 2;\n",
    "  put.awaited = 1;\n",
    _TRANSFERS,
)
mutant(
    "ofi_no_descriptor_kept_for_reads", "conduits/ofi/transfers.cc",
    "if (is_kept && taken->next == nullptr) return nullptr;",
    "if (is_kept && taken == nullptr) return nullptr;",
    _FLUSHES,
)
mutant(
    "ofi_no_second_read", "conduits/ofi/transfers.cc",
    "  if (puts.newest != nullptr) Flush(peer);\n",
    "",
    _FLUSHES,
)
mutant(
    "ofi_refused_read_forgotten", "conduits/ofi/network.cc",
    "  transfers_.CatchUp();\n",
    "",
    _STRICT_FLUSHED + "transfer",
)
mutant(
    "ofi_read_behind_larger_puts", "conduits/ofi/transfers.h",
    "           nbytes <= endpoint_.paths().flushed_bytes;",
    "           nbytes > 0;",
    _FLUSHES,
)

# --- Puts and gets ---

mutant(
    "ofi_put_is_over_when_it_has_left", "conduits/ofi/transfers.cc",
    "(left ? FI_TRANSMIT_COMPLETE",
    "(left || !flushed ? FI_TRANSMIT_COMPLETE",
    _TRANSFERS,
)
mutant(
    "ofi_get_left_in_its_bounce_buffer", "conduits/ofi/transfers.cc",
    "    std::memcpy(operation.dest, operation.bounce, operation.nbytes);\n",
    "",
    _TRANSFERS,
)
mutant(
    "ofi_memory_posted_unregistered", "conduits/ofi/transfers.h",
    "return endpoint_.paths().local_registration && !IsMine(address, nbytes);",
    "return nbytes == 0 && !IsMine(address, nbytes);",
    _TRANSFERS,
)
mutant(
    "ofi_transfer_larger_than_the_provider_takes", "conduits/ofi/transfers.cc",
    "std::min(put.nbytes, endpoint_.paths().most_bytes)",
    "put.nbytes",
    _TRANSFERS,
)
mutant(
    "ofi_inject_larger_than_the_provider_takes", "conduits/ofi/transfers.cc",
    "put.nbytes <= endpoint_.paths().inject_bytes;",
    "put.nbytes <= endpoint_.paths().most_bytes;",
    _TRANSFERS, _POSTS,
)
mutant(
    "ofi_lent_source_not_awaited", "conduits/ofi/transfers.cc",
    "  if (operation->sources != nullptr) operation->sources->Begin();\n",
    "  operation->sources = nullptr;\n",
    _POSTS,
)
mutant(
    "ofi_refused_post_keeps_its_descriptor", "conduits/ofi/transfers.cc",
    "  Give(operation);\n  return {};\n",
    "  static_cast<void>(operation);\n  return {};\n",
    _POSTS,
)

# --- Messages ---

mutant(
    "ofi_sent_without_credit", "conduits/ofi/messages.cc",
    "  if (!credit.Take(cost)) return Refused(peer, /*by_provider=*/false);\n",
    "  credit.Take(cost);\n",
    _MESSAGES,
)
mutant(
    "ofi_credit_of_a_refused_send_lost", "conduits/ofi/messages.cc",
    "  credit.GiveBack(cost, limits_.window);\n"
    "  TakeBack(peer, header);\n"
    "  return Refused(",
    "  TakeBack(peer, header);\n"
    "  return Refused(",
    _INJECTED, _MESSAGES,
)
mutant(
    "ofi_credit_not_sent_back_alone", "conduits/ofi/messages.cc",
    "  if (peer.due || !credit.IsDue(limits_.window)) return;\n",
    "  if (!peer.due) return;\n",
    _MESSAGES,
)
mutant(
    "ofi_buffer_posted_again_under_a_frame", "conduits/ofi/receive_buffers.cc",
    "    if (buffer.frames == 0) Repost(buffer);\n",
    "    Repost(buffer);\n",
    _MESSAGES,
)
mutant(
    "ofi_frame_of_another_job_accepted", "conduits/ofi/messages.cc",
    "if (header.cookie != cookie_ || header.source >= peers_.size())",
    "if (header.source >= peers_.size())",
    _FOREIGN,
)
mutant(
    "ofi_more_credit_accepted_than_was_taken", "conduits/ofi/messages.cc",
    "    if (header.given_back[lane] > taken) return false;\n",
    "    if (taken < 0) return false;\n",
    _FOREIGN,
)
mutant(
    "ofi_truncated_message_kills", "conduits/ofi/messages.cc",
    "const bool truncated = entry.err == FI_ETRUNC;",
    "const bool truncated = entry.err == FI_EIO;",
    _FOREIGN,
)

mutant(
    "ofi_peers_that_are_gone_end_the_job_at_once", "core/network/lost_peers.h",
    "if (now - each.since >= kPatience) End(each);",
    "End(each);",
    "//core/network:lost_peers_test",
)
mutant(
    "ofi_broken_off_message_ends_the_job", "conduits/ofi/messages.cc",
    "if (!truncated && !LostPeers::Explains(entry.err)) return false;",
    "if (!truncated) return false;",
    "//conduits/ofi:message_failures_test",
)
mutant(
    "ofi_broken_off_message_is_of_a_lost_peer", "conduits/ofi/failure.cc",
    "  if (receives && messages.Refuse(entry)) return;\n",
    "  if (receives && messages.Refuse(entry)) {\n"
    "    return endpoint.lost().Note(LostPeers::kSomebody, why, NowNanos());\n"
    "  }\n",
    _POSTS,
)
mutant(
    "ofi_put_to_who_has_left_never_ends", "conduits/ofi/failure.cc",
    "    Transfers::Lose(context);\n",
    "    static_cast<void>(context);\n",
    "//conduits/ofi/testing/jobs:jobs_test",
)
mutant(
    "ofi_long_to_who_has_left_has_no_room_for_ever", "conduits/ofi/network.cc",
    "return is_idle && job_.HasLeft(peer) ? am::Post::kDone : post;",
    "return is_idle && message.nbytes == 0 && job_.HasLeft(peer)\n"
    "             ? am::Post::kDone : post;",
    "//conduits/ofi/testing/jobs:jobs_test",
)

# --- Messages that are injected ---

mutant(
    "ofi_injected_where_no_order_is_kept", "conduits/ofi/paths.cc",
    "return managed && Has(both, FI_ORDER_SAS) ? info",
    "return managed && both != ~0UL ? info",
    _INJECTED, "//conduits/ofi:paths_test",
)
mutant(
    "ofi_injected_where_nothing_is_held_back", "conduits/ofi/paths.cc",
    "return managed && Has(both, FI_ORDER_SAS) ? info",
    "return (managed || true) && Has(both, FI_ORDER_SAS) ? info",
    _INJECTED, "//conduits/ofi:paths_test",
)
mutant(
    "ofi_injected_without_end", "conduits/ofi/injected.h",
    "return newest_ - left_ < kMostInjected;",
    "return newest_ - asked_ < kMostInjected;",
    _INJECTED, "//conduits/ofi:injected_test",
)
mutant(
    "ofi_completion_tells_of_later_ones_too", "conduits/ofi/injected.h",
    "if (static_cast<int32_t>(mark - left_) > 0) left_ = mark;",
    "if (static_cast<int32_t>(mark - left_) > 0) left_ = newest_;",
    "//conduits/ofi:injected_test",
)
mutant(
    "ofi_older_completion_takes_back", "conduits/ofi/injected.h",
    "if (static_cast<int32_t>(mark - left_) > 0) left_ = mark;",
    "left_ = mark;",
    "//conduits/ofi:injected_test",
)
mutant(
    "ofi_completion_tells_of_no_injected_one", "conduits/ofi/messages.cc",
    "  peers_[buffer.peer].injected.HaveLeft(buffer.mark);\n",
    "",
    _INJECTED,
)
mutant(
    "ofi_injected_keeps_its_buffer", "conduits/ofi/messages.cc",
    "    unasked_ += was_asked;\n    send_buffers_.Give(buffer);\n",
    "    unasked_ += was_asked;\n",
    _INJECTED,
)
mutant(
    "ofi_injected_is_not_waited_for", "conduits/ofi/messages.cc",
    "    unasked_ += was_asked;\n",
    "    static_cast<void>(was_asked);\n",
    _INJECTED, _SILENCE,
)
mutant(
    "ofi_injected_with_the_last_credit", "conduits/ofi/messages.cc",
    "peer.injected.HasRoom() && credit.left() >= limits_.least;",
    "peer.injected.HasRoom() && credit.left() <= limits_.window;",
    _INJECTED,
)
mutant(
    "ofi_credit_of_marks_lost", "conduits/ofi/messages.cc",
    "    if (header->is_mark) Handled(header->source, header->lane, frame.size());\n",
    "",
    _INJECTED,
)
mutant(
    "ofi_credit_of_a_refused_mark_lost", "conduits/ofi/messages.cc",
    "  if (!PostHeader(rank, lane, /*is_mark=*/true)) {\n"
    "    credit.GiveBack(cost, limits_.window);\n  }\n",
    "  PostHeader(rank, lane, /*is_mark=*/true);\n",
    _INJECTED,
)
mutant(
    "ofi_marks_behind_the_newest", "conduits/ofi/messages.cc",
    "injected.Age(clock_.now) >= least_age",
    "injected.Age(clock_.now) + least_age >= least_age",
    _INJECTED,
)
mutant(
    "ofi_injected_never_asked_about", "conduits/ofi/silence.cc",
    "  messages_.AskForInjected(kMostInjectedAge);\n",
    "",
    _SILENCE,
)
mutant(
    "ofi_injected_lost_at_the_end", "conduits/ofi/network.cc",
    "      messages_.AskForInjected(0);\n",
    "",
    "//conduits/ofi/testing/jobs:jobs_test",
)
