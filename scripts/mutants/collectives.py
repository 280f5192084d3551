"""Mistakes in collectives."""

from mutants.base import mutant, row, udp

_OPERATIONS = row("coll_operations")
_RANDOM = row("coll_random")
_MANY = row("coll_outstanding")
_WORLD = "//coll:world_test_par"
_ALGORITHMS = "//coll:algorithms_test_par"
_ROUNDS = "//coll:rounds_test_par"
_DISAGREEMENT = "//coll:disagreement_test_par"
_FRONT = "//export:coll_functions_test_par"
_IMAGES = "//coll:images_test_par"
_FOLD = "//coll:engine_parts_test_par"
_ROW = row("coll_unequal")

# --- Blocks: each in its place ---

mutant(
    "coll_sizes_without_its_own", "coll/algorithms/sizes.cc",
    "    to += size;\n",
    "    if (node != at.me()) to += size;\n",
    _OPERATIONS,
)
mutant(
    "coll_second_block_of_a_node_not_copied", "coll/algorithms/broadcast.cc",
    "if (at.MyBlocks() > 1) at.CopyToAll(at.request.dests[0], at.nbytes(), 1);",
    "if (at.MyBlocks() > 2) at.CopyToAll(at.request.dests[0], at.nbytes(), 2);",
    _OPERATIONS, row("coll_images"),
)
mutant(
    "coll_image_in_the_place_of_another", "coll/images.cc",
    "meeting.dests_[image] = request.dests[0];",
    "meeting.dests_[meeting.entered_ - 1] = request.dests[0];",
    row("coll_images"),
)

# --- The end: not too early, not never ---

mutant(
    "coll_meeting_of_two_of_many", "coll/assembly.cc",
    "return meeting.heard == (silent ? 0 : nodes - 1);",
    "return meeting.heard >= (silent ? 0u : 1u);",
    _OPERATIONS, _RANDOM,
)
mutant(
    "coll_allsync_before_all_have_moved", "coll/node.cc",
    "      return op.stage == Stage::kFinished;\n",
    "      return op.stage >= Stage::kMoved && op.outs_left == 0;\n",
    _OPERATIONS, _RANDOM,
)

# --- Disagreement and teams ---

mutant(
    "coll_disagreement_goes_unseen", "coll/node.cc",
    "  RequireSameTerms(*op, envelope);\n",
    "",
    row("misuse_collectives"), _DISAGREEMENT,
)

# --- Operations that end within their call ---

mutant(
    "coll_at_once_beyond_the_window", "coll/at_once.cc",
    "    return op.team->window.MaySend(out.to, op.number);\n",
    "    return out.to != op.team->me();\n",
    _WORLD, _MANY,
)
mutant(
    "coll_at_once_with_what_is_missing", "coll/at_once.cc",
    "  return op.ins_left == 0;\n",
    "  return op.ins_left < op.ins.size();\n",
    _WORLD,
)
mutant(
    "coll_at_once_passes_on_what_has_not_come", "coll/at_once.cc",
    "OutPart::State::kDone || MustWait(op, out)) continue;",
    "OutPart::State::kDone) continue;",
    _WORLD,
)

# --- The driving thread ---

mutant(
    "coll_elements_of_no_bytes", "export/coll/reduction_of.cc",
    "if (elem_size == 0)",
    "if (elem_count == SIZE_MAX)",
    "//export:coll_functions_test_par",
)

# --- Data that is passed on, and data that goes in rounds ---

mutant(
    "coll_passes_on_what_has_not_come", "coll/operation.h",
    "         !op.ins[out.after].done;\n",
    "         op.ins_left == op.ins.size();\n",
    _WORLD,
)
mutant(
    "coll_segments_down_the_best_tree", "coll/algorithms/broadcast.cc",
    "const bool chain = segments > 1 && segments >= at.team.hosts();",
    "const bool chain = segments > at.team.hosts() * 1000;",
    _ROUNDS,
)
mutant(
    "coll_segments_all_wait_for_the_last", "coll/algorithms/broadcast.cc",
    "is_root ? OutPart::kNothing : i);",
    "is_root ? OutPart::kNothing\n"
    "                     : static_cast<uint32_t>(segments - 1));",
    _ROUNDS,
)
mutant(
    "coll_gather_rounds_not_turned", "coll/algorithms/bruck.cc",
    "    const size_t below = at.me() * at.nbytes();\n",
    "    const size_t below = 0 * at.nbytes();\n",
    _ROUNDS,
)

# --- Nodes that disagree get a message ---

mutant(
    "coll_own_sizes_without_an_offer", "coll/parts.cc",
    "if (traits.has_own_sizes || op.request->nbytes >= Terms::kMany) return true;",
    "if (op.request->nbytes >= Terms::kMany) return true;",
    udp("misuse_collectives"),
)

# --- Images ---

mutant(
    "coll_images_must_promise_alike", "coll/images.cc",
    "((a.flags ^ b.flags) & ~kPromises) == 0 &&",
    "a.flags == b.flags &&",
    _IMAGES,
)

# --- Generalized puts and gets ---

