"""Mistakes in collectives whose blocks go through a leader of each host."""

from mutants.base import mutant

_SCHEDULE = "//coll:schedule_test_par"
_WORLD = "//coll:world_test_par"
_ROUNDS = "//coll:rounds_test_par"

mutant(
    "coll_leads_whole_hosts_beyond_the_limit", "coll/schedule_leaders.cc",
    "return request.nbytes <= most / std::max<size_t>(blocks, 1);",
    "return request.nbytes <= most;",
    _SCHEDULE,
)
mutant(
    "coll_led_images_counted_as_nodes", "coll/team.cc",
    "on_host[first_on_host_[index]] += this->images(index);",
    "on_host[first_on_host_[index]] += 1;",
    _SCHEDULE,
)
mutant(
    "coll_led_where_the_root_alone_has_company", "coll/team.h",
    "(nodes_on_host_[first_on_host_[index]] > 1 ? 1u : 0u)",
    "0u",
    _SCHEDULE,
)
mutant(
    "coll_root_sends_to_the_first_of_its_host", "coll/team.h",
    "return first == first_on_host_[root] ? root : first;",
    "return first;",
    _SCHEDULE,
)
mutant(
    "coll_leader_passes_on_before_it_has", "coll/schedule_leaders.cc",
    "Out(owner, all[i].block, memory + i * nbytes, nbytes, 0);",
    "Out(owner, all[i].block, memory + i * nbytes, nbytes);",
    _SCHEDULE,
)
mutant(
    "coll_leader_takes_the_first_blocks_for_its_own", "coll/schedule_leaders.cc",
    "    }\n    from += nbytes;\n",
    "      from += nbytes;\n    }\n",
    _SCHEDULE,
)
mutant(
    "coll_led_blocks_taken_for_neighbours", "coll/schedule_leaders.cc",
    "return blocks.back().block - blocks.front().block == blocks.size() - 1;",
    "return blocks.back().block - blocks.front().block >= blocks.size() - 1;",
    _SCHEDULE,
)
mutant(
    "coll_hosts_share_the_memory_of_their_blocks", "coll/schedule_leaders.cc",
    "std::byte* const copy = Memory(all.size() * nbytes) + before * nbytes;",
    "std::byte* const copy = Memory(all.size() * nbytes) + 0 * before;",
    _SCHEDULE,
)
mutant(
    "coll_nodes_of_the_root_are_a_phase_early", "coll/schedule_leaders.cc",
    "if (last != (leader == op_.request->root)) return;",
    "if (last) return;",
    _SCHEDULE,
)
mutant(
    "coll_at_once_past_the_leaders", "coll/at_once.h",
    "return !Schedule::IsLed(team, request, settings_);",
    "return true;",
    _ROUNDS, _WORLD,
)
mutant(
    "coll_leads_without_optimisation", "coll/settings.cc",
    "settings.segment = settings.leaders = 0;",
    "settings.segment = 0;",
    "//coll:engine_parts_test_par",
)
mutant(
    "coll_center_sends_one_block", "coll/schedule_central.cc",
    "return {nbytes, all};",
    "return {nbytes, nbytes};",
    _SCHEDULE,
)
mutant(
    "coll_central_gather_whatever_the_bytes", "coll/schedule_central.cc",
    "             request.nbytes <= settings.rounds_gather / team.nodes();",
    "             request.nbytes > 0;",
    _SCHEDULE,
)
mutant(
    "coll_central_exchange_whatever_the_bytes", "coll/schedule_central.cc",
    "             request.nbytes <= settings.eager_far / team.nodes();",
    "             request.nbytes > 0;",
    _SCHEDULE,
)
mutant(
    "coll_central_exchange_in_rendezvous", "coll/schedule.h",
    "(request.kind == Kind::kExchange &&",
    "(request.kind == Kind::kBroadcast &&",
    _SCHEDULE,
)
mutant(
    "coll_center_sorts_the_wrong_way", "coll/schedule_central.cc",
    "CopyBytes(row + from * nbytes, blocks + to * nbytes, nbytes);",
    "CopyBytes(row + to * nbytes, blocks + from * nbytes, nbytes);",
    _SCHEDULE,
)
mutant(
    "coll_center_meets_before_all_have_come", "coll/assembly.h",
    "(is_center ? team.nodes() - 1 : 1);",
    "1;",
    _WORLD,
)
mutant(
    "coll_sklansky_misses_the_last", "coll/schedule_prefix.cc",
    "std::min(me() + step, team_.nodes() - 1);",
    "std::min(me() + step, team_.nodes() - 2);",
    _SCHEDULE,
)
mutant(
    "coll_sklansky_larger_last", "coll/schedule_prefix.cc",
    "const size_t larger = ChainBlocks(me() >> (round + 1));",
    "const size_t larger = ChainBlocks(me() & (step - 1));",
    _SCHEDULE,
)
mutant(
    "coll_sklansky_turns_halves", "coll/schedule_prefix.cc",
    "        op_.ins[0].bytes(),\n"
    "        round == 0 ? request.sources[0] : SubtreeEnding(round)};",
    "        round == 0 ? request.sources[0] : SubtreeEnding(round),\n"
    "        op_.ins[0].bytes()};",
    _WORLD,
)
mutant(
    "coll_sklansky_of_several_images", "coll/schedule_prefix.cc",
    "         team.one_image_each() && request.nbytes <= settings.flat_reduce;",
    "         request.nbytes <= settings.flat_reduce;",
    _SCHEDULE,
)
mutant(
    "coll_sklansky_sends_what_it_overwrites", "coll/schedule_prefix.cc",
    "  for (Rank to = me() + 1; to <= end; ++to) Out(to, 0, subtree, nbytes);",
    "  const std::byte* const sent =\n"
    "      round == 0 ? op_.request->sources[0] : subtree;\n"
    "  for (Rank to = me() + 1; to <= end; ++to) Out(to, 0, sent, nbytes);",
    _WORLD,
)
mutant(
    "coll_sklansky_and_at_once", "coll/at_once.h",
    "               !Schedule::IsCentral(team, request, settings_) &&\n"
    "               !Schedule::IsSklansky(team, request, settings_);",
    "               !Schedule::IsCentral(team, request, settings_);",
    _WORLD,
)
mutant(
    "coll_central_and_at_once", "coll/at_once.h",
    "        return team.all_near() && IsFlat(team) &&\n"
    "               !Schedule::IsCentral(team, request, settings_);",
    "        return team.all_near() && IsFlat(team);",
    _WORLD,
)
mutant(
    "coll_a_slice_for_each_in_a_crowd", "coll/schedule_reduce.cc",
    "std::clamp<size_t>(pieces, team_.running(), nodes);",
    "nodes;",
    _SCHEDULE,
)
mutant(
    "coll_center_hears_before_it_tells_the_other_way", "coll/schedule_pairs.cc",
    "const bool tells = !central || (op_.phase == 0 ? other : me()) == kCenter;",
    "const bool tells = !central || (op_.phase == 0 ? me() : other) == kCenter;",
    _WORLD,
)
mutant(
    "coll_center_passes_on_its_own_vote", "coll/schedule_pairs.cc",
    "memory + (all_at_once ? nodes + op_.phase : 2 * op_.phase) * kBytes;\n",
    "memory + (all_at_once ? nodes : 2 * op_.phase) * kBytes;\n"
    "  if (central && op_.phase == 1) op_.vote = op_.request->vote;\n",
    _WORLD,
)
