// Rules 1 to 5: initialisation, interfaces, limits and identities.
#include <portals4.h>
#include <signal.h>
#include <unistd.h>

#include "portals/testing/world.h"

namespace gasnet::portals4_tests::testing {
namespace {

constexpr unsigned kFeatures = PTL_TARGET_BIND_INACCESSIBLE |
                               PTL_TOTAL_DATA_ORDERING | PTL_COHERENT_ATOMICS;
constexpr unsigned kMatchPhys = PTL_NI_MATCHING | PTL_NI_PHYSICAL;

// A process that has not called PtlInit.
class Rule01 : public ::testing::Test {
 protected:
  Child child_;
};

TEST_F(Rule01, NothingBeforeInit) {
  const int wrong = child_.Call([] {
    ptl_handle_any_t handle = 0;
    ptl_process_t id = {};
    ptl_ni_limits_t limits = {};
    ptl_event_t event = {};
    ptl_ct_event_t count = {1, 0};
    ptl_md_t md = {};
    ptl_le_t le = {};
    ptl_me_t me = {};
    ptl_pt_index_t pt = 0;
    ptl_size_t size = 0;
    ptl_uid_t uid = 0;
    ptl_sr_value_t status = 0;
    unsigned which = 0;
    int operand = 0;
    const int codes[] = {
        PtlNIInit(PTL_IFACE_DEFAULT, kMatchPhys, PTL_PID_ANY, nullptr, &limits,
                  &handle),
        PtlNIFini(handle),
        PtlNIStatus(handle, PTL_SR_DROP_COUNT, &status),
        PtlNIHandle(handle, &handle),
        PtlSetMap(handle, 1, &id),
        PtlGetMap(handle, 1, &id, &size),
        PtlPTAlloc(handle, 0, PTL_EQ_NONE, 0, &pt),
        PtlPTFree(handle, 0),
        PtlPTDisable(handle, 0),
        PtlPTEnable(handle, 0),
        PtlGetUid(handle, &uid),
        PtlGetId(handle, &id),
        PtlGetPhysId(handle, &id),
        PtlMDBind(handle, &md, &handle),
        PtlMDRelease(handle),
        PtlLEAppend(handle, 0, &le, PTL_PRIORITY_LIST, nullptr, &handle),
        PtlLEUnlink(handle),
        PtlLESearch(handle, 0, &le, PTL_SEARCH_ONLY, nullptr),
        PtlMEAppend(handle, 0, &me, PTL_PRIORITY_LIST, nullptr, &handle),
        PtlMEUnlink(handle),
        PtlMESearch(handle, 0, &me, PTL_SEARCH_ONLY, nullptr),
        PtlCTAlloc(handle, &handle),
        PtlCTFree(handle),
        PtlCTCancelTriggered(handle),
        PtlCTGet(handle, &count),
        PtlCTWait(handle, 0, &count),
        PtlCTPoll(&handle, &size, 1, 0, &count, &which),
        PtlCTSet(handle, count),
        PtlCTInc(handle, count),
        PtlPut(handle, 0, 0, PTL_NO_ACK_REQ, id, 0, 0, 0, nullptr, 0),
        PtlGet(handle, 0, 0, id, 0, 0, 0, nullptr),
        PtlAtomic(handle, 0, 8, PTL_NO_ACK_REQ, id, 0, 0, 0, nullptr, 0,
                  PTL_SUM, PTL_INT64_T),
        PtlFetchAtomic(handle, 0, handle, 0, 8, id, 0, 0, 0, nullptr, 0,
                       PTL_SUM, PTL_INT64_T),
        PtlSwap(handle, 0, handle, 0, 8, id, 0, 0, 0, nullptr, 0, &operand,
                PTL_SWAP, PTL_INT64_T),
        PtlAtomicSync(),
        PtlEQAlloc(handle, 8, &handle),
        PtlEQFree(handle),
        PtlEQGet(handle, &event),
        PtlEQWait(handle, &event),
        PtlEQPoll(&handle, 1, 0, &event, &which),
        PtlTriggeredPut(handle, 0, 0, PTL_NO_ACK_REQ, id, 0, 0, 0, nullptr, 0,
                        handle, 1),
        PtlTriggeredGet(handle, 0, 0, id, 0, 0, 0, nullptr, handle, 1),
        PtlTriggeredAtomic(handle, 0, 8, PTL_NO_ACK_REQ, id, 0, 0, 0, nullptr,
                           0, PTL_SUM, PTL_INT64_T, handle, 1),
        PtlTriggeredFetchAtomic(handle, 0, handle, 0, 8, id, 0, 0, 0, nullptr,
                                0, PTL_SUM, PTL_INT64_T, handle, 1),
        PtlTriggeredSwap(handle, 0, handle, 0, 8, id, 0, 0, 0, nullptr, 0,
                         &operand, PTL_SWAP, PTL_INT64_T, handle, 1),
        PtlTriggeredCTInc(handle, count, handle, 1),
        PtlTriggeredCTSet(handle, count, handle, 1),
        PtlTriggeredMEAppend(handle, 0, &me, PTL_PRIORITY_LIST, nullptr,
                             &handle, handle, 1),
        PtlTriggeredMEUnlink(handle, handle, 1),
        PtlStartBundle(handle),
        PtlEndBundle(handle),
    };
    int place = 0;
    for (const int code : codes) {
      ++place;
      if (code != PTL_NO_INIT) return place;
    }
    return 0;
  });
  EXPECT_EQ(wrong, 0) << "the number of the first call that answers otherwise";
}

TEST_F(Rule01, CallsAreCounted) {
  const int code = child_.Call([] {
    ptl_handle_ni_t ni;
    if (PtlInit() != PTL_OK || PtlInit() != PTL_OK) return -1;
    PtlFini();
    if (PtlNIInit(PTL_IFACE_DEFAULT, kMatchPhys, PTL_PID_ANY, nullptr, nullptr,
                  &ni))
      return -2;
    PtlFini();
    ptl_uid_t uid;
    return PtlGetUid(ni, &uid);
  });
  EXPECT_EQ(code, PTL_NO_INIT);
}

TEST_F(Rule01, ComesBackAfterTheEnd) {
  const int code = child_.Call([] {
    ptl_handle_ni_t ni;
    for (int i = 0; i < 3; ++i) {
      if (PtlInit() != PTL_OK) return -1;
      const int opened = PtlNIInit(PTL_IFACE_DEFAULT, kMatchPhys, PTL_PID_ANY,
                                   nullptr, nullptr, &ni);
      if (opened != PTL_OK) return opened;
      PtlFini();
    }
    return static_cast<int>(PTL_OK);
  });
  EXPECT_EQ(code, PTL_OK);
}

TEST_F(Rule01, ComparesHandlesWithoutInit) {
  EXPECT_TRUE(
      child_.Call([] { return PtlHandleIsEqual(PTL_EQ_NONE, PTL_EQ_NONE); }));
  EXPECT_FALSE(
      child_.Call([] { return PtlHandleIsEqual(PTL_EQ_NONE, PTL_CT_NONE); }));
}

class Rule02 : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(child_.Call([] { return PtlInit(); }), PTL_OK);
    ASSERT_EQ(other_.Call([] { return PtlInit(); }), PTL_OK);
  }
  static int OpenNi(unsigned options, ptl_pid_t pid, ptl_handle_ni_t* ni) {
    return PtlNIInit(PTL_IFACE_DEFAULT, options, pid, nullptr, nullptr, ni);
  }
  Child child_;
  Child other_;
};

