#include "portals/testing/world.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <ostream>

#include "base/sanitizer.h"
#include "portals/testing/refusal.h"

namespace gasnet::portals4_tests::testing {

namespace {

constexpr unsigned kMatchPhys = PTL_NI_MATCHING | PTL_NI_PHYSICAL;
constexpr unsigned kMatchLogical = PTL_NI_MATCHING | PTL_NI_LOGICAL;
constexpr unsigned kListPhys = PTL_NI_NO_MATCHING | PTL_NI_PHYSICAL;
constexpr unsigned kListLogical = PTL_NI_NO_MATCHING | PTL_NI_LOGICAL;
constexpr Process::Memory kMapped = Process::Memory::kMapped;
constexpr Process::Memory kPrivate = Process::Memory::kPrivate;

// Jobs that send operations as datagrams of three sizes. The first has the
// largest that loopback accepts. The second has small ones between hosts; some
// of them are lost or damaged. The third has those that Ethernet permits.
constexpr JobSetup kLarge = {.datagram = 64000};
constexpr JobSetup kFaulty = {
    .transport = "auto",
    .hosts = 2,
    .datagram = 1200,
    .faults = "drop=5,duplicate=2,reorder=10,corrupt=1"};
constexpr JobSetup kUsual = {};

const Setup kMatching[] = {
    {"self", 1, kMatchPhys},
    {"self_logical", 1, kMatchLogical},
    {"pair", 2, kMatchPhys},
    {"pair_logical", 2, kMatchLogical},
    {"pair_private", 2, kMatchPhys, kPrivate},
    {"datagrams", 2, kMatchPhys, kMapped, &kLarge},
    {"faulty_datagrams", 2, kMatchLogical, kPrivate, &kFaulty},
};
const Setup kAll[] = {
    kMatching[0],
    kMatching[1],
    kMatching[2],
    kMatching[3],
    kMatching[4],
    kMatching[5],
    kMatching[6],
    {"self_lists", 1, kListPhys},
    {"pair_lists", 2, kListPhys},
    {"pair_lists_logical", 2, kListLogical},
    {"datagrams_lists", 2, kListPhys, kMapped, &kUsual},
    {"pair_helped", 2, kMatchPhys, kPrivate, nullptr, true},
};
// In the last setup a helper thread of the process copies bytes. The process
// learns of the copy only through the peer that asked for it. The thread
// sanitizer cannot follow that. So tests under it leave the last setup out.
constexpr size_t kSetups = std::size(kAll) - (kThreadSanitizer ? 1 : 0);

ptl_ni_fail_t FailOf(const Answer<ptl_event_t>& got) {
  return got.value.ni_fail_type;
}

}  // namespace

::testing::internal::ParamGenerator<Setup> AllSetups() {
  return ::testing::ValuesIn(kAll, kAll + kSetups);
}

::testing::internal::ParamGenerator<Setup> MatchingSetups() {
  return ::testing::ValuesIn(kMatching);
}

std::string SetupName(const ::testing::TestParamInfo<Setup>& info) {
  return info.param.name;
}

std::ostream& operator<<(std::ostream& out, const Expected& expected) {
  return out << "event " << expected.type << " fail " << expected.fail;
}

bool operator==(const Expected& a, const Expected& b) {
  return a.type == b.type && a.fail == b.fail;
}

void World::SetUp() { Open(nullptr); }

void World::Reopen(const ptl_ni_limits_t& limits) { Open(&limits); }

void World::Open(const ptl_ni_limits_t* limits) {
  processes_.clear();
  const auto& setup = GetParam();
  if (setup.job != nullptr) {
    processes_ = MakeJob(setup.processes, setup.memory, *setup.job);
  }
  while (processes_.size() < setup.processes) {
    processes_.push_back(std::make_unique<Process>(setup.memory));
  }
  std::vector<ptl_process_t> map;
  for (const auto& process : processes_) {
    if (GetParam().refused) process->Call([] { RefuseCopies(); });
    ASSERT_EQ(process->Open(GetParam().options, limits), PTL_OK);
    map.push_back(process->phys());
  }
  if ((GetParam().options & PTL_NI_LOGICAL) == 0) return;
  for (const auto& process : processes_)
    process->SetMap(map.data(), map.size());
}

std::vector<ptl_event_t> World::Expect(Process& process, ptl_handle_eq_t eq,
                                       std::initializer_list<Expected> events) {
  std::vector<ptl_event_t> result;
  for (const Expected& expected : events) {
    const auto got = process.Next(eq);
    EXPECT_EQ(got.code, PTL_OK) << "waiting for " << expected;
    EXPECT_EQ((Expected{got.value.type, FailOf(got)}), expected);
    result.push_back(got.value);
  }
  return result;
}

std::vector<ptl_event_t> World::ExpectAll(
    Process& process, ptl_handle_eq_t eq,
    std::initializer_list<Expected> events) {
  std::vector<ptl_event_t> result(events.size());
  std::vector<bool> seen(events.size());
  for (size_t i = 0; i < events.size(); ++i) {
    const auto got = process.Next(eq);
    EXPECT_EQ(got.code, PTL_OK);
    const Expected kind = {got.value.type, FailOf(got)};
    size_t place = 0;
    while (place < events.size() &&
           (seen[place] || !(events.begin()[place] == kind))) {
      ++place;
    }
    EXPECT_LT(place, events.size()) << kind << " was not expected";
    if (place == events.size()) continue;
    seen[place] = true;
    result[place] = got.value;
  }
  return result;
}

// Does a put after all earlier operations. The put uses its own entry, queues
// and index. When the put is over, the earlier operations are over too.
void World::Flush() {
  const ptl_handle_eq_t at_target = target().Eq();
  const ptl_pt_index_t pt = target().Pt(at_target);
  const Entry entry = {.length = 0, .ignore = ~ptl_match_bits_t{0}};
  const ptl_handle_me_t link = target().Link(pt, entry, at_target);
  const ptl_handle_eq_t eq = initiator().Eq();
  const ptl_handle_md_t md = initiator().Md(eq);
  EXPECT_EQ(initiator().Put(target(), {.md = md, .length = 0, .pt = pt}),
            PTL_OK);
  ExpectAll(initiator(), eq, {{PTL_EVENT_SEND}, {PTL_EVENT_ACK}});
  Expect(target(), at_target, {{PTL_EVENT_PUT}});
  EXPECT_EQ(target().Unlink(link), PTL_OK);
  target().Call([=, ni = target().ni()] {
    PtlPTFree(ni, pt);
    PtlEQFree(at_target);
  });
  initiator().Call([=] {
    PtlMDRelease(md);
    PtlEQFree(eq);
  });
}

void World::ExpectQuiet(Process& process, ptl_handle_eq_t eq) {
  Flush();
  const auto got = process.Look(eq);
  EXPECT_EQ(got.code, PTL_EQ_EMPTY)
      << Expected{got.value.type, got.value.ni_fail_type};
}

void World::PutEnds(const Operation& put, ptl_handle_eq_t eq,
                    ptl_ni_fail_t fail) {
  ASSERT_EQ(initiator().Put(target(), put), PTL_OK);
  ExpectAll(initiator(), eq, {{PTL_EVENT_SEND}, {PTL_EVENT_ACK, fail}});
}

}  // namespace gasnet::portals4_tests::testing
