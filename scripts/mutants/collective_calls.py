"""Mistakes in collectives where calls of images, partners and hosts meet."""

from mutants.base import mutant, row, udp

_FRONT = "//export:coll_functions_test_par"
_IMAGES = "//coll:images_test_par"

# --- Images ---

mutant(
    "coll_images_must_promise_alike", "coll/images.cc",
    "((a.flags ^ b.flags) & ~kPromises) == 0 &&",
    "a.flags == b.flags &&",
    _IMAGES,
)
mutant(
    "coll_node_promises_what_one_image_does", "coll/images.cc",
    "    whole.flags &= request.flags;\n",
    "    whole.flags |= request.flags;\n",
    _IMAGES,
)

# --- Generalized puts and gets ---

mutant(
    "coll_driver_waits_for_partners", "coll/fabric.h",
    "if (!fabric.HaveMoved(*op.moves)) return false;",
    "while (!fabric.HaveMoved(*op.moves)) continue;",
    "//coll:driving_test_par",
)
mutant(
    "coll_transfers_waited_for_where_they_begin", "coll/conduit_fabric.h",
    "    return HaveMoved(moves) ? nullptr : &moves;\n",
    "    C::engine().WaitUntil([&] { return moves.iop.IsDone(); });\n"
    "    return HaveMoved(moves) ? nullptr : &moves;\n",
    udp("coll_partners"),
)
mutant(
    "coll_put_over_before_it_has_moved", "coll/fabric.h",
    "if (!fabric.HaveMoved(*op.moves)) return false;",
    "if (op.moves == nullptr) return false;",
    "//coll:world_test_par",
)

# --- Barriers of teams ---

mutant(
    "coll_team_freed_twice", "export/coll/team_record.h",
    "if (split_.remove_if(is_it) == 1) return;",
    "if (split_.remove_if(is_it) <= 1) return;",
    _FRONT,
)
mutant(
    "coll_late_init_brings_no_functions", "export/coll/set_up.cc",
    "  First(arguments, node, nodes);\n  by_itself_ = false;\n",
    "  by_itself_ = false;\n",
    row("coll_without_init"),
)
mutant(
    "coll_barrier_strict_for_ever", "export/coll/barriers.h",
    "                             P::HasRelaxedBarrierFlags())\n",
    "                             false)\n",
    _FRONT,
)
mutant(
    "coll_barrier_of_images_has_other_flags", "export/coll/barriers.h",
    ".flags = flags & ~GASNET_BARRIERFLAG_IMAGES};",
    ".flags = flags};",
    _FRONT,
)

# --- Hosts ---

mutant(
    "coll_leader_sends_to_another", "coll/tree.cc",
    "tree.children.push_back(leaders.nodes[other]);",
    "tree.children.push_back(leaders.nodes[other - 1]);",
    udp("coll_operations"),
)