TEST_F(Rule02, OneOfEachPair) {
  for (unsigned options = 0; options < 32; ++options) {
    const unsigned matching = options & (PTL_NI_MATCHING | PTL_NI_NO_MATCHING);
    const unsigned names = options & (PTL_NI_LOGICAL | PTL_NI_PHYSICAL);
    const bool one_each =
        (matching == 1 || matching == 2) && (names == 4 || names == 8);
    const bool good = one_each && options < 16;
    const int code = child_.Call([options] {
      ptl_handle_ni_t ni;
      return OpenNi(options, PTL_PID_ANY, &ni);
    });
    EXPECT_EQ(code, good ? PTL_OK : PTL_ARG_INVALID) << options;
  }
}

TEST_F(Rule02, AnotherCallGivesTheSame) {
  EXPECT_TRUE(child_.Call([] {
    ptl_ni_limits_t small = {};
    ptl_ni_limits_t first = {};
    ptl_ni_limits_t second = {};
    ptl_handle_ni_t one = PTL_INVALID_HANDLE;
    ptl_handle_ni_t two = PTL_INVALID_HANDLE;
    PtlNIInit(PTL_IFACE_DEFAULT, kMatchPhys, PTL_PID_ANY, nullptr, &first,
              &one);
    small.max_mds = first.max_mds - 1;
    PtlNIInit(PTL_IFACE_DEFAULT, kMatchPhys, 17, &small, &second, &two);
    if (!PtlHandleIsEqual(one, two) || first.max_mds != second.max_mds)
      return false;
    // The interface stays open until PtlNIFini was called as often as
    // PtlNIInit.
    ptl_uid_t uid;
    return PtlNIFini(one) == PTL_OK && PtlGetUid(two, &uid) == PTL_OK &&
           PtlNIFini(two) == PTL_OK && PtlGetUid(two, &uid) == PTL_ARG_INVALID;
  }));
}

