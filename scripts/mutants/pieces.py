"""Mistakes in transfers in pieces."""

from mutants.base import mutant

_FRONT = "//vis:front_test_par"
_PACKET = "//vis:packet_test"
_STRIDED = "//vis:strided_test"
_COPY = "//vis:copy_test"
_SETTINGS = "//vis:settings_test"
_SHARING = "//vis:sharing_test_par"
_MISUSE = "//conformance:smp_par_checked_misuse_pieces"

# --- The normal form and copies ---

mutant(
    "vis_joined_on_one_side_alone", "vis/strided.cc",
    "dim.to_stride == run && dim.from_stride == run",
    "dim.to_stride == run",
    _STRIDED, _FRONT,
)
mutant(
    "vis_levels_joined_on_one_side_alone", "vis/strided.cc",
    "dim.to_stride == inner->to_stride * inner->count &&\n"
    "               dim.from_stride == inner->from_stride * inner->count",
    "dim.to_stride == inner->to_stride * inner->count",
    _STRIDED, _FRONT,
)
mutant(
    "vis_one_repetition_is_a_level", "vis/strided.cc",
    "} else if (count > 1) {",
    "} else {",
    _STRIDED,
)
mutant(
    "vis_empty_level_is_dropped", "vis/strided.cc",
    "    if (count == 0) {\n      run = 0;\n",
    "    if (count == 0 && level == 1) {\n      run = 0;\n",
    _FRONT, _STRIDED,
)
mutant(
    "vis_odometer_does_not_go_back", "vis/strided.h",
    "      row.from -= dim.count * dim.from_stride;\n",
    "",
    _STRIDED, _FRONT,
)
mutant(
    "vis_runs_merged_on_one_side_alone", "vis/lists.h",
    "to.address() == to_begin + run &&\n"
    "        from.address() == from_begin + run",
    "to.address() == to_begin + run",
    _FRONT,
)

mutant(
    "vis_what_is_not_alike_is_left_out", "vis/copy.cc",
    "  CopyRuns(to.From(alike), to_displacement, from.From(alike),\n"
    "           from_displacement);\n",
    "",
    _COPY,
)
mutant(
    "vis_squares_without_their_rest", "vis/copy.cc",
    "      part.count = std::min(kSquare, row.count - i);\n",
    "      part.count = row.count < kSquare ? row.count : kSquare;\n",
    _COPY,
)

# --- Packets ---

mutant(
    "vis_last_row_not_checked", "vis/packet.cc",
    "return first.why != nullptr ? first : check(last, head.run);",
    "return first;",
    _PACKET,
)
mutant(
    "vis_stride_may_wrap", "vis/packet.cc",
    "if (__builtin_mul_overflow(head.stride, uint64_t{head.count - 1}, &last) ||",
    "if ((last = head.stride * (head.count - 1)) == 1 ||",
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
    "vis_far_addresses_in_one_block", "vis/packet_writer.cc",
    "while (near < fit && IsNear(base, AddressOf(bases[near]))) ++near;",
    "while (near < fit) ++near;",
    _PACKET,
)
mutant(
    "vis_packet_overflows", "vis/packet_writer.cc",
    "  const size_t room = room_ - size_ - sizeof(Head);\n",
    "  const size_t room = room_ - size_;\n",
    _PACKET,
)
mutant(
    "vis_open_block_not_closed", "vis/packet_writer.cc",
    "  CloseVaried();\n  const size_t fit = FitListed(bases, run, count);\n"
    "  if (fit == 0) return 0;\n  BeginListed(bases, run, fit);\n"
    "  if (brings_data_) Bring({written_, nullptr, local, 0, fit * run, 1});\n",
    "  const size_t fit = FitListed(bases, run, count);\n"
    "  if (fit == 0) return 0;\n  BeginListed(bases, run, fit);\n"
    "  if (brings_data_) Bring({written_, nullptr, local, 0, fit * run, 1});\n"
    "  CloseVaried();\n",
    _PACKET,
)

mutant(
    "vis_description_again_behind_data", "vis/packet_writer.cc",
    "    at = end;\n",
    "    at = 0 * end;\n",
    _PACKET,
)
mutant(
    "vis_gathered_in_fragments_is_not", "core/datagram/endpoint_send.h",
    "    return SendFragments(channel, lane, am::Gathered(message).message());\n",
    "    return SendFragments(channel, lane, message);\n",
    "//core/datagram:sizes_test_par",
)

# --- What follows at the target ---

