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
