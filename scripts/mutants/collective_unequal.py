"""Mistakes in reductions and prefixes of unequal contributions."""

from mutants.base import mutant, row

_UNIT = "//coll:unequal_test_par"
_FOLD = "//coll:engine_parts_test_par"
_FRONT = "//export:coll_functions_test_par"
_CHECKED = "//export:coll_functions_test_par_checked"
_ROW = row("coll_unequal")

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
    "coll_fold_turns_pairs", "coll/combine_fold.cc",
    "Pair(evens, evens, odds, pairs);",
    "Pair(evens, odds, evens, pairs);",
    _ROW,
)
mutant(
    "coll_fold_turns_chunks", "coll/combine_fold.cc",
    "Pair(left, left, sum, 1);",
    "Pair(left, sum, left, 1);",
    _ROW,
)
mutant(
    "coll_fold_turns_the_rest", "coll/combine_fold.cc",
    "Pair(result, left, sum, 1);",
    "Pair(result, sum, left, 1);",
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
    "coll_unequal_counts_nodes_without", "coll/unequal.h",
    "if (TermsAt(*at).elements != 0) elements.push_back(at + 1);",
    "elements.push_back(at + 1);",
    _ROW,
)
mutant(
    "coll_unequal_prefix_without_carry", "coll/unequal.h",
    "bool has_before = Combine(team_.me(), before.data());",
    "bool has_before = false;",
    _ROW,
)
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
    "coll_unequal_exclusive_writes_the_first", "coll/unequal.h",
    "if (!how_.exclusive || has_before) {",
    "if (true) {",
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
mutant(
    "coll_unequal_root_is_the_first", "coll/unequal.h",
    "      request.root = request_.root;\n",
    "",
    _FRONT,
)

# --- When ---

mutant(
    "coll_unequal_reads_before_all_have_entered", "coll/unequal.h",
    "if (request_.in == Sync::kAll) Meet(Sync::kAll, Sync::kMine);",
    "",
    _UNIT,
)
mutant(
    "coll_unequal_returns_before_all_are_done", "coll/unequal.h",
    "if (request_.out == Sync::kAll) Meet(Sync::kMine, Sync::kAll);",
    "",
    _UNIT,
)
mutant(
    "coll_unequal_meets_whatever_the_mode", "coll/unequal.h",
    "if (request_.out == Sync::kAll) Meet(Sync::kMine, Sync::kAll);",
    "Meet(Sync::kMine, Sync::kAll);",
    _UNIT,
)

# --- What must be alike, and apart ---

mutant(
    "coll_unequal_argument_not_compared", "coll/disagreement.h",
    "a.name == b.name && a.argument == b.argument &&",
    "a.name == b.name &&",
    _UNIT,
)
mutant(
    "coll_unequal_call_not_compared", "coll/disagreement.h",
    "a.elem_size == b.elem_size && a.kind == b.kind && a.out == b.out;",
    "a.elem_size == b.elem_size && a.out == b.out;",
    _UNIT,
)
mutant(
    "coll_unequal_prefixes_not_told_apart", "coll/unequal.h",
    "    request.reduction.exclusive = how_.exclusive;\n",
    "",
    row("misuse_collectives"),
)
mutant(
    "coll_unequal_total_as_long_as_its_source", "export/coll/areas.cc",
    "is_prefix ? request.nbytes : request.reduction.elem_size,",
    "request.nbytes,",
    _CHECKED,
)
mutant(
    "coll_unequal_areas_of_another_root", "export/coll/areas.cc",
    "const bool has_dest = !is_rooted || request.root == me;",
    "const bool has_dest = true;",
    _CHECKED,
)
