"""Mistakes in collectives."""

from mutants.base import fake, mutant, row, udp

_OPERATIONS = row("coll_operations")
_RANDOM = row("coll_random")
_MANY = row("coll_outstanding")
_APART = udp("coll_operations")
_WORLD = "//coll:world_test_par"
_SCHEDULE = "//coll:schedule_test_par"
_ROUNDS = "//coll:rounds_test_par"
_DRIVING = "//coll:driving_test_par"
_DISAGREEMENT = "//coll:disagreement_test_par"

# --- Reductions: everything once, in order ---

mutant(
    "coll_function_gets_the_right_first", "coll/combine.cc",
    "how_->function(result, elements, left, elements, right,",
    "how_->function(result, elements, right, elements, left,",
    _OPERATIONS,
)
mutant(
    "coll_prefix_of_higher_first", "coll/combine.cc",
    "Pair(to, part, sum, elements);",
    "Pair(to, sum, part, elements);",
    _OPERATIONS,
)
mutant(
    "coll_prefix_subtree_turned", "coll/combine.cc",
    "Pair(to, tree[level], part, elements);",
    "Pair(to, part, tree[level], elements);",
    _OPERATIONS,
)
mutant(
    "coll_chain_carries_the_wrong_way", "coll/combine.cc",
    "Pair(last, before + (i - 1) * bytes, sum, how.elem_count);",
    "Pair(last, sum, before + (i - 1) * bytes, how.elem_count);",
    "//coll:engine_parts_test_par",
)
mutant(
    "coll_subtrees_turned_on_the_way_up", "coll/schedule_reduce.cc",
    "const void* const both[] = {left, op_.ins[0].bytes()};",
    "const void* const both[] = {op_.ins[0].bytes(), left};",
    _APART,
)
mutant(
    "coll_exclusive_has_its_own", "coll/schedule_reduce.cc",
    "const size_t count = MyBlock(j) + (request.reduction.exclusive ? 0 : 1);",
    "const size_t count = MyBlock(j) + 1;",
    _OPERATIONS,
)
mutant(
    "coll_two_hosts_take_slices", "coll/schedule_reduce.cc",
    "  if (IsFarPair()) return Form::kFlat;\n",
    "",
    _ROUNDS,
)
mutant(
    "coll_lent_slices_returned_before_use", "coll/node.h",
    "    Of(op).Finish();\n    ReturnBorrowed(op);\n",
    "    ReturnBorrowed(op);\n    Of(op).Finish();\n",
    _OPERATIONS, _RANDOM,
)

# --- Blocks: each where it belongs ---

mutant(
    "coll_scatter_counts_from_the_root", "coll/schedule_move.cc",
    "if (owner != me()) Out(owner, k, from + k * nbytes, nbytes);",
    "if (owner != me()) Out(owner, k, from + i * nbytes, nbytes);",
    _OPERATIONS,
)
mutant(
    "coll_gather_puts_its_own_first", "coll/schedule_move.cc",
    "CopyBytes(area + MyBlock(j) * nbytes, request.sources[j], nbytes);",
    "CopyBytes(area + j * nbytes, request.sources[j], nbytes);",
    _OPERATIONS,
)
mutant(
    "coll_exchange_sends_its_own_block", "coll/schedule_move.cc",
    "op_.request->sources[j] + other * nbytes, nbytes);",
    "op_.request->sources[j] + mine * nbytes, nbytes);",
    _OPERATIONS,
)
mutant(
    "coll_sizes_without_its_own", "coll/schedule_pairs.cc",
    "      to += request.in_sizes[node];\n",
    "      if (node != me()) to += request.in_sizes[node];\n",
    _OPERATIONS,
)
mutant(
    "coll_second_block_of_a_node_not_copied", "coll/schedule_move.cc",
    "if (mine > 1) CopyToAll(request.dests[0], nbytes, 1);",
    "if (mine > 2) CopyToAll(request.dests[0], nbytes, 2);",
    _OPERATIONS, row("coll_images"),
)
mutant(
    "coll_image_in_the_place_of_another", "coll/images.cc",
    "meeting.dests_[image] = request.dests[0];",
    "meeting.dests_[meeting.entered_ - 1] = request.dests[0];",
    row("coll_images"),
)

# --- When: not before, not for ever ---