mutant(
    "vis_joins_whatever_is_asked_for", "vis/packet_writer.cc",
    "  if (!joins_ || varied_ == 0) return false;\n",
    "  if (varied_ == 0) return false;\n",
    _PACKET,
)
mutant(
    "vis_joins_over_a_gap", "vis/packet_writer.cc",
    "return base == Moved(varied_base_, last.offset) + last.run;",
    "return base >= Moved(varied_base_, last.offset) + last.run;",
    _PACKET, _FRONT,
)
mutant(
    "vis_sources_without_bound", "vis/packet_writer.cc",
    "  if (varied_ == kMostPieces || num_sources_ == kMostPieces ||\n",
    "  if (varied_ == kMostPieces ||\n",
    _PACKET,
)
mutant(
    "vis_short_rows_have_blocks_of_their_own", "vis/packet_writer.cc",
    "  if (row.count * sizeof(Piece) < sizeof(Head)) return true;\n",
    "",
    _PACKET,
)
mutant(
    "vis_what_lies_apart_is_packed_unasked", "vis/settings.h",
    "return packs || (joins && contiguous);",
    "return packs || joins;",
    _SETTINGS,
)
mutant(
    "vis_contiguous_by_its_inner_level", "vis/strided.cc",
    "    if (dims[level].*stride != extent) return false;\n",
    "    if (level == 0 && dims[level].*stride != extent) return false;\n",
    _STRIDED,
)
mutant(
    "vis_gets_ask_for_the_local_side", "vis/transfers.h",
    "Packets packets(iop, node, shape.IsContiguous(&Dim::from_stride),",
    "Packets packets(iop, node, shape.IsContiguous(&Dim::to_stride),",
    _SHARING,
)

# --- Arguments ---

mutant(
    "vis_steps_may_wrap", "vis/argument_checks.cc",
    "    if (__builtin_mul_overflow(count - 1, stride, &steps) ||\n",
    "    if ((steps = (count - 1) * stride) == 1 ||\n",
    _MISUSE,
)
mutant(
    "vis_extent_may_wrap", "vis/argument_checks.cc",
    "        __builtin_add_overflow(extent, steps, &extent)) {\n",
    "        (extent += steps) == 1) {\n",
    _MISUSE,
)

# --- Gets and completion ---

mutant(
    "vis_stream_not_advanced_by_what_goes_alone", "vis/transfers.h",
    "      Extended::Get(iop_, to, node_, from, nbytes);\n"
    "      done_ += nbytes;\n",
    "      Extended::Get(iop_, to, node_, from, nbytes);\n",
    _FRONT,
)
mutant(
    "vis_packet_spans_what_goes_alone", "vis/transfers.h",
    "      SendGet();\n      Extended::Get(iop_",
    "      Extended::Get(iop_",
    _FRONT,
)
mutant(
    "vis_landing_at_the_begin_of_an_entry", "vis/landing.cc",
    "to.run(at) - (*entry - offset)",
    "0",
    _FRONT,
)
mutant(
    "vis_landing_forgets_the_outer_levels", "vis/landing.cc",
    "      at[level] = 0;\n    }\n  }\n}\n",
    "    }\n  }\n}\n",
    _FRONT,
)
mutant(
    "vis_landing_counts_32_bits", "vis/landing.cc",
    "  uint64_t number = offset / shape.run;\n",
    "  uint32_t number = static_cast<uint32_t>(offset) / shape.run;\n",
    "//vis:landing_test",
)
mutant(
    "vis_last_packet_not_sent", "vis/transfers.h",
    "        if (added == 0) packets.SendPut();\n      }\n    });\n"
    "    packets.SendPut();\n",
    "        if (added == 0) packets.SendPut();\n      }\n    });\n",
    _FRONT,
)
mutant(
    "vis_region_not_awaited", "vis/ways.h",
    "      send(Operations::Mine().current());",
    "      send(Operations::Mine().TakeIop());",
    _FRONT,
)
mutant(
    "vis_totals_not_compared", "vis/argument_checks.h",
    "  if (nbytes != from.nbytes()) [[unlikely]]",
    "  if (nbytes == 1 + from.nbytes()) [[unlikely]]",
    _FRONT,
)

# --- Planes ---

mutant(
    "vis_plane_takes_rows_of_other_strides", "vis/packet_writer.cc",
    "next.list != nullptr || next.stride != row.stride ||",
    "next.list != nullptr ||",
    "//vis:planes_test",
)
mutant(
    "vis_plane_takes_rows_of_other_counts", "vis/packet_writer.cc",
    "next.run != row.run || next.count != row.count ||",
    "next.run != row.run ||",
    "//vis:planes_test",
)
mutant(
    "vis_plane_takes_rows_that_begin_elsewhere", "vis/packet_writer.cc",
    "        from_last.to_stride != apart.to_stride ||\n"
    "        from_last.from_stride != apart.from_stride) {",
    "        from_last.to_stride != apart.to_stride) {",
    "//vis:planes_test",
)
mutant(
    "vis_asked_plane_takes_rows_of_other_counts", "vis/packet.cc",
    "head.run != row.run || head.count != row.count) {",
    "head.run != row.run) {",
    "//vis:planes_test",
)
mutant(
    "vis_asked_plane_takes_rows_that_begin_elsewhere", "vis/packet.cc",
    "                         : apart.from_stride != outer.from_stride) {",
    "                         : false) {",
    "//vis:planes_test",
)
