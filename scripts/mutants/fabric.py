"""Mistakes in the conduit over libfabric."""

from mutants.base import mutant

_CHOICE = "//conduits/ofi:choice_test"
_FOREIGN = "//conduits/ofi:foreign_frames_test"
_FLUSHES = "//conduits/ofi:flushes_test_par"
_INJECTED = "//conduits/ofi:injected_messages_test"
_LONGS = "//conduits/ofi:longs_test_par"
_MESSAGES = "//conduits/ofi:messages_test"
_POSTS = "//conduits/ofi:transfer_posts_test_par"
_TRANSFERS = "//conduits/ofi:transfers_test_par"
_ROWS = "//conformance:ofi_strict_"
_DEMANDING = _ROWS + "demanding_par_fast_"
_ORDERED = _ROWS + "ordered_par_fast_"
_NODES = "//conduits/ofi:node_list_test"

# --- The choice of the way over a provider ---

mutant(
    "ofi_fence_not_set", "conduits/ofi/messages.cc",
    "FI_COMPLETION | FI_FENCE",
    "FI_COMPLETION",
    _LONGS,
)
mutant(
    "ofi_long_source_given_up_early", "conduits/ofi/longs.cc",
    "return !waits || complete.IsOver() ? am::Post::kDone",
    "return send_state.held != nullptr ? am::Post::kDone",
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

# --- Reads behind puts ---

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
    "ofi_memory_posted_unregistered", "conduits/ofi/transfers.h",
    "return endpoint_.paths().local_registration && !IsMine(address, nbytes);",
    "return nbytes == 0 && !IsMine(address, nbytes);",
    _TRANSFERS,
)

# --- Messages ---

mutant(
    "ofi_sent_without_credit", "conduits/ofi/messages.cc",
    "  if (!credit.Take(cost)) return Refused(peer, /*by_provider=*/false);\n",
    "  credit.Take(cost);\n",
    _MESSAGES,
)
mutant(
    "ofi_credit_not_sent_back_alone", "conduits/ofi/messages.cc",
    "  if (peer.due || !credit.IsDue(limits_.window)) return;\n",
    "  if (!peer.due) return;\n",
    _MESSAGES,
)
mutant(
    "ofi_more_credit_accepted_than_was_taken", "conduits/ofi/messages.cc",
    "    if (header.given_back[lane] > taken) return false;\n",
    "    if (taken < 0) return false;\n",
    _FOREIGN,
)
mutant(
    "ofi_two_messages_in_fragments_at_once",
    "conduits/ofi/message_fragments.cc",
    "  if (outgoing.current != nullptr && outgoing.current != progress) {",
    "  if (outgoing.current != nullptr && progress == nullptr) {",
    "//conduits/ofi:message_fragments_test",
)
mutant(
    "ofi_fragments_that_wait_are_overtaken",
    "conduits/ofi/incoming_fragments.cc",
    "  const bool may_begin = waits || waiting_[index].empty();",
    "  const bool may_begin = true;",
    "//conduits/ofi:incoming_fragments_test",
)
mutant(
    "ofi_truncated_message_kills", "conduits/ofi/messages.cc",
    "const bool truncated = entry.err == FI_ETRUNC;",
    "const bool truncated = entry.err == FI_EIO;",
    _FOREIGN,
)

mutant(
    "ofi_broken_off_message_is_of_a_lost_peer", "conduits/ofi/failure.cc",
    "  if (receives && messages.Refuse(entry)) return;\n",
    "  if (receives && messages.Refuse(entry)) {\n"
    "    return endpoint.lost().Note(UnreachablePeers::kSomebody, why, NowNanos());\n"
    "  }\n",
    _POSTS,
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
    "ofi_injected_with_the_last_credit", "conduits/ofi/messages.cc",
    "peer.injected.HasRoom() && credit.left() >= limits_.least;",
    "peer.injected.HasRoom() && credit.left() <= limits_.window;",
    _INJECTED,
)
mutant(
    "ofi_marks_behind_the_newest", "conduits/ofi/messages.cc",
    "injected.Age(clock_.now) >= least_age",
    "injected.Age(clock_.now) + least_age >= least_age",
    _INJECTED,
)

mutant(
    "ofi_strict_put_is_over_when_it_has_left", "conduits/ofi/transfers.cc",
    "(left ? FI_TRANSMIT_COMPLETE",
    "(left || !flushed ? FI_TRANSMIT_COMPLETE",
    _DEMANDING + "transfer",
)
mutant(
    "ofi_strict_region_not_bound_to_its_endpoint", "conduits/ofi/endpoint.cc",
    "if (paths_.endpoint_registration) {",
    "if (paths_.endpoint_registration && nbytes == 0) {",
    _DEMANDING + "transfer",
)

mutant(
    "ofi_strict_memory_posted_unregistered", "conduits/ofi/transfers.h",
    "return endpoint_.paths().local_registration && !IsMine(address, nbytes);",
    "return nbytes == 0 && !IsMine(address, nbytes);",
    _DEMANDING + "transfer",
)
mutant(
    "ofi_strict_injected_larger_than_the_provider_takes",
    "conduits/ofi/messages.cc",
    "return bytes <= endpoint_.paths().frames.inject_bytes &&",
    "return bytes <= 2 * endpoint_.paths().frames.inject_bytes &&",
    _ORDERED + "am",
)

# --- The nodes that list their devices ---

mutant(
    "ofi_node_list_is_its_first_part", "conduits/ofi/node_list.cc",
    "    more = comma != std::string_view::npos;\n",
    "    more = text.empty();\n",
    _NODES,
)

# --- One lock, and the threads that wait for it ---

mutant(
    "ofi_who_has_what_is_not_told", "conduits/ofi/agreement.cc",
    "return groups.size() < 2 ? \"\"",
    "return !groups.empty() ? \"\"",
    "//conduits/ofi:agreement_test",
)

# --- Resources that are left behind ---

mutant(
    "library_that_starts_handles_signals", "base/process_state.h",
    "  const BlockAllSignals until_the_rest_is_as_before_;\n",
    "",
    "//base:process_state_test",
)