mutant(
    "coll_driver_waits_for_partners", "coll/node.cc",
    "if (!fabric_.HaveMoved(*op.moves)) return false;",
    "while (!fabric_.HaveMoved(*op.moves)) continue;",
    "//coll:driving_test_par",
)
mutant(
    "coll_transfers_waited_for_where_they_begin", "coll/conduit_fabric.h",
    "    return HaveMoved(moves) ? nullptr : &moves;\n",
    "    runtime->engine().WaitUntil([&] { return moves.iop.IsDone(); });\n"
    "    return HaveMoved(moves) ? nullptr : &moves;\n",
    udp("coll_partners"),
)
mutant(
    "coll_put_over_before_it_has_moved", "coll/node.cc",
    "if (!fabric_.HaveMoved(*op.moves)) return false;",
    "if (op.moves == nullptr) return false;",
    "//coll:world_test_par",
)

# --- Barriers of teams ---

mutant(
    "coll_barrier_strict_for_ever", "export/coll/barriers.h",
    "                             P::HasRelaxedBarrierFlags())\n",
    "                             false)\n",
    _FRONT,
)

# --- Hosts ---

mutant(
    "coll_leader_sends_to_another", "coll/tree.cc",
    "tree.children.push_back(leaders.nodes[other]);",
    "tree.children.push_back(leaders.nodes[other - 1]);",
    udp("coll_operations"),
)

mutant(
    "coll_hosts_share_the_memory_of_their_blocks", "coll/algorithms/scatter.cc",
    "std::byte* const copy = at.Memory(all.size() * nbytes) + before * nbytes;",
    "std::byte* const copy = at.Memory(all.size() * nbytes) + 0 * before;",
    _ALGORITHMS,
)
mutant(
    "coll_central_gather_whatever_the_bytes", "coll/choice.cc",
    "    if (call.InCrowd()) return algorithms::kCentralGatherAll;\n",
    "  }\n"
    "  if (call.IsOneBlockEach()) {\n"
    "    if (call.InCrowd()) return algorithms::kCentralGatherAll;\n",
    _ALGORITHMS,
)
mutant(
    "coll_central_exchange_whatever_the_bytes", "coll/choice.cc",
    "if (call.InCrowd() && call.AllHold(call.settings.eager_far)) {",
    "if (call.InCrowd() && call.nbytes() > 0) {",
    _ALGORITHMS,
)
mutant(
    "coll_sklansky_larger_last", "coll/algorithms/sklansky.cc",
    "const size_t larger = ChainBlocks(me >> (round + 1));",
    "const size_t larger = ChainBlocks(me & (step - 1));",
    _ALGORITHMS,
)
mutant(
    "coll_sklansky_sends_what_it_overwrites", "coll/algorithms/sklansky.cc",
    "    for (Rank to = me + 1; to <= end; ++to) at.Out(to, 0, subtree, nbytes);",
    "    const std::byte* const sent =\n"
    "        round == 0 ? at.request.sources[0] : subtree;\n"
    "    for (Rank to = me + 1; to <= end; ++to) at.Out(to, 0, sent, nbytes);",
    _WORLD,
)
mutant(
    "coll_center_passes_on_its_own_vote", "coll/algorithms/barrier.cc",
    "    const size_t place = at.nodes() + at.index();\n",
    "    const size_t place = at.nodes();\n"
    "    if (at.index() == 1) at.op.vote = at.request.vote;\n",
    _WORLD,
)

# --- Elements of a node, which become one ---

mutant(
    "coll_fold_drops_the_last_of_a_pass", "coll/combine_fold.cc",
    "    if (count % 2 != 0) {\n",
    "    if (count % 2 != 0 && count == 1) {\n",
    _ROW,
)
mutant(
    "coll_fold_drops_the_rest", "coll/combine_fold.cc",
    "const std::byte* sum = rest == 0 ? nullptr : FoldChunk(at, rest);",
    "const std::byte* sum =\n"
    "      rest == 0 || chunks > 0 ? nullptr : FoldChunk(at, rest);",
    _ROW,
)
mutant(
    "coll_fold_by_chunks_that_are_no_subtrees", "coll/combine_fold.cc",
    "      std::bit_floor(std::max<size_t>(1, kChunk / how.elem_size));",
    "      std::max<size_t>(1, kChunk / how.elem_size / 3 * 3);",
    _FOLD,
)

# --- Elements of all nodes ---

mutant(
    "coll_unequal_carry_has_its_own", "coll/unequal.h",
    "Combine(team_.me(), before.data());",
    "Combine(team_.me() + 1, before.data());",
    _ROW,
)
mutant(
    "coll_unequal_prefix_turned", "coll/unequal.h",
    "const void* const both[] = {before.data(), own};\n"
    "      const size_t first = has_before ? 0 : 1;\n",
    "const void* const both[] = {\n"
    "          own, has_before ? before.data()->bytes : own};\n"
    "      const size_t first = has_before ? 0 : 1;\n",
    _ROW,
)
mutant(
    "coll_unequal_exclusive_has_its_own", "coll/unequal.h",
    "how_.exclusive ? before.data() : with_own.data(), size);",
    "how_.exclusive && i > 0 ? before.data() : with_own.data(), size);",
    _ROW,
)
mutant(
    "coll_unequal_written_before_it_is_read", "coll/unequal.h",
    "      const size_t first = has_before ? 0 : 1;\n",
    "      const size_t first = has_before ? 0 : 1;\n"
    "      if (how_.exclusive && has_before)\n"
    "        std::memcpy(Result() + i * size, before.data(), size);\n",
    _ROW,
)
mutant(
    "coll_unequal_total_of_those_before", "coll/unequal.h",
    "Combine(team_.nodes(), Result());",
    "Combine(team_.nodes() - 1, Result());",
    _ROW,
)
