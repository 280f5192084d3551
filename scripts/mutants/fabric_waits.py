"""Mistakes in what the conduit over libfabric does beside messages and transfers."""

from mutants.base import mutant

_NODES = "//conduits/ofi:node_list_test"
_SILENCE = "//conduits/ofi:silence_test_par"

# --- Which nodes list their devices ---

mutant(
    "ofi_node_list_is_its_first_part", "conduits/ofi/node_list.cc",
    "    more = comma != std::string_view::npos;\n",
    "    more = text.empty();\n",
    _NODES,
)
mutant(
    "ofi_node_range_without_its_last", "conduits/ofi/node_list.cc",
    "node <= each.last;",
    "node < each.last;",
    _NODES,
)
mutant(
    "ofi_node_range_backwards", "conduits/ofi/node_list.cc",
    "if (!first || !last || *last < *first)",
    "if (!first || !last)",
    _NODES,
)
mutant(
    "ofi_node_number_with_something_behind", "conduits/ofi/node_list.cc",
    "if (error != std::errc() || rest != end)",
    "if (error != std::errc())",
    _NODES,
)

# --- One lock, and who waits for it ---

mutant(
    "ofi_pollers_go_before_senders", "conduits/ofi/domain_lock.h",
    "bool try_lock() { return !IsWaitedFor() && TryLockAnyway(); }",
    "bool try_lock() { return TryLockAnyway(); }",
    "//conduits/ofi:domain_lock_test",
)
mutant(
    "ofi_sender_waits_unseen", "conduits/ofi/domain_lock.h",
    "    waiting_.fetch_sub(1, std::memory_order_relaxed);\n",
    "",
    "//conduits/ofi:domain_lock_test",
)
mutant(
    "ofi_who_has_what_is_not_told", "conduits/ofi/agreement.cc",
    "return groups.size() < 2 ? \"\"",
    "return !groups.empty() ? \"\"",
    "//conduits/ofi:agreement_test",
)

# --- Who is waited for ---

mutant(
    "ofi_silence_told_again_and_again", "conduits/ofi/silence.cc",
    "  told_ = true;\n",
    "",
    _SILENCE,
)
mutant(
    "ofi_peer_that_takes_again_is_waited_for", "conduits/ofi/messages.cc",
    "  peer.refused = 0;\n  --refusals_;\n",
    "",
    _SILENCE,
)

mutant(
    "ofi_transfer_that_is_not_taken_is_not_told", "conduits/ofi/transfers.cc",
    "  NoteRefusal(operation);\n",
    "",
    _SILENCE,
)
mutant(
    "ofi_transfer_that_was_not_taken_is_told_for_ever", "conduits/ofi/transfers.h",
    "    if (refusal_.peer == peer) refusal_.since = 0;\n",
    "",
    _SILENCE,
)
mutant(
    "ofi_transfer_to_a_rank_that_has_left_ends_twice", "conduits/ofi/transfers.cc",
    "  if (!operation.given_up) operation.complete->End();\n",
    "  operation.complete->End();\n",
    "//conduits/ofi:transfer_posts_test_par",
)

# --- What is left behind ---

mutant(
    "ofi_provider_keeps_processors_and_signals", "conduits/ofi/start.cc",
    "  const ProcessStateKept kept;\n",
    "",
    "//conduits/ofi/testing:traces_test",
)
mutant(
    "ofi_provider_keeps_processors", "base/process_state.cc",
    "if (has_cpus_) sched_setaffinity",
    "if (!has_cpus_) sched_setaffinity",
    "//conduits/ofi/testing:traces_test", "//base:process_state_test",
)
mutant(
    "library_that_starts_handles_signals", "base/process_state.h",
    "  const BlockAllSignals until_the_rest_is_as_before_;\n",
    "",
    "//base:process_state_test",
)

mutant(
    "ofi_file_of_shm_left", "conduits/ofi/network.cc",
    "    endpoint_->RemoveFile();\n",
    "",
    "//conduits/ofi/testing:traces_test",
)
