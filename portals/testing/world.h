// The processes that a test of a rule talks about, in the setup that it is run
// in.
//
// A test is written for an initiator and a target. In some setups they are one
// process that talks to itself, in others two, on interfaces of each kind, with
// memory that peers can map and with memory that they cannot, and over
// datagrams, on a network that is as good as loopback is, and on a worse one.
//
//   class Rule07 : public World {};
//   INSTANTIATE_TEST_SUITE_P(All, Rule07, AllSetups(), SetupName);
//   TEST_P(Rule07, CountsDrops) { ... initiator().Put(target(), {...}) ... }
#ifndef PORTALS_TESTING_WORLD_H_
#define PORTALS_TESTING_WORLD_H_

#include <gtest/gtest.h>
#include <portals4.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "portals/testing/job.h"
#include "portals/testing/process.h"

namespace gasnet::portals::testing {

struct Setup {
  const char* name;
  size_t processes = 2;
  unsigned options = PTL_NI_MATCHING | PTL_NI_PHYSICAL;
  Process::Memory memory = Process::Memory::kMapped;
  const JobSetup* job = nullptr;  // null: the processes have none
  bool refused = false;           // the kernel refuses them each other's memory
};

// Every kind of interface; those with matching; one of each way to move data.
::testing::internal::ParamGenerator<Setup> AllSetups();
::testing::internal::ParamGenerator<Setup> MatchingSetups();
std::string SetupName(const ::testing::TestParamInfo<Setup>& info);

// The values of an event that a test expects, beside its type.
struct Expected {
  ptl_event_kind_t type;
  ptl_ni_fail_t fail = PTL_NI_OK;
};
std::ostream& operator<<(std::ostream& out, const Expected& expected);
bool operator==(const Expected& a, const Expected& b);

class World : public ::testing::TestWithParam<Setup> {
 protected:
  // Opens the processes, unless a test has done it with limits of its own.
  void SetUp() override;

  // Starts again with other limits.
  void Reopen(const ptl_ni_limits_t& limits);

  Process& initiator() { return *processes_.front(); }
  Process& target() { return *processes_.back(); }
  bool one_process() const { return processes_.size() == 1; }

  // The next events of a queue must be these, in this order.
  std::vector<ptl_event_t> Expect(Process& process, ptl_handle_eq_t eq,
                                  std::initializer_list<Expected> events);
  // The next events must be these, in any order. Answers them in the order
  // asked.
  std::vector<ptl_event_t> ExpectAll(Process& process, ptl_handle_eq_t eq,
                                     std::initializer_list<Expected> events);
  // Nothing may be in the queue, nor come because of what was done until now:
  // the initiator's operations are over, seen by operations behind them.
  void ExpectQuiet(Process& process, ptl_handle_eq_t eq);

  // A put with acknowledgement that must end so.
  void PutEnds(const Operation& put, ptl_handle_eq_t eq, ptl_ni_fail_t fail);

 private:
  void Open(const ptl_ni_limits_t* limits);
  void Flush();

  Processes processes_;
};

}  // namespace gasnet::portals::testing

#endif  // PORTALS_TESTING_WORLD_H_
