// PORTALS4_FAULTS and PORTALS4_LIMITS have their documented effects, and no
// effect that the Portals interface forbids.
#include <gtest/gtest.h>
#include <portals4.h>
#include <unistd.h>

#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "portals/testing/process.h"

namespace gasnet::portals4_tests::testing {
namespace {

constexpr unsigned kOptions = PTL_NI_MATCHING | PTL_NI_LOGICAL;
constexpr int kPuts = 200;

struct Setting {
  char name[32];
  char value[96];
};

// An initiator with faults, and a target without faults.
struct Pair {
  explicit Pair(const Setting& setting)
      : initiator(Process::Memory::kMapped), target(Process::Memory::kMapped) {
    initiator.Call([setting] { setenv(setting.name, setting.value, 1); });
    EXPECT_EQ(initiator.Open(kOptions), PTL_OK);
    EXPECT_EQ(target.Open(kOptions), PTL_OK);
    const ptl_process_t map[] = {initiator.phys(), target.phys()};
    target.SetMap(map, 2);
    initiator.SetMap(map, 2);
    at_target = target.Eq(4 * kPuts);
    pt = target.Pt(at_target);
    target.Append(pt, {});
    eq = initiator.Eq(4 * kPuts);
    ct = initiator.Ct();
    md = initiator.Md(eq, PTL_MD_EVENT_CT_ACK, ct);
  }
  Process initiator;
  Process target;
  ptl_handle_eq_t at_target;
  ptl_pt_index_t pt;
  ptl_handle_eq_t eq;
  ptl_handle_ct_t ct;
  ptl_handle_md_t md;
};

Setting Faults(const char* value) {
  Setting setting = {"PORTALS4_FAULTS", ""};
  snprintf(setting.value, sizeof setting.value, "%s", value);
  return setting;
}

// The reports of puts. `acks` has the numbers of the puts, in the order of
// their ACK events. `wrong` counts puts with a second SEND event, and puts
// without a SEND event before their ACK.
struct Told {
  int acks[kPuts];
  int absent;  // puts whose SEND was not there when the call returned
  int wrong;
};

Told PutMany(Pair& pair) {
  return pair.initiator.Call(
      [md = pair.md, eq = pair.eq, pt = pair.pt, to = pair.target.id()] {
        Told told = {};
        bool sent[kPuts] = {};
        int acknowledged = 0;
        const auto note = [&](const ptl_event_t& event) {
          const auto number = reinterpret_cast<intptr_t>(event.user_ptr);
          if (event.type == PTL_EVENT_SEND) {
            told.wrong += sent[number] ? 1 : 0;
            sent[number] = true;
          } else {
            told.wrong += sent[number] ? 0 : 1;
            told.acks[acknowledged++] = static_cast<int>(number);
          }
        };
        ptl_event_t event;
        for (intptr_t i = 0; i < kPuts; ++i) {
          PtlPut(md, 0, 8, PTL_ACK_REQ, to, pt, 0, 0,
                 reinterpret_cast<void*>(i), 0);
          if (PtlEQGet(eq, &event) != PTL_OK) {
            ++told.absent;
          } else {
            note(event);
          }
        }
        unsigned which;
        while (acknowledged < kPuts) {
          if (PtlEQPoll(&eq, 1, kPatienceMs / 2, &event, &which) != PTL_OK) {
            told.wrong += 1000;
            break;
          }
          note(event);
        }
        return told;
      });
}

int OutOfOrder(const Told& told) {
  int count = 0;
  for (int i = 1; i < kPuts; ++i) {
    count += told.acks[i] < told.acks[i - 1] ? 1 : 0;
  }
  return count;
}

TEST(Faults, NoneWithoutASetting) {
  Pair pair(Faults(""));
  const Told told = PutMany(pair);
  EXPECT_EQ(told.absent, 0);
  EXPECT_EQ(told.wrong, 0);
  EXPECT_EQ(OutOfOrder(told), 0);
}

TEST(Faults, LateEventsStayInOrder) {
  Pair pair(Faults("seed=3,late=4"));
  const Told told = PutMany(pair);
  EXPECT_GT(told.absent, 0);
  EXPECT_EQ(told.wrong, 0);
  EXPECT_EQ(OutOfOrder(told), 0);
}

TEST(Faults, ReorderedEventsAreTheSameEvents) {
  Pair pair(Faults("seed=3,reordered=4"));
  const Told told = PutMany(pair);
  EXPECT_EQ(told.wrong, 0);
  EXPECT_GT(OutOfOrder(told), 0);
  EXPECT_EQ(std::set<int>(told.acks, told.acks + kPuts).size(), size_t{kPuts});
}

TEST(Faults, LateCountsAllCome) {
  Pair pair(Faults("seed=5,late=3,reordered=5"));
  const auto late = pair.initiator.Call(
      [md = pair.md, ct = pair.ct, pt = pair.pt, to = pair.target.id()] {
        Answer<int> answer = {};
        ptl_ct_event_t value;
        for (ptl_size_t i = 1; i <= kPuts; ++i) {
          PtlPut(md, 0, 8, PTL_CT_ACK_REQ, to, pt, 0, 0, nullptr, 0);
          PtlCTGet(ct, &value);
          answer.value += value.success < i ? 1 : 0;
        }
        answer.code = PtlCTWait(ct, kPuts, &value);
        if (value.success != kPuts || value.failure != 0) answer.code = -1;
        return answer;
      });
  EXPECT_EQ(late.code, PTL_OK);
  EXPECT_GT(late.value, 0);
}

// Faults hold back only results that the initiator reads. Other processes get
// their results even if the initiator makes no further call.
TEST(Faults, NothingThatOthersWaitForIsLate) {
  Pair pair(Faults("seed=7,late=1"));
  const ptl_handle_ct_t arrived = pair.target.Ct();
  const ptl_pt_index_t pt = pair.target.Pt(PTL_EQ_NONE);
  pair.target.Append(
      pt, {.options = PTL_ME_OP_PUT | PTL_ME_EVENT_CT_COMM, .ct = arrived});
  EXPECT_EQ(pair.initiator.Call([=, md = pair.md, ct = pair.ct,
                                 to = pair.target.id()] {
    const int code = PtlTriggeredPut(md, 0, 8, PTL_NO_ACK_REQ, to, pt, 0, 0,
                                     nullptr, 0, ct, 1);
    if (code != PTL_OK) return code;
    return PtlPut(md, 0, 8, PTL_CT_ACK_REQ, to, pt, 0, 0, nullptr, 0);
  }),
            PTL_OK);
  EXPECT_EQ(pair.target.Reached(arrived, 2).code, PTL_OK);
}

TEST(Faults, AnotherIndexThanTheLowest) {
  Pair pair(Faults("seed=1,pt_any=2"));
  std::set<ptl_pt_index_t> given;
  int higher = 0;
  ptl_pt_index_t lowest = 0;
  for (int i = 0; i < 20; ++i) {
    while (given.contains(lowest)) ++lowest;
    const ptl_pt_index_t index = pair.initiator.Pt(PTL_EQ_NONE);
    EXPECT_LE(index, pair.initiator.limits().max_pt_index);
    EXPECT_TRUE(given.insert(index).second) << index << " was taken";
    higher += index != lowest ? 1 : 0;
  }
  EXPECT_GT(higher, 0);
  EXPECT_LT(higher, 20);
  while (given.contains(lowest)) ++lowest;
  EXPECT_EQ(pair.initiator.Pt(PTL_EQ_NONE, 0, lowest), lowest)
      << "it was asked for";
}

// Repeats the call `what` until it has returned `usual` and `fault`. Fails if
// the call returns a third code.
template <typename What>
void ExpectBoth(Pair& pair, int usual, int fault, const What& what) {
  std::set<int> seen;
  for (int i = 0; i < 1000 && seen.size() < 2; ++i) {
    const int code = pair.initiator.Call(what);
    EXPECT_TRUE(code == usual || code == fault) << code;
    seen.insert(code);
  }
  EXPECT_EQ(seen, (std::set<int>{usual, fault}));
}

TEST(Faults, RefusalsByChance) {
  Pair pair(Faults("seed=2,in_use=3,no_space=3,ignored=3"));
  const auto own = pair.initiator.Pt(PTL_EQ_NONE);
  ExpectBoth(pair, PTL_OK, PTL_NO_SPACE, [ni = pair.initiator.ni(), own] {
    ptl_me_t me = {};
    me.ct_handle = PTL_CT_NONE;
    me.uid = PTL_UID_ANY;
    me.match_id.rank = PTL_RANK_ANY;
    ptl_handle_me_t handle;
    const int code =
        PtlMEAppend(ni, own, &me, PTL_PRIORITY_LIST, nullptr, &handle);
    // Retries as programs do on PTL_IN_USE.
    while (code == PTL_OK && PtlMEUnlink(handle) == PTL_IN_USE) continue;
    return code;
  });
  ExpectBoth(pair, PTL_OK, PTL_IN_USE, [ni = pair.initiator.ni()] {
    ptl_handle_md_t handle;
    const ptl_md_t any = {nullptr, 8, 0, PTL_EQ_NONE, PTL_CT_NONE};
    if (PtlMDBind(ni, &any, &handle) != PTL_OK) return -1;
    return PtlMDRelease(handle);
  });
  ExpectBoth(pair, PTL_OK, PTL_IGNORED,
             [ni = pair.initiator.ni(), me = pair.initiator.phys(),
              to = pair.target.phys()] {
               const ptl_process_t map[] = {me, to};
               return PtlSetMap(ni, 2, map);
             });
}

TEST(Faults, OperationsFailByChance) {
  Pair pair(Faults("seed=2,undeliverable=3"));
  const auto fails = [md = pair.md, eq = pair.eq, pt = pair.pt,
                      to = pair.target.id()] {
    ptl_event_t event = {};
    PtlPut(md, 0, 8, PTL_ACK_REQ, to, pt, 0, 0, nullptr, 0);
    while (PtlEQWait(eq, &event) == PTL_OK && event.type != PTL_EVENT_ACK) {
      continue;
    }
    return static_cast<int>(event.ni_fail_type);
  };
  ExpectBoth(pair, PTL_NI_OK, PTL_NI_UNDELIVERABLE, fails);
}

TEST(Faults, TablesAreDisabledByChance) {
  Pair pair(Faults("seed=2,disable=5"));
  const ptl_handle_eq_t eq = pair.target.Eq(4096);
  const ptl_pt_index_t pt = pair.target.Pt(eq, PTL_PT_FLOWCTRL);
  pair.target.Append(pt,
                     {.options = PTL_ME_OP_PUT | PTL_ME_EVENT_LINK_DISABLE});
  int refused = 0;
  for (int i = 0; i < 40; ++i) {
    pair.initiator.Put(pair.target, {.md = pair.md, .pt = pt});
    EXPECT_EQ(pair.initiator.Next(pair.eq).value.type,
              ptl_event_kind_t{PTL_EVENT_SEND});
    const ptl_event_t ack = pair.initiator.Next(pair.eq).value;
    const ptl_event_t at_target = pair.target.Next(eq).value;
    if (ack.ni_fail_type == PTL_NI_OK) {
      EXPECT_EQ(at_target.type, ptl_event_kind_t{PTL_EVENT_PUT});
      continue;
    }
    ++refused;
    EXPECT_EQ(ack.ni_fail_type, ptl_ni_fail_t{PTL_NI_PT_DISABLED});
    EXPECT_EQ(at_target.type, ptl_event_kind_t{PTL_EVENT_PT_DISABLED});
    EXPECT_EQ(pair.target.Call(
                  [ni = pair.target.ni(), pt] { return PtlPTEnable(ni, pt); }),
              PTL_OK);
  }
  EXPECT_GT(refused, 0);
  EXPECT_LT(refused, 40);
}

TEST(Limits, AreLoweredAsAsked) {
  Process process(Process::Memory::kMapped);
  process.Call([] {
    setenv("PORTALS4_LIMITS",
           "max_mds=3,max_msg_size=65536,max_volatile_size=0,features=0,"
           "max_md_length=4096",
           1);
  });
  ASSERT_EQ(process.Open(PTL_NI_MATCHING | PTL_NI_PHYSICAL), PTL_OK);
  EXPECT_EQ(process.limits().max_mds, 3);
  EXPECT_EQ(process.limits().max_msg_size, 65536U);
  EXPECT_EQ(process.limits().max_volatile_size, 0U);
  EXPECT_EQ(process.limits().features, 0U);
  const auto bind = [&](ptl_size_t length) {
    return process.Bind({process.memory(), length, 0, PTL_EQ_NONE, PTL_CT_NONE})
        .code;
  };
  EXPECT_EQ(bind(4097), PTL_ARG_INVALID);
  EXPECT_EQ(bind(PTL_SIZE_MAX), PTL_ARG_INVALID);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(bind(4096), PTL_OK);
  EXPECT_EQ(bind(4096), PTL_NO_SPACE);
}

using KnobsDeathTest = ::testing::Test;

TEST_F(KnobsDeathTest, NamesThatAreNotKnown) {
  const auto begin = [](const char* name, const char* value) {
    setenv(name, value, 1);
    PtlInit();
    _exit(0);
  };
  EXPECT_DEATH(begin("PORTALS4_FAULTS", "seed=1,lat=3"),
               "PORTALS4_FAULTS has 'lat=3'; accepted: a list NAME=NUMBER");
  EXPECT_DEATH(begin("PORTALS4_FAULTS", "late"), "PORTALS4_FAULTS has 'late'");
  EXPECT_DEATH(begin("PORTALS4_FAULTS", "late=x"), "has 'late=x'");
  EXPECT_DEATH(begin("PORTALS4_LIMITS", "max_md=3"), "has 'max_md=3'");
}

}  // namespace
}  // namespace gasnet::portals4_tests::testing