mutant(
    "coll_allsync_does_not_meet_first", "coll/node.h",
    "op.request->in == Sync::kAll ? Stage::kMeetingIn : Stage::kMoving;",
    "Stage::kMoving;",
    _OPERATIONS, _RANDOM,
)
mutant(
    "coll_meeting_of_two_of_many", "coll/assembly.h",
    "return meeting.heard == (silent ? 0 : nodes - 1);",
    "return meeting.heard >= (silent ? 0u : 1u);",
    _OPERATIONS, _RANDOM,
)
mutant(
    "coll_mysync_before_the_source_is_read", "coll/node.h",
    "return op.stage >= Stage::kMoved && op.outs_left == 0;\n"
    "      case Sync::kAll:",
    "return op.stage >= Stage::kMoved;\n      case Sync::kAll:",
    _OPERATIONS, _RANDOM,
)
mutant(
    "coll_allsync_before_all_have_moved", "coll/node.h",
    "        return op.stage == Stage::kFinished;\n",
    "        return op.stage >= Stage::kMoved && op.outs_left == 0;\n",
    _OPERATIONS, _RANDOM,
)
mutant(
    "coll_lent_source_given_back_at_once", "coll/parts.h",
    "if (out.state == OutState::kLent && op.loan.IsOver()) OutDone(op, out);",
    "if (out.state == OutState::kLent) OutDone(op, out);",
    _APART, fake("coll_operations"), udp("coll_random"),
)
mutant(
    "coll_part_taken_before_its_phase", "coll/node.h",
    "    if (op.stage < Stage::kMoving) return true;\n",
    "",
    _OPERATIONS, _RANDOM,
)

# --- The window ---

mutant(
    "coll_one_beyond_the_window", "coll/window.h",
    "return number - peers_[to].base < kWindow;",
    "return number - peers_[to].base <= kWindow;",
    _MANY,
)
mutant(
    "coll_asks_for_the_base_once", "coll/window.h",
    "    peer.asked = false;\n",
    "",
    _MANY,
)
mutant(
    "coll_base_told_without_its_upper_half", "coll/courier.h",
    "    header.number = team.window.base();\n",
    "",
    "//coll:world_test_par",
)
mutant(
    "coll_chain_without_optimisation", "coll/settings.cc",
    "    settings.chain_from = settings.ring_from = SIZE_MAX;\n",
    "    settings.ring_from = SIZE_MAX;\n",
    "//coll:engine_parts_test_par",
)
mutant(
    "coll_who_asked_is_not_told", "coll/node.h",
    "team.window.ForAdmitted([&](Rank rank) { SendBase(team, rank); });",
    "team.window.ForAdmitted([](Rank) {});",
    _MANY,
)
mutant(
    "coll_base_never_told_unasked_or_asked", "coll/courier.h",
    "      team.window.Wants(from, header.number);\n",
    "",
    _MANY,
)

# --- Disagreement and teams ---

mutant(
    "coll_disagreement_goes_unseen", "coll/node.h",
    "    RequireSameTerms(*op, envelope);\n",
    "",
    row("misuse_collectives"),
)

# --- What is over within its call ---

mutant(
    "coll_at_once_beyond_the_window", "coll/at_once.h",
    "may = may && call.team.window.MaySend(to, call.number);",
    "may = may && to != call.team.me();",
    _WORLD, _MANY,
)
mutant(
    "coll_at_once_with_what_is_missing", "coll/arrivals.h",
    "    return missing == 0;\n",
    "    return missing != expected.nodes || missing == 0;\n",
    _WORLD,
)
mutant(
    "coll_at_once_whatever_the_other_calls", "coll/arrivals.h",
    "          header.terms != call.terms) {",
    "          header.terms.kind != call.terms.kind) {",
    _DISAGREEMENT,
)
mutant(
    "coll_at_once_takes_blocks_by_arrival", "coll/at_once.h",
    "Place(to + node * nbytes, come.payload[node], nbytes);",
    "Place(to + me * nbytes, come.payload[node], nbytes);",
    _WORLD,
)
mutant(
    "coll_taken_out_of_the_network_and_lost", "coll/at_once.h",
    "      PutBack(call, inbox, expected, come);\n",
    "",
    _WORLD,
)
mutant(
    "coll_taken_without_the_base_of_its_sender", "coll/arrivals.h",
    "      call.team.window.Heard(from, header.base);\n",
    "",
    _DRIVING,
)
mutant(
    "coll_at_once_tells_nobody_its_base", "coll/at_once.h",
    "    team.window.ForAdmitted([&](Rank rank) { SendBase(team, rank); });\n",
    "",
    _DRIVING,
)

mutant(
    "coll_at_once_sends_again", "coll/parts.h",
    "    if (op.sent) {\n",
    "    if (false) {\n",
    _WORLD,
)

# --- Who drives ---

