"""Mistakes in the conduit over libfabric that a job notices over a provider that
holds it to the rules (conduits/ofi/testing/strict)."""

from mutants.base import mutant

_ROWS = "//conformance:ofi_strict_"
_DEMANDING = _ROWS + "demanding_par_fast_"
_FLUSHED = _ROWS + "flushed_par_fast_"
_ORDERED = _ROWS + "ordered_par_fast_"
_SCARCE = _ROWS + "scarce_par_fast_"

mutant(
    "ofi_strict_order_taken_for_granted", "conduits/ofi/longs.cc",
    "const bool at_once = path_ != LongPath::kInTwoSteps;",
    "const bool at_once = true;",
    _DEMANDING + "am",
)
mutant(
    "ofi_strict_put_is_over_when_it_has_left", "conduits/ofi/transfers.cc",
    "(left ? FI_TRANSMIT_COMPLETE",
    "(left || !flushed ? FI_TRANSMIT_COMPLETE",
    _DEMANDING + "transfer",
)
mutant(
    "ofi_strict_descriptor_not_passed", "conduits/ofi/transfers.cc",
    "  message.desc = &ends.descriptor;\n",
    "  message.desc = nullptr;\n",
    _DEMANDING + "transfer",
)
mutant(
    "ofi_strict_region_not_bound_to_its_endpoint", "conduits/ofi/endpoint.cc",
    "if (paths_.endpoint_registration) {",
    "if (paths_.endpoint_registration && nbytes == 0) {",
    _DEMANDING + "transfer",
)
mutant(
    "ofi_strict_untouched_memory_registered", "conduits/ofi/endpoint.cc",
    "  if (paths_.allocated) Touch(memory, nbytes);\n",
    "",
    _DEMANDING + "transfer",
)
mutant(
    "ofi_strict_offset_for_an_address", "conduits/ofi/transfers.cc",
    "{memory.first + offset, local.nbytes, memory.key}",
    "{offset, local.nbytes, memory.key}",
    _DEMANDING + "transfer",
)

mutant(
    "ofi_strict_fence_not_set", "conduits/ofi/messages.cc",
    "FI_COMPLETION | FI_FENCE",
    "FI_COMPLETION",
    _SCARCE + "am",
)
mutant(
    "ofi_strict_fence_waits_for_what_has_left", "conduits/ofi/messages.cc",
    "FI_COMPLETION | FI_FENCE | FI_DELIVERY_COMPLETE",
    "FI_COMPLETION | FI_FENCE",
    _FLUSHED + "am",
)
mutant(
    "ofi_strict_sends_take_places_of_transfers", "conduits/ofi/paths.cc",
    "             .sends = SendsOf(info),\n",
    "             .sends = SIZE_MAX,\n",
    _DEMANDING + "am",
)
mutant(
    "ofi_strict_put_waits_for_no_read", "conduits/ofi/transfers.cc",
    "  put.awaited = 2;\n",
    "  put.awaited = 1;\n",
    _FLUSHED + "transfer",
)
mutant(
    "ofi_strict_inject_larger_than_the_provider_takes",
    "conduits/ofi/transfers.cc",
    "put.nbytes <= endpoint_.paths().inject_bytes;",
    "put.nbytes <= endpoint_.paths().most_bytes;",
    _DEMANDING + "transfer",
)
mutant(
    "ofi_strict_transfer_larger_than_the_provider_takes",
    "conduits/ofi/transfers.cc",
    "std::min(put.nbytes, endpoint_.paths().most_bytes)",
    "put.nbytes",
    _DEMANDING + "transfer",
)
mutant(
    "ofi_strict_memory_posted_unregistered", "conduits/ofi/transfers.h",
    "return endpoint_.paths().local_registration && !IsMine(address, nbytes);",
    "return nbytes == 0 && !IsMine(address, nbytes);",
    _DEMANDING + "transfer",
)
mutant(
    "ofi_strict_get_left_in_its_bounce_buffer", "conduits/ofi/transfers.cc",
    "    std::memcpy(operation.dest, operation.bounce, operation.nbytes);\n",
    "",
    _DEMANDING + "transfer",
)
mutant(
    "ofi_strict_key_of_our_own", "conduits/ofi/endpoint.cc",
    "  registered.key = fi_mr_key(registered.region);\n",
    "  registered.key = key;\n",
    _DEMANDING + "transfer",
)
mutant(
    "ofi_strict_context_too_small", "conduits/ofi/context.h",
    "  fi_context2 scratch;\n",
    "  fi_context scratch;\n",
    _DEMANDING + "am",
)
mutant(
    "ofi_strict_sent_without_credit", "conduits/ofi/messages.cc",
    "  if (!credit.Take(cost)) return Refused(peer, /*by_provider=*/false);\n",
    "  credit.Take(cost);\n",
    _DEMANDING + "am",
)
mutant(
    "ofi_strict_buffer_posted_again_under_a_frame",
    "conduits/ofi/receive_buffers.cc",
    "    if (buffer.frames == 0) Repost(buffer);\n",
    "    Repost(buffer);\n",
    _ORDERED + "am",
)
mutant(
    "ofi_strict_injected_larger_than_the_provider_takes",
    "conduits/ofi/messages.cc",
    "return bytes <= endpoint_.paths().frames.inject_bytes &&",
    "return bytes <= 2 * endpoint_.paths().frames.inject_bytes &&",
    _ORDERED + "am",
)