TEST_F(Rule02, AllKindsShareTheProcess) {
  EXPECT_TRUE(child_.Call([] {
    ptl_process_t ids[4];
    const unsigned kinds[] = {5, 6, 9, 10};
    for (int i = 0; i < 4; ++i) {
      ptl_handle_ni_t ni;
      if (OpenNi(kinds[i], PTL_PID_ANY, &ni) != PTL_OK) return false;
      if (PtlGetPhysId(ni, &ids[i]) != PTL_OK) return false;
      if (ids[i].phys.nid != ids[0].phys.nid) return false;
      if (ids[i].phys.pid != ids[0].phys.pid) return false;
    }
    return true;
  }));
}

TEST_F(Rule02, APidHasOneOwner) {
  // Another run of these tests may have claimed this pid. So this takes the
  // first free pid.
  const ptl_pid_t pid = child_.Call([] {
    ptl_handle_ni_t ni;
    ptl_pid_t candidate = 300;
    while (OpenNi(kMatchPhys, candidate, &ni) == PTL_PID_IN_USE) ++candidate;
    ptl_process_t id;
    PtlGetPhysId(ni, &id);
    return id.phys.pid == candidate ? candidate : 0;
  });
  ASSERT_NE(pid, 0U);
  const auto open = [pid] {
    ptl_handle_ni_t ni;
    return OpenNi(kMatchPhys, pid, &ni);
  };
  EXPECT_EQ(other_.Call(open), PTL_PID_IN_USE);
  child_.Call([] { PtlFini(); });
  EXPECT_EQ(other_.Call(open), PTL_OK);
}

TEST_F(Rule02, ADeadProcessGivesItsPidBack) {
  const ptl_pid_t pid = child_.Call([] {
    ptl_handle_ni_t ni;
    ptl_pid_t candidate = 400;
    while (OpenNi(kMatchPhys, candidate, &ni) == PTL_PID_IN_USE) ++candidate;
    return candidate;
  });
  child_.Signal(SIGKILL);
  EXPECT_EQ(other_.Call([pid] {
    ptl_handle_ni_t ni;
    return OpenNi(kMatchPhys, pid, &ni);
  }),
            PTL_OK);
}

