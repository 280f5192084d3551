// An owner with a counter. When a put arrives, the counter triggers an
// operation of the owner on the initiator.
#ifndef PORTALS_ROBUSTNESS_CORRUPTED_OWNER_H_
#define PORTALS_ROBUSTNESS_CORRUPTED_OWNER_H_

#include <gtest/gtest.h>
#include <portals4.h>

#include <cstddef>
#include <cstdint>

#include "portals/robustness/vandal.h"
#include "portals/testing/process.h"

namespace gasnet::portals4_tests::testing {

class CorruptedOwner : public ::testing::Test {
 protected:
  static constexpr unsigned kOptions = PTL_NI_MATCHING | PTL_NI_PHYSICAL;
  static constexpr unsigned kPutGet = PTL_ME_OP_PUT | PTL_ME_OP_GET;
  static constexpr uintptr_t kMark = 0x4711;
  static constexpr size_t kBehindMd = 8192;

  void SetUp() override {
    ASSERT_EQ(initiator_.Open(kOptions), PTL_OK);
    ASSERT_EQ(owner_.Open(kOptions), PTL_OK);
    eq_ = initiator_.Eq();
    md_ = initiator_.Md(eq_);
    back_ = initiator_.Pt(PTL_EQ_NONE);
    initiator_.Append(back_, {});
    arrivals_ = owner_.Ct();
    pt_ = owner_.Pt(PTL_EQ_NONE);
    owner_.Append(pt_, {.offset = 4096,
                        .options = kPutGet | PTL_ME_EVENT_CT_COMM,
                        .ct = arrivals_});
    owner_.Store<int64_t>(0, 5);
    owner_.Store<int64_t>(kBehindMd, 9);
    owner_md_ = owner_.Md(PTL_EQ_NONE, 0, PTL_CT_NONE, 0, kBehindMd);
  }
  portals4::TriggerRecord* Postpone(const Vandal& vandal,
                                    ptl_size_t threshold) {
    EXPECT_EQ(owner_.Call([=, md = owner_md_, to = initiator_.id(), pt = back_,
                           ct = arrivals_] {
      return PtlTriggeredSwap(md, 64, md, 0, 8, to, pt, 0, 0,
                              reinterpret_cast<void*>(kMark), 0, nullptr,
                              PTL_SWAP, PTL_INT64_T, ct, threshold);
    }),
              PTL_OK);
    return vandal.FindTrigger(kMark);
  }
  // Does a put. The put makes the owner's operation due, and the initiator runs
  // that operation.
  void Put() {
    EXPECT_EQ(initiator_.Put(owner_, {.md = md_, .pt = pt_}), PTL_OK);
    for (int i = 0; i < 2; ++i) {
      const auto event = initiator_.Next(eq_);
      EXPECT_EQ(event.code, PTL_OK);
      EXPECT_EQ(event.value.ni_fail_type, PTL_NI_OK);
    }
  }

  Process initiator_{Process::Memory::kMapped};
  Process owner_{Process::Memory::kMapped};
  ptl_handle_eq_t eq_ = PTL_EQ_NONE;
  ptl_handle_md_t md_ = PTL_INVALID_HANDLE;
  ptl_handle_md_t owner_md_ = PTL_INVALID_HANDLE;
  ptl_handle_ct_t arrivals_ = PTL_CT_NONE;
  ptl_pt_index_t pt_ = 0;
  ptl_pt_index_t back_ = 0;
};

}  // namespace gasnet::portals4_tests::testing

#endif  // PORTALS_ROBUSTNESS_CORRUPTED_OWNER_H_