mutant(
    "coll_driver_goes_without_another_look", "coll/node.h",
    "      if (!DriveTheRest()) return;\n",
    "      return;\n",
    _DRIVING,
)
mutant(
    "coll_driver_wakes_nobody", "coll/node.h",
    "    fabric_.WakeOwn();\n    if (!begun_",
    "    if (!begun_",
    _DRIVING,
)
mutant(
    "coll_driver_leaves_mail", "coll/node.h",
    "if (!begun_.HasAny() && !inbox_.HasMail()) return false;",
    "if (!begun_.HasAny()) return false;",
    _DRIVING,
)
mutant(
    "coll_driver_leaves_what_was_begun", "coll/node.h",
    "if (!begun_.HasAny() && !inbox_.HasMail()) return false;",
    "if (!inbox_.HasMail()) return false;",
    _DRIVING,
)
mutant(
    "coll_driver_is_told_for_ever", "coll/driving.h",
    "    missed_.store(false, std::memory_order_seq_cst);\n",
    "",
    _DRIVING,
)
mutant(
    "coll_spins_for_an_answer_without_a_question", "coll/at_once.h",
    "      AskForBases(call);\n",
    "",
    _DRIVING,
)
mutant(
    "coll_elements_of_no_bytes", "export/coll/reduction_of.cc",
    "if (elem_size == 0)",
    "if (elem_count == SIZE_MAX)",
    "//export:coll_functions_test_par",
)

# --- What is passed on, and what goes in rounds ---

mutant(
    "coll_request_gone_with_its_call", "coll/node.h",
    "      if (!op.IsRetired()) op.Keep();\n",
    "",
    _WORLD,
)
mutant(
    "coll_passes_on_what_has_not_come", "coll/parts.h",
    "           !op.ins[out.after].done;\n",
    "           op.ins_left == op.ins.size();\n",
    _WORLD,
)
mutant(
    "coll_ring_does_not_wait", "coll/schedule_move.cc",
    "if (k != next) Out(next, k, to + k * nbytes, nbytes, k);",
    "if (k != next) Out(next, k, to + k * nbytes, nbytes);",
    _SCHEDULE, _WORLD,
)
mutant(
    "coll_segments_down_the_best_tree", "coll/schedule_move.cc",
    "const bool chain = segments > 1 && segments >= team_.hosts();",
    "const bool chain = segments > team_.hosts() * 1000;",
    _ROUNDS,
)
mutant(
    "coll_segments_all_wait_for_the_last", "coll/schedule_move.cc",
    "root == me() ? OutPart::kNothing : i);",
    "root == me() ? OutPart::kNothing\n"
    "                        : static_cast<uint32_t>(segments - 1));",
    _ROUNDS,
)
mutant(
    "coll_gather_round_of_too_many", "coll/schedule_rounds.cc",
    "std::min(step, nodes - step) * nbytes;",
    "step * nbytes;",
    _SCHEDULE, _ROUNDS,
)
mutant(
    "coll_gather_rounds_not_turned", "coll/schedule_rounds.cc",
    "  const size_t below = me() * nbytes;\n",
    "  const size_t below = 0 * nbytes;\n",
    _SCHEDULE,
)
mutant(
    "coll_exchange_rounds_turned_the_other_way", "coll/schedule_rounds.cc",
    "    const Rank from = (me() + nodes - i) % nodes;\n",
    "    const Rank from = (me() + i) % nodes;\n",
    _SCHEDULE,
)
mutant(
    "coll_exchange_rounds_share_their_memory", "coll/schedule_rounds.cc",
    "come + (1 + op_.phase) * half;",
    "come + half;",
    _WORLD,
)
mutant(
    "coll_calls_of_its_own_serve_nobody", "coll/collectives.h",
    "    if (team.next % kWindow == 0) {\n",
    "    if (team.next == 0) {\n",
    "//conformance:smp_seq_fast_coll_serving",
)

# --- Nodes that disagree are told ---

mutant(
    "coll_exclusive_is_no_term", "coll/disagreement.h",
    "static_cast<unsigned>(request.reduction.exclusive)\n",
    "0u\n",
    row("misuse_collectives"),
)
mutant(
    "coll_reduction_is_no_term", "coll/disagreement.h",
    ".how = HowOf(request.reduction.name),",
    ".how = HowOf(0),",
    row("misuse_collectives"),
)
mutant(
    "coll_never_inquires", "coll/inquiry.h",
    "    if (++turns_ % kDrivesPerClock == 0) [[unlikely]]\n",
    "    if (++turns_ == 0) [[unlikely]]\n",
    _DISAGREEMENT,
)
mutant(
    "coll_inquires_beyond_the_window", "coll/inquiry.h",
    "const bool may = team.window.MayInquire(peer, op.number);",
    "const bool may = true;",
    _DISAGREEMENT,
)
mutant(
    "coll_inquires_without_a_pause", "coll/patience.h",
    "    if (now < next_) return false;\n",
    "",
    _DISAGREEMENT,
)
mutant(
    "coll_hears_nothing_of_what_is_over", "coll/inquiry.h",
    "    if (here != nullptr && *here != header.terms) RefuseNumber(team, envelope);\n",
    "    static_cast<void>(here);\n",
    _DISAGREEMENT,
)
mutant(
    "coll_own_sizes_without_an_offer", "coll/schedule.cc",
    "if (kind == Kind::kPermute || HasOwnSizes(kind)) return true;",
    "if (kind == Kind::kPermute || (near && HasOwnSizes(kind))) return true;",
    udp("misuse_collectives"),
)
