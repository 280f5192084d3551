// Rule 39: atomic operations.
#include <portals4.h>

#include <complex>
#include <cstdint>

#include "portals/rules/atomics.h"
#include "portals/testing/world.h"

namespace gasnet::portals4_tests::testing {
namespace {

INSTANTIATE_TEST_SUITE_P(All, Rule39, AllSetups(), SetupName);

TEST_P(Rule39, Integers8) {
  All<int8_t>(PTL_INT8_T, -5, 3);
  All<uint8_t>(PTL_UINT8_T, 250, 3);
}
TEST_P(Rule39, Integers16) {
  All<int16_t>(PTL_INT16_T, -500, 3);
  All<uint16_t>(PTL_UINT16_T, 65'000, 3);
}
TEST_P(Rule39, Integers32) {
  All<int32_t>(PTL_INT32_T, -50'000, 3);
  All<uint32_t>(PTL_UINT32_T, 4'000'000'000U, 12);
}
TEST_P(Rule39, Integers64) {
  All<int64_t>(PTL_INT64_T, -5'000'000'000, 3);
  All<uint64_t>(PTL_UINT64_T, 18'000'000'000'000'000'000U, 12);
}
TEST_P(Rule39, Floats) {
  All<float>(PTL_FLOAT, -1.5F, 2.25F);
  All<double>(PTL_DOUBLE, -1.5, 2.25);
  All<long double>(PTL_LONG_DOUBLE, -1.5L, 2.25L);
}
TEST_P(Rule39, ComplexNumbers) {
  All<std::complex<float>>(PTL_FLOAT_COMPLEX, {1, 2}, {3, -4});
  All<std::complex<double>>(PTL_DOUBLE_COMPLEX, {1, 2}, {3, -4});
  All<std::complex<long double>>(PTL_LONG_DOUBLE_COMPLEX, {1, 2}, {3, -4});
}

TEST_P(Rule39, MaskedSwap) {
  initiator().Store<uint32_t>(kSource, 0x12345678);
  initiator().Store<uint32_t>(kOperand, 0x00ffff00);
  target().Store<uint32_t>(kTarget, 0xaabbccdd);
  EXPECT_EQ(initiator().Swap(target(), Source(4), md_, kFetched, kOperand,
                             PTL_MSWAP, PTL_UINT32_T),
            PTL_OK);
  Fetched();
  EXPECT_EQ(initiator().Load<uint32_t>(kFetched), 0xaabbccddU);
  EXPECT_EQ(target().Load<uint32_t>(kTarget), 0xaa3456ddU);
}

TEST_P(Rule39, ManyItemsAtOnce) {
  for (size_t i = 0; i < 16; ++i) {
    initiator().Store<int32_t>(kSource + 4 * i, static_cast<int32_t>(i));
    target().Store<int32_t>(kTarget + 4 * i, 100);
  }
  EXPECT_EQ(initiator().Atomic(target(), Source(64), PTL_SUM, PTL_INT32_T),
            PTL_OK);
  ExpectAll(initiator(), eq_, {{PTL_EVENT_SEND}, {PTL_EVENT_ACK}});
  for (size_t i = 0; i < 16; ++i) {
    EXPECT_EQ(target().Load<int32_t>(kTarget + 4 * i),
              100 + static_cast<int32_t>(i));
  }
  EXPECT_EQ(initiator().Swap(target(), Source(64), md_, kFetched, kOperand,
                             PTL_SWAP, PTL_INT32_T),
            PTL_OK);
  Fetched();
  EXPECT_EQ(target().Load<int32_t>(kTarget + 60), 15);
  EXPECT_EQ(initiator().Load<int32_t>(kFetched + 60), 115);
}

TEST_P(Rule39, BothRangesMayBeOne) {
  initiator().Store<int64_t>(kSource, 5);
  target().Store<int64_t>(kTarget, 37);
  EXPECT_EQ(initiator().FetchAtomic(target(), Source(8), md_, kSource, PTL_SUM,
                                    PTL_INT64_T),
            PTL_OK);
  Fetched();
  EXPECT_EQ(initiator().Load<int64_t>(kSource), 37);
  EXPECT_EQ(target().Load<int64_t>(kTarget), 42);
}

TEST_P(Rule39, WhatIsNotAllowed) {
  const auto atomic = [&](ptl_size_t length, ptl_op_t op, ptl_datatype_t type) {
    return initiator().Atomic(target(), Source(length), op, type);
  };
  EXPECT_EQ(atomic(8, PTL_OP_LAST, PTL_INT64_T), PTL_ARG_INVALID);
  EXPECT_EQ(atomic(8, PTL_SUM, PTL_DATATYPE_LAST), PTL_ARG_INVALID);
  EXPECT_EQ(atomic(8, PTL_SWAP, PTL_INT64_T), PTL_ARG_INVALID);
  EXPECT_EQ(atomic(8, PTL_CSWAP, PTL_INT64_T), PTL_ARG_INVALID);
  EXPECT_EQ(atomic(8, PTL_BOR, PTL_DOUBLE), PTL_ARG_INVALID);
  EXPECT_EQ(atomic(8, PTL_MIN, PTL_FLOAT_COMPLEX), PTL_ARG_INVALID);
  EXPECT_EQ(atomic(7, PTL_SUM, PTL_INT64_T), PTL_ARG_INVALID);
  const auto swap = [&](ptl_size_t length, ptl_op_t op, ptl_datatype_t type) {
    return initiator().Swap(target(), Source(length), md_, kFetched, kOperand,
                            op, type);
  };
  EXPECT_EQ(swap(8, PTL_SUM, PTL_INT64_T), PTL_ARG_INVALID);
  EXPECT_EQ(swap(16, PTL_CSWAP, PTL_INT64_T), PTL_ARG_INVALID);
  EXPECT_EQ(swap(8, PTL_CSWAP_LE, PTL_FLOAT_COMPLEX), PTL_ARG_INVALID);
  EXPECT_EQ(swap(8, PTL_MSWAP, PTL_DOUBLE), PTL_ARG_INVALID);
  ExpectQuiet(initiator(), eq_);
}

// Both processes add at once. No sum is lost, whether or not the two processes
// reach the memory in the same way.
TEST_P(Rule39, AtomicBetweenProcesses) {
  // In a job, each sum is a datagram. Datagrams are slow on a bad network.
  const int each = GetParam().job != nullptr ? 1'000 : 5'000;
  target().Store<int64_t>(kTarget, 0);
  const auto adds = [pt = pt_, to = target().id(), each](ptl_handle_ni_t ni,
                                                         char* memory) {
    ptl_handle_ct_t ct;
    ptl_handle_md_t md;
    PtlCTAlloc(ni, &ct);
    const ptl_md_t bound = {memory, 8192, PTL_MD_EVENT_CT_ACK, PTL_EQ_NONE, ct};
    if (PtlMDBind(ni, &bound, &md)) return 1;
    const int64_t one = 1;
    memcpy(memory + kSource, &one, sizeof one);
    for (int i = 0; i < each; ++i) {
      if (PtlAtomic(md, kSource, 8, PTL_CT_ACK_REQ, to, pt, 0, 0, nullptr, 0,
                    PTL_SUM, PTL_INT64_T))
        return 2;
    }
    ptl_ct_event_t value;
    return PtlCTWait(ct, static_cast<ptl_size_t>(each), &value) == PTL_OK &&
                   value.failure == 0
               ? 0
               : 3;
  };
  if (one_process()) {
    EXPECT_EQ(
        target().Call([=, ni = target().ni(), memory = target().memory()] {
          return adds(ni, memory);
        }),
        0);
    EXPECT_EQ(target().Load<int64_t>(kTarget), each);
    return;
  }
  initiator().child().Begin(
      [=, ni = initiator().ni(), memory = initiator().memory()] {
        return adds(ni, memory);
      });
  EXPECT_EQ(target().Call([=, ni = target().ni(), memory = target().memory()] {
    return adds(ni, memory);
  }),
            0);
  EXPECT_EQ(initiator().child().End<int>(), 0);
  EXPECT_EQ(target().Load<int64_t>(kTarget), 2 * each);
}

TEST_P(Rule39, SynchronisesWithTheHost) {
  EXPECT_EQ(target().Call([] { return PtlAtomicSync(); }), PTL_OK);
}

}  // namespace
}  // namespace gasnet::portals4_tests::testing
