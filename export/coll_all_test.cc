// Tests that the functions over all nodes, gasnet_all_*, make the right
// requests to the engine.
#include "core/thread/mode.h"
#include "export/coll_test_engine.h"

namespace gasnet::exported {
namespace {

using coll::BlockMap;
using coll::CollectiveKind;

using CollAllTest = CollFunctionsTest;

TEST_F(CollAllTest, MovementOfOneBlock) {
  gasnet_all_broadcast(dst_, 1, src_, 8, kLocal);
  EXPECT_EQ(Last().kind, CollectiveKind::kBroadcast);
  EXPECT_EQ(Last().root, 1u);
  EXPECT_EQ(Last().root_area, src_);
  EXPECT_EQ(Last().dests[0], dst_);
  EXPECT_EQ(Last().blocks.form, BlockMap::Form::kTeam);
  gasnet_all_scatter(dst_, 1, src_, 8, kSingle);
  EXPECT_EQ(Last().kind, CollectiveKind::kScatter);
  EXPECT_EQ(Last().root_area, src_);
  EXPECT_EQ(Last().dests[0], dst_);
  EXPECT_TRUE(Last().single);
  gasnet_all_gather(3, dst_, src_, 8, kLocal);
  EXPECT_EQ(Last().kind, CollectiveKind::kGather);
  EXPECT_EQ(Last().root, 3u);
  EXPECT_EQ(Last().root_area, dst_);
  EXPECT_EQ(Last().sources[0], src_);
  EXPECT_EQ(Last().dests.count(), 0u);
  gasnet_all_gather_all(dst_, src_, 8, kLocal);
  EXPECT_EQ(Last().kind, CollectiveKind::kGatherAll);
  gasnet_all_exchange(dst_, src_, 8, kLocal);
  EXPECT_EQ(Last().kind, CollectiveKind::kExchange);
  EXPECT_EQ(Last().dests[0], dst_);
  EXPECT_EQ(Last().sources[0], src_);
  EXPECT_DEATH(gasnet_all_gather(4, dst_, src_, 8, kLocal),
               "gasnet_all_gather: dstnode is 4; this job has nodes 0 to 3");
  EXPECT_DEATH(gasnet_all_exchange(dst_, src_, SIZE_MAX / 2, kLocal),
               "gasnet_all_exchange: nbytes");
}

TEST_F(CollAllTest, ListsOfOnesOwn) {
  void* const dsts[] = {dst_, dst_ + 64};
  void* const srcs[] = {src_, src_ + 8};
  gasnet_all_scatteri(nullptr, dsts, 1, src_, 2, 8, 3, 6, kLocal);
  EXPECT_EQ(Last().kind, CollectiveKind::kScatter);
  EXPECT_EQ(Last().blocks.form, BlockMap::Form::kClaimed);
  EXPECT_EQ(Last().blocks.first, 3u);
  EXPECT_EQ(Last().blocks.count, 2u);
  EXPECT_EQ(Last().blocks.total, 6u);
  EXPECT_EQ(Last().dests.count(), 2u);
  EXPECT_EQ(Last().dests[1], dst_ + 64);
  EXPECT_EQ(Last().root_area, src_);
  gasnet_all_gatheri(0, dst_, nullptr, srcs, 2, 8, 0, 2, kLocal);
  EXPECT_EQ(Last().kind, CollectiveKind::kGather);
  EXPECT_EQ(Last().sources[1], src_ + 8);
  gasnet_all_gather_alli(nullptr, dsts, srcs, 2, 8, 3, 6, kLocal);
  EXPECT_EQ(Last().kind, CollectiveKind::kGatherAll);
  EXPECT_EQ(Last().sources.count(), 2u);
  void* const far[] = {src_, src_ + 64};
  gasnet_all_exchangei(nullptr, dsts, far, 2, 8, 3, 6, kLocal);
  EXPECT_EQ(Last().kind, CollectiveKind::kExchange);
  gasnet_all_broadcasti(nullptr, dsts, 1, src_, 2, 8, 99, 1, kLocal);
  EXPECT_EQ(Last().kind, CollectiveKind::kBroadcast);
  EXPECT_EQ(Last().blocks.count, 2u);
  EXPECT_EQ(Last().dests.count(), 2u);
  // Without blocks, the rank argument is ignored.
  gasnet_all_scatteri(nullptr, nullptr, 1, src_, 0, 8, 99, 6, kLocal);
  EXPECT_EQ(Last().blocks.count, 0u);
  EXPECT_EQ(Last().blocks.total, 6u);
  EXPECT_DEATH(gasnet_all_scatteri(nullptr, dsts, 1, src_, 2, 8, 5, 6, kLocal),
               "gasnet_all_scatteri: rank is 5 and listlen 2, with nblocks 6");
}

// In a list of all blocks, this node's blocks may be consecutive or scattered.
TEST_F(CollAllTest, ListsOfAll) {
  const gasnet_node_t row[] = {0, 2, 2, 3};
  void* const lists[] = {nullptr, dst_, dst_ + 64, nullptr};
  void* const srcs[] = {nullptr, src_, src_ + 8, nullptr};
  gasnet_all_gather_alli(row, lists, srcs, 4, 8, 9, 9, kSingle);
  EXPECT_EQ(Last().blocks.form, BlockMap::Form::kListed);
  EXPECT_EQ(Last().blocks.total, 4u);
  EXPECT_EQ(Last().blocks.owners, row);
  EXPECT_EQ(Last().dests.count(), 2u);
  EXPECT_EQ(Last().dests[1], dst_ + 64);
  EXPECT_EQ(Last().sources[0], src_);

  const gasnet_node_t spread[] = {2, 0, 3, 2};
  void* const places[] = {dst_, nullptr, nullptr, dst_ + 64};
  NotingEngine::completes = false;
  const gasnet_all_handle_t handle =
      gasnet_all_scatteri_nb(spread, places, 1, src_, 4, 8, 9, 9, kSingle);
  EXPECT_EQ(Last().dests.count(), 2u);
  EXPECT_EQ(Last().dests[0], dst_);
  EXPECT_EQ(Last().dests[1], dst_ + 64);
  EXPECT_EQ(gasnet_all_try_sync(handle), GASNET_ERR_NOT_READY);
  gasnet_all_wait_sync(handle);
  EXPECT_EQ(NotingEngine::released, 1);

  const gasnet_node_t none[] = {0, 1};
  gasnet_all_broadcasti(none, places, 1, src_, 2, 8, 0, 0, kSingle);
  EXPECT_EQ(Last().dests.count(), 0u);
  const gasnet_node_t wrong[] = {0, 4};
  EXPECT_DEATH(
      gasnet_all_broadcasti(wrong, places, 1, src_, 2, 8, 0, 0, kSingle),
      "gasnet_all_broadcasti: an entry of nodelist is 4");
}

TEST_F(CollAllTest, Partners) {
  const gasnet_node_t partners[] = {0, 3, 0};
  gasnet_all_put(1, dst_, src_, partners, 3, 8, kLocal);
  EXPECT_EQ(Last().kind, CollectiveKind::kPut);
  EXPECT_EQ(Last().partners.nodes, nullptr);
  EXPECT_EQ(Last().partners.node, 1u);
  EXPECT_EQ(Last().partners.count, 1u);
  EXPECT_EQ(Last().partners.dests[0], dst_);
  EXPECT_EQ(Last().partners.sources[0], src_);
  EXPECT_EQ(Last().partners.partners.data(), partners);
  EXPECT_EQ(Last().partners.partners.size(), 3u);
  gasnet_all_get(dst_, 3, src_, nullptr, 0, 8, kLocal);
  EXPECT_EQ(Last().kind, CollectiveKind::kGet);
  EXPECT_EQ(Last().partners.node, 3u);
  EXPECT_TRUE(Last().partners.partners.empty());
  const gasnet_node_t nodes[] = {1, 2};
  void* const dsts[] = {dst_, dst_ + 64};
  void* const srcs[] = {src_, src_ + 8};
  gasnet_all_puti(nodes, dsts, srcs, 2, partners, 1, 8, kLocal);
  EXPECT_EQ(Last().kind, CollectiveKind::kPut);
  EXPECT_EQ(Last().partners.nodes, nodes);
  EXPECT_EQ(Last().partners.count, 2u);
  EXPECT_EQ(Last().partners.dests[1], dst_ + 64);
  gasnet_all_geti(dsts, nodes, srcs, 2, partners, 1, 8, kLocal);
  EXPECT_EQ(Last().kind, CollectiveKind::kGet);
  EXPECT_EQ(Last().partners.sources[1], src_ + 8);
  gasnet_all_puti(nullptr, nullptr, nullptr, 0, nullptr, 0, 8, kLocal);
  EXPECT_EQ(Last().partners.count, 0u);
  const gasnet_node_t wrong[] = {9};
  EXPECT_DEATH(gasnet_all_put(9, dst_, src_, nullptr, 0, 8, kLocal),
               "gasnet_all_put: dstnode is 9");
  EXPECT_DEATH(gasnet_all_get(dst_, 0, src_, wrong, 1, 8, kLocal),
               "gasnet_all_get: an entry of partnerlist is 9");
}

TEST_F(CollAllTest, Permutes) {
  gasnet_all_permute(dst_, 3, src_, 8, kLocal);
  EXPECT_EQ(Last().kind, CollectiveKind::kPermute);
  EXPECT_EQ(Last().target, 3u);
  EXPECT_EQ(Last().dests[0], dst_);
  EXPECT_EQ(Last().sources[0], src_);
  EXPECT_DEATH(gasnet_all_permute(dst_, 4, src_, 8, kLocal), "dstnode is 4");
}

TEST_F(CollAllTest, BlocksOfDifferentSizes) {
  const size_t sizes[] = {1, 2, 3, 4};
  gasnet_all_scatterv(dst_, 3, kMe, src_, sizes, kLocal);
  EXPECT_EQ(Last().kind, CollectiveKind::kScatterV);
  EXPECT_EQ(Last().nbytes, 0u);
  EXPECT_EQ(Last().own_size, 3u);
  EXPECT_EQ(Last().out_sizes, sizes);
  EXPECT_EQ(Last().root_area, src_);
  gasnet_all_scatterv(dst_, 5, 0, nullptr, nullptr, kLocal);
  EXPECT_EQ(Last().own_size, 5u);
  EXPECT_EQ(Last().out_sizes, nullptr);
  gasnet_all_gatherv(kMe, dst_, sizes, src_, 3, kLocal);
  EXPECT_EQ(Last().kind, CollectiveKind::kGatherV);
  EXPECT_EQ(Last().in_sizes, sizes);
  EXPECT_EQ(Last().sources[0], src_);
  gasnet_all_gather_allv(dst_, sizes, src_, 3, kLocal);
  EXPECT_EQ(Last().kind, CollectiveKind::kGatherAllV);
  EXPECT_EQ(Last().in_sizes, sizes);
  gasnet_all_exchangev(dst_, sizes, src_, sizes, kLocal);
  EXPECT_EQ(Last().kind, CollectiveKind::kExchangeV);
  EXPECT_EQ(Last().in_sizes, sizes);
  EXPECT_EQ(Last().out_sizes, sizes);
  EXPECT_DEATH(
      gasnet_all_gather_allv(dst_, sizes, src_, 2, kLocal),
      "gasnet_all_gather_allv: nbytes is 2, and this node's entry .*3");
  const size_t huge[] = {SIZE_MAX, 2, 3, 4};
  EXPECT_DEATH(gasnet_all_exchangev(dst_, huge, src_, sizes, kLocal),
               "the sizes of all nodes");
}

TEST_F(CollAllTest, ReducesNumbers) {
  gasnet_all_reduce(1, dst_, src_, 3, GASNET_ALL_FLOAT, GASNET_ALL_MAX, 0,
                    kLocal);
  const coll::Kernels kernels =
      coll::KernelsOf(coll::Type::kFloat, coll::Op::kMax);
  EXPECT_EQ(Last().kind, CollectiveKind::kReduce);
  EXPECT_EQ(Last().root, 1u);
  EXPECT_EQ(Last().root_area, dst_);
  EXPECT_EQ(Last().nbytes, 12u);
  EXPECT_EQ(Last().reduction.kernels.of_two, kernels.of_two);
  EXPECT_EQ(Last().reduction.function, nullptr);
  const uint32_t name = Last().reduction.name;
  gasnet_all_reduce_all(dst_, src_, 3, GASNET_ALL_UINT64, GASNET_ALL_XOR, 0,
                        kLocal);
  EXPECT_EQ(Last().kind, CollectiveKind::kReduceAll);
  EXPECT_EQ(Last().dests[0], dst_);
  EXPECT_EQ(Last().sources[0], src_);
  EXPECT_EQ(Last().nbytes, 24u);
  EXPECT_NE(Last().reduction.name, name);
  gasnet_all_prefix_reduce(dst_, src_, 3, GASNET_ALL_INT8, GASNET_ALL_SUM, 0,
                           kLocal | GASNET_ALL_EXCLUSIVE);
  EXPECT_EQ(Last().kind, CollectiveKind::kPrefixReduce);
  EXPECT_TRUE(Last().reduction.exclusive);
  gasnet_all_prefix_reduce(dst_, src_, 3, GASNET_ALL_INT8, GASNET_ALL_SUM, 0,
                           kLocal);
  EXPECT_FALSE(Last().reduction.exclusive);
}

TEST_F(CollAllTest, ReducesByFunctions) {
  gasnet_all_reduce_all(dst_, src_, 3, GASNET_ALL_BYTES(24),
                        GASNET_ALL_FUNCTION(0), 9, kLocal);
  EXPECT_EQ(Last().reduction.function, &Combine);
  EXPECT_EQ(Last().reduction.elem_size, 24u);
  EXPECT_EQ(Last().reduction.function_arg, 9);
  EXPECT_EQ(Last().nbytes, 72u);
  gasnet_all_reduce_all(dst_, src_, 3, GASNET_ALL_DOUBLE,
                        GASNET_ALL_FUNCTION(0), 9, kLocal);
  EXPECT_EQ(Last().reduction.elem_size, 8u);
  const auto reduce = [&](gasnet_all_type_t type, gasnet_all_op_t op) {
    gasnet_all_reduce_all(dst_, src_, 1, type, op, 0, kLocal);
  };
  EXPECT_DEATH(reduce(GASNET_ALL_DOUBLE, GASNET_ALL_AND), "has no operation 4");
  EXPECT_DEATH(reduce(GASNET_ALL_BYTES(8), GASNET_ALL_SUM), "has no operation");
  EXPECT_DEATH(reduce(GASNET_ALL_INT8, 9),
               "op is 0x9, which is not an operation");
  EXPECT_DEATH(reduce(0, GASNET_ALL_SUM), "type is 0x0, which is not a type");
  EXPECT_DEATH(reduce(GASNET_ALL_INT8 + 1, GASNET_ALL_SUM), "is not a type");
  EXPECT_DEATH(reduce(GASNET_ALL_INT8, GASNET_ALL_FUNCTION(5)),
               "function 5 is not in the table");
}

// The fake engine only records the last request. It moves no data.
TEST_F(CollAllTest, ReducesUnequalContributions) {
  gasnet_all_reducev(1, dst_, src_, 3, GASNET_ALL_DOUBLE, GASNET_ALL_SUM, 0,
                     kLocal);
  EXPECT_EQ(Last().kind, CollectiveKind::kGather);
  EXPECT_EQ(Last().root, 1u);
  EXPECT_EQ(Last().root_name, 1u);
  EXPECT_EQ(Last().in, coll::SyncMode::kMine);
  EXPECT_EQ(Last().nbytes, 32u);
  EXPECT_FALSE(Last().single);
  EXPECT_EQ(NotingEngine::begun, 1);
  gasnet_all_reducev(1, dst_, nullptr, 0, GASNET_ALL_DOUBLE, GASNET_ALL_SUM, 0,
                     kSingle);
  EXPECT_EQ(Last().out, coll::SyncMode::kAll);
  EXPECT_TRUE(Last().single);
  EXPECT_EQ(NotingEngine::begun, 4);
  EXPECT_DEATH(gasnet_all_reduce_allv(dst_, src_, 1, GASNET_ALL_DOUBLE,
                                      GASNET_ALL_SUM, 0, kLocal),
               "gasnet_all_reduce_allv: rank 0 calls another collective; this "
               "rank reduce_allv of elements of 8 bytes, DOUBLE SUM, "
               "OUT_MYSYNC; all ranks");
  EXPECT_DEATH(gasnet_all_prefix_reducev(dst_, src_, 1, GASNET_ALL_BYTES(24),
                                         GASNET_ALL_FUNCTION(0), 9, kLocal),
               "this rank prefix_reducev of elements of 24 bytes, function 0 "
               "with op_arg 9, OUT_MYSYNC");
}

TEST_F(CollAllTest, UnequalContributionsAreRefused) {
  EXPECT_DEATH(gasnet_all_reducev(4, dst_, src_, 1, GASNET_ALL_INT8,
                                  GASNET_ALL_SUM, 0, kLocal),
               "gasnet_all_reducev: dstnode is 4; this job has nodes 0 to 3");
  EXPECT_DEATH(gasnet_all_reduce_allv(dst_, src_, SIZE_MAX, GASNET_ALL_INT16,
                                      GASNET_ALL_SUM, 0, kLocal),
               "gasnet_all_reduce_allv: elem_count is .*, of 2 bytes each");
  EXPECT_DEATH(gasnet_all_prefix_reducev(dst_, src_, 1, GASNET_ALL_FLOAT,
                                         GASNET_ALL_XOR, 0, kLocal),
               "gasnet_all_prefix_reducev: type .* has no operation 6");
  EXPECT_DEATH(
      gasnet_all_prefix_reducev(dst_, src_, 1, 0, GASNET_ALL_XOR, 0, kLocal),
      "type is 0x0, which is not a type");
}

TEST_F(CollAllTest, SortIsRefused) {
  const auto compare = [](const void*, const void*) { return 0; };
  EXPECT_DEATH(gasnet_all_sort(dst_, 1, 0, compare, kLocal), "elem_size is 0");
  EXPECT_DEATH(gasnet_all_sort(dst_, 1, 1, nullptr, kLocal), "compare is NULL");
  EXPECT_DEATH(gasnet_all_sort(dst_, SIZE_MAX, 2, compare, kLocal),
               "gasnet_all_sort: nbytes");
}

TEST_F(CollAllTest, AreasOfUnequalContributions) {
  if (!thread::kChecks) GTEST_SKIP() << "a build without checks";
  const auto reduce = [&](gasnet_node_t dstnode, void* dst, const void* src,
                          size_t count, int flags) {
    gasnet_all_reducev(dstnode, dst, src, count, GASNET_ALL_INT64,
                       GASNET_ALL_SUM, 0, flags);
  };
  // The checks ignore the dst of a call whose root is another node. They also
  // ignore an empty source.
  reduce(1, nullptr, src_, 3, kLocal);
  reduce(1, src_ + 8, src_, 3, kLocal | GASNET_COLL_DST_IN_SEGMENT);
  reduce(1, nullptr, nullptr, 0, kLocal | GASNET_COLL_SRC_IN_SEGMENT);
  EXPECT_DEATH(reduce(kMe, src_ + 16, src_, 3, kLocal),
               "gasnet_all_reducev: the 24 bytes of a source at .* overlap the "
               "8 of a destination");
  EXPECT_DEATH(reduce(kMe, nullptr, src_, 3, kLocal),
               "a destination is NULL, with 8 bytes");
  EXPECT_DEATH(reduce(1, dst_, nullptr, 3, kLocal),
               "a source is NULL, with 24 bytes");
  EXPECT_DEATH(reduce(1, dst_, src_, 3, kLocal | GASNET_COLL_SRC_IN_SEGMENT),
               "SRC_IN_SEGMENT, but the 24 bytes at");
  // The checks of areas accept these calls. The calls fail later, since the
  // fake engine moves no data.
  EXPECT_DEATH(reduce(kMe, src_, src_, 3, kLocal), "another collective");
  EXPECT_DEATH(reduce(kMe, src_ + 24, src_, 3, kLocal), "another collective");
  EXPECT_DEATH(gasnet_all_prefix_reducev(src_ + 16, src_, 3, GASNET_ALL_INT64,
                                         GASNET_ALL_SUM, 0, kLocal),
               "gasnet_all_prefix_reducev: the 24 bytes of a source at .* "
               "overlap the 24 of a destination");
}

TEST_F(CollAllTest, WhatIsChecked) {
  if (!thread::kChecks) GTEST_SKIP() << "a build without checks";
  EXPECT_DEATH(gasnet_all_put(1, dst_, src_, nullptr, 0, 8, kSingle),
               "gasnet_all_put: .*this call supports only GASNET_COLL_LOCAL");
  void* const twice[] = {dst_, dst_ + 4};
  EXPECT_DEATH(
      gasnet_all_broadcasti(nullptr, twice, 1, src_, 2, 8, 0, 0, kLocal),
      "destination at .* overlap the 8 of a destination");
  const gasnet_node_t spread[] = {2, 0, 3, 2};
  void* const dsts[] = {dst_, nullptr, nullptr, dst_ + 64};
  void* const srcs[] = {dst_, nullptr, nullptr, dst_ + 64 + 24};
  gasnet_all_gather_alli(spread, dsts, srcs, 4, 8, 0, 0, kSingle);
  const size_t sizes[] = {8, 16, 24, 32};
  gasnet_all_gather_allv(dst_, sizes, dst_ + 24, 24, kLocal);
  EXPECT_DEATH(gasnet_all_gather_allv(dst_, sizes, dst_ + 16, 24, kLocal),
               "overlap");
  gasnet_all_reduce_all(dst_, dst_, 4, GASNET_ALL_INT8, GASNET_ALL_SUM, 0,
                        kLocal);
  EXPECT_DEATH(gasnet_all_reduce_all(dst_, dst_ + 1, 4, GASNET_ALL_INT8,
                                     GASNET_ALL_SUM, 0, kLocal),
               "overlap");
}

}  // namespace
}  // namespace gasnet::exported