TEST_F(Rule02, RefusesAPidAboveTheMax) {
  EXPECT_EQ(child_.Call([] {
    ptl_handle_ni_t ni;
    return OpenNi(kMatchPhys, PTL_PID_MAX + 1, &ni);
  }),
            PTL_ARG_INVALID);
}

class Rule03 : public ::testing::Test {
 protected:
  Process process_{Process::Memory::kMapped};
};

TEST_F(Rule03, LimitsAreAsAsked) {
  ptl_ni_limits_t asked = {};
  asked.max_entries = asked.max_unexpected_headers = asked.max_mds = 4;
  asked.max_cts = asked.max_eqs = asked.max_iovecs = asked.max_list_size = 4;
  asked.max_triggered_ops = 4;
  asked.max_pt_index = 63;
  asked.max_msg_size = 4096;
  asked.max_atomic_size = asked.max_fetch_atomic_size = 64;
  asked.max_waw_ordered_size = 64;
  asked.max_war_ordered_size = 8;
  ASSERT_EQ(process_.Open(kMatchPhys, &asked), PTL_OK);
  const ptl_ni_limits_t& actual = process_.limits();
  EXPECT_EQ(actual.max_entries, 4);
  EXPECT_EQ(actual.max_unexpected_headers, 4);
  EXPECT_EQ(actual.max_mds, 4);
  EXPECT_EQ(actual.max_cts, 4);
  EXPECT_EQ(actual.max_eqs, 4);
  EXPECT_EQ(actual.max_list_size, 4);
  EXPECT_EQ(actual.max_triggered_ops, 4);
  EXPECT_EQ(actual.max_pt_index, 63);
  EXPECT_EQ(actual.max_msg_size, 4096U);
}

TEST_F(Rule03, SmallLimitsAreAsAsked) {
  ptl_ni_limits_t asked = {};
  asked.max_pt_index = 1;
  asked.max_msg_size = 5;
  asked.max_atomic_size = asked.max_fetch_atomic_size = 4;
  asked.max_waw_ordered_size = 3;
  asked.max_war_ordered_size = 2;
  asked.max_volatile_size = 1;
  ASSERT_EQ(process_.Open(kMatchPhys, &asked), PTL_OK);
  const ptl_ni_limits_t& actual = process_.limits();
  EXPECT_EQ(actual.max_pt_index, 1);
  EXPECT_EQ(actual.max_msg_size, 5U);
  EXPECT_EQ(actual.max_atomic_size, 4U);
  EXPECT_EQ(actual.max_fetch_atomic_size, 4U);
  EXPECT_EQ(actual.max_waw_ordered_size, 3U);
  EXPECT_EQ(actual.max_war_ordered_size, 2U);
  EXPECT_EQ(actual.max_volatile_size, 1U);
  EXPECT_EQ(process_.Pt(PTL_EQ_NONE), 0U);
  EXPECT_EQ(process_.Pt(PTL_EQ_NONE), 1U);
  EXPECT_EQ(process_.Call([ni = process_.ni()] {
    ptl_pt_index_t index;
    return PtlPTAlloc(ni, 0, PTL_EQ_NONE, PTL_PT_ANY, &index);
  }),
            PTL_PT_FULL);
}

TEST_F(Rule03, WhatIsNotAskedForIsAsPromised) {
  const ptl_ni_limits_t nothing = {};
  ASSERT_EQ(process_.Open(kMatchPhys, &nothing), PTL_OK);
  EXPECT_GE(process_.limits().max_pt_index, 63);
  EXPECT_GE(process_.limits().max_msg_size, 64U);
  EXPECT_GE(process_.limits().max_waw_ordered_size, 64U);
  EXPECT_GE(process_.limits().max_war_ordered_size, 8U);
  EXPECT_GE(process_.limits().max_volatile_size, 64U);
}

