"""Mistakes in transfers in pieces."""

from mutants.base import mutant

_FRONT = "//vis:front_test_par"
_PACKET = "//vis:packet_test"
_STRIDED = "//vis:strided_test"
_COPY = "//vis:copy_test"
_MISUSE = "//conformance:smp_par_checked_misuse_pieces"

# --- The normal form and copies ---

mutant(
    "vis_empty_level_is_dropped", "vis/strided.cc",
    "    if (count == 0) {\n      run = 0;\n",
    "    if (count == 0 && level == 0) {\n      run = 0;\n",
    _FRONT, _STRIDED,
)

mutant(
    "vis_squares_without_their_rest", "vis/copy.cc",
    "      part.count = std::min(kSquare, row.count - i);\n",
    "      part.count = row.count < kSquare ? row.count : kSquare;\n",
    _COPY,
)

# --- Packets ---

mutant(
    "vis_stride_may_wrap", "vis/packet.cc",
    "if (__builtin_mul_overflow(head.stride, head.count - 1, &steps) ||",
    "if ((steps = static_cast<int64_t>(static_cast<uint64_t>(head.stride) * (head.count - 1))) == 1 ||",
    _PACKET,
)
mutant(
    "vis_entries_not_checked", "vis/packet.cc",
    "    if (refusal.why != nullptr) return refusal;\n  }\n  return {};\n",
    "    if (refusal.why != nullptr && i == 0) return refusal;\n  }\n  return {};\n",
    _PACKET,
)
mutant(
    "vis_data_may_be_missing", "vis/packet.cc",
    'if (block.nbytes > bytes_.size() - at) return "a block\'s data are cut off";',
    "if (block.nbytes > bytes_.size()) return nullptr;",
    _PACKET,
)
mutant(
    "vis_reply_without_bound", "vis/packet.cc",
    "if (all > data_room)",
    "if (all == 0)",
    _PACKET,
)

mutant(
    "vis_description_again_behind_data", "vis/packet_writer.cc",
    "    at = end;\n",
    "    at = 0 * end;\n",
    _PACKET,
)

# --- The work at the target afterwards ---

mutant(
    "vis_contiguous_by_its_inner_level", "vis/strided.cc",
    "    if (dims[level].*stride != extent) return false;\n",
    "    if (level == 0 && dims[level].*stride != extent) return false;\n",
    _STRIDED,
)

# --- Arguments ---

mutant(
    "vis_steps_may_wrap", "vis/argument_checks.cc",
    "    if (__builtin_mul_overflow(count - 1, descends ? 0 - stride : stride,\n                               &steps) ||\n",
    "    if ((steps = (count - 1) * stride) == 1 ||\n",
    _MISUSE,
)
mutant(
    "vis_extent_may_wrap", "vis/argument_checks.cc",
    "        __builtin_add_overflow(side, steps, &side) ||\n",
    "        (side += steps) == 1 ||\n",
    _MISUSE,
)

# --- Gets and completion ---

mutant(
    "vis_landing_counts_32_bits", "vis/landing.cc",
    "  uint64_t number = offset / shape.run;\n",
    "  uint32_t number = static_cast<uint32_t>(offset) / shape.run;\n",
    "//vis:landing_test",
)
mutant(
    "vis_totals_not_compared", "vis/argument_checks.h",
    "  if (nbytes != from.nbytes()) [[unlikely]]",
    "  if (nbytes == 1 + from.nbytes()) [[unlikely]]",
    _FRONT,
)
