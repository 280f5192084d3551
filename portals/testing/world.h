// The processes of a test of a rule, in one setup.
//
// A test is written for an initiator and a target. In some setups they are one
// process that sends to itself, in others two processes. Setups differ in the
// kind of interface and in the way in which data moves:
//
// - through memory that peers can map
// - through memory that peers cannot map
// - by datagrams, on a network as good as loopback or on a worse one
//
//     class Rule07 : public World {};
//     INSTANTIATE_TEST_SUITE_P(All, Rule07, AllSetups(), SetupName);
//     TEST_P(Rule07, CountsDrops) { ... initiator().Put(target(), {...}) ... }
#ifndef PORTALS_TESTING_WORLD_H_
#define PORTALS_TESTING_WORLD_H_

#include <gtest/gtest.h>
#include <portals4.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "portals/testing/job.h"
#include "portals/testing/process.h"

namespace gasnet::portals4_tests::testing {

struct Setup {
  const char* name;
  size_t processes = 2;
  unsigned options = PTL_NI_MATCHING | PTL_NI_PHYSICAL;
  Process::Memory memory = Process::Memory::kMapped;
  const JobSetup* job = nullptr;  // null: the processes have no job
  // the kernel refuses copies between the processes
  bool refused = false;
};

// AllSetups returns all setups, with every kind of interface and every way to
// move data. MatchingSetups returns the setups whose interface has matching.
::testing::internal::ParamGenerator<Setup> AllSetups();
::testing::internal::ParamGenerator<Setup> MatchingSetups();
std::string SetupName(const ::testing::TestParamInfo<Setup>& info);

// The type and the failure that a test expects of an event.
struct Expected {
  ptl_event_kind_t type;
  ptl_ni_fail_t fail = PTL_NI_OK;
};
std::ostream& operator<<(std::ostream& out, const Expected& expected);
bool operator==(const Expected& a, const Expected& b);

class World : public ::testing::TestWithParam<Setup> {
 protected:
  // Opens the processes with the library's limits.
  void SetUp() override;

  // Starts again, with new processes and other limits.
  void Reopen(const ptl_ni_limits_t& limits);

  Process& initiator() { return *processes_.front(); }
  Process& target() { return *processes_.back(); }
  bool one_process() const { return processes_.size() == 1; }

  // Checks that the next events of a queue are `events`, in this order. Returns
  // the events.
  std::vector<ptl_event_t> Expect(Process& process, ptl_handle_eq_t eq,
                                  std::initializer_list<Expected> events);
  // Checks that the next events of a queue are `events`, in any order. Returns
  // the events in the order of `events`.
  std::vector<ptl_event_t> ExpectAll(Process& process, ptl_handle_eq_t eq,
                                     std::initializer_list<Expected> events);
  // Waits until all operations of the initiator are over: does a further
  // operation behind them. Checks that the queue is still empty then.
  void ExpectQuiet(Process& process, ptl_handle_eq_t eq);

  // Does a put with acknowledgement. Checks that the put ends with `fail`.
  void PutEnds(const Operation& put, ptl_handle_eq_t eq, ptl_ni_fail_t fail);

 private:
  void Open(const ptl_ni_limits_t* limits);
  void Flush();

  Processes processes_;
};

}  // namespace gasnet::portals4_tests::testing

#endif  // PORTALS_TESTING_WORLD_H_