TEST_F(Rule03, GarbageIsBroughtIntoWhatIsPossible) {
  ptl_ni_limits_t garbage;
  memset(&garbage, 0xa5, sizeof garbage);
  ASSERT_EQ(process_.Open(kMatchPhys, &garbage), PTL_OK);
  const ptl_ni_limits_t& actual = process_.limits();
  EXPECT_GT(actual.max_entries, 0);
  EXPECT_GT(actual.max_mds, 0);
  EXPECT_GE(actual.max_pt_index, 63);
  EXPECT_GT(actual.max_msg_size, 0U);
  EXPECT_EQ(actual.features & ~kFeatures, 0U);
  EXPECT_EQ(actual.features & ~garbage.features, 0U) << "not asked for";
}

TEST_F(Rule03, FeaturesAreThoseAskedForThatThereAre) {
  ptl_ni_limits_t asked = {};
  asked.features = kFeatures;
  ASSERT_EQ(process_.Open(kMatchPhys, &asked), PTL_OK);
  EXPECT_EQ(process_.limits().features, asked.features);
}

TEST_F(Rule03, CoherentAtomicsAreOnlyForThoseThatAsk) {
  ASSERT_EQ(process_.Open(kMatchPhys, nullptr), PTL_OK);
  EXPECT_EQ(process_.limits().features & PTL_COHERENT_ATOMICS, 0U);
}

TEST_F(Rule03, MuchIsGivenToTheModest) {
  ASSERT_EQ(process_.Open(kMatchPhys), PTL_OK);
  EXPECT_GE(process_.limits().max_entries, 64);
  EXPECT_GE(process_.limits().max_msg_size, 1U << 20);
}

class Rule05 : public World {};
INSTANTIATE_TEST_SUITE_P(All, Rule05, AllSetups(), SetupName);

TEST_P(Rule05, MapsAreForLogicalInterfaces) {
  const bool logical = (GetParam().options & PTL_NI_LOGICAL) != 0;
  const int expected = logical ? PTL_OK : PTL_ARG_INVALID;
  const int got = target().Call([ni = target().ni()] {
    ptl_process_t map[8];
    ptl_size_t size = 0;
    return PtlGetMap(ni, 8, map, &size);
  });
  EXPECT_EQ(got, expected);
  const int set = target().Call([ni = target().ni(), id = target().phys()] {
    return PtlSetMap(ni, 1, &id);
  });
  EXPECT_TRUE(set == expected || (logical && set == PTL_IGNORED)) << set;
}

TEST_P(Rule05, ProcessesAreNamedAsTheInterfaceSays) {
  const auto id = target().Call([ni = target().ni()] {
    ptl_process_t value = {};
    PtlGetId(ni, &value);
    return value;
  });
  if ((GetParam().options & PTL_NI_LOGICAL) != 0) {
    EXPECT_EQ(id.rank, GetParam().processes - 1);
  } else {
    EXPECT_EQ(id.phys.nid, target().phys().phys.nid);
    EXPECT_EQ(id.phys.pid, target().phys().phys.pid);
  }
  const auto uid = target().Call([ni = target().ni()] {
    ptl_uid_t value = 0;
    PtlGetUid(ni, &value);
    return value;
  });
  EXPECT_EQ(uid, getuid());
}

TEST_P(Rule05, GivesTheMapInParts) {
  if ((GetParam().options & PTL_NI_LOGICAL) == 0) GTEST_SKIP() << "has no map";
  const auto whole = target().Call([ni = target().ni()] {
    Answer<ptl_size_t> answer = {};
    ptl_process_t one = {};
    answer.code = PtlGetMap(ni, 1, &one, &answer.value);
    return answer;
  });
  EXPECT_EQ(whole.code, PTL_OK);
  EXPECT_EQ(whole.value, GetParam().processes);
}

}  // namespace
}  // namespace gasnet::portals4_tests::testing
