// Knobs for tests. They imitate limits of less capable providers
// (PORTALS4_LIMITS=max_msg_size=65536,max_mds=8) and faults
// (PORTALS4_FAULTS=seed=1,in_use=3,no_space=100,undeliverable=50,disable=200).
//
// Both variables are read once, from the process's environment. An unknown name
// ends the process with a message. The value of a fault is N: the fault happens
// in one of N calls, at random.
//
//   in_use         PtlMDRelease, PtlMEUnlink and PtlLEUnlink return
//                  PTL_IN_USE
//   no_space       PtlMEAppend and PtlLEAppend return PTL_NO_SPACE
//   undeliverable  an operation ends with PTL_NI_UNDELIVERABLE
//   disable        the target's portal table entry, if it has flow control,
//                  is disabled before an operation
//   ignored        PtlSetMap returns PTL_IGNORED after it has set the map
//   late           an operation's reports to its initiator, and all later
//                  reports, are delayed by some looks at queues and
//                  counters; PtlEQGet may miss an event that is there
//   reordered      like late, but reports of later operations overtake
//   pt_any         PTL_PT_ANY gives another index than the lowest
#ifndef PORTALS_API_KNOBS_H_
#define PORTALS_API_KNOBS_H_

#include <atomic>
#include <cstdint>
#include <map>
#include <string>

namespace gasnet::portals4 {

enum class Fault : uint32_t {
  kInUse,
  kNoSpace,
  kUndeliverable,
  kDisable,
  kIgnored,
  kLate,
  kReordered,
  kPtAny,
};
inline constexpr uint32_t kFaults = 8;

class KnobSettings {
 public:
  KnobSettings();

  // Returns the limit that PORTALS4_LIMITS sets for `name`. Never returns more
  // than `most`.
  uint64_t Limit(const char* name, uint64_t most) const;

  // Returns true if the fault happens this time. Any thread may call it.
  bool Happens(Fault fault) {
    const uint32_t one_in = one_in_[static_cast<uint32_t>(fault)];
    return one_in != 0 && Draw() % one_in == 0;
  }
  // Returns a random number. Any thread may call it.
  uint32_t Draw();

 private:
  std::map<std::string, uint64_t> limits_;
  uint32_t one_in_[kFaults] = {};
  std::atomic<uint64_t> state_{1};
};

KnobSettings& Knobs();

namespace internal {
extern std::atomic<bool> faults_may_happen;
}  // namespace internal

// Returns true if any faults are set. Costs one load.
inline bool FaultsMayHappen() {
  return internal::faults_may_happen.load(std::memory_order_relaxed);
}

}  // namespace gasnet::portals4

#endif  // PORTALS_API_KNOBS_H_
