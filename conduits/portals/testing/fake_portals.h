// A Portals that does nothing but remember, of the header that is nobody's: in
// the place of a library.
#ifndef CONDUITS_PORTALS_TESTING_FAKE_PORTALS_H_
#define CONDUITS_PORTALS_TESTING_FAKE_PORTALS_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "conduits/portals/provider.h"

// Queues are 1, 2, 3, ...; descriptors 101, ...; counters 301, ...
struct FakePortals {
  struct Range {
    uintptr_t start;
    ptl_size_t length;
  };
  struct Operation {
    uint64_t descriptor;
    ptl_size_t offset;
    ptl_size_t length;
  };
  // An operation that waits for a counter.
  struct Triggered {
    uint64_t counter = 0;
    uint64_t threshold = 0;
    ptl_rank_t target = 0;     // of an atomic or a put
    uint64_t incremented = 0;  // of an increment
  };

  // The one whose functions are called until it is gone.
  FakePortals() { now = this; }
  ~FakePortals() { now = nullptr; }
  FakePortals(const FakePortals&) = delete;
  FakePortals& operator=(const FakePortals&) = delete;

  std::vector<uint64_t> Used() const {
    std::vector<uint64_t> used;
    for (const Operation& each : operations) used.push_back(each.descriptor);
    return used;
  }

  static inline FakePortals* now = nullptr;

  uint64_t queues = 0;
  uint64_t descriptors = 100;
  std::map<uint64_t, std::deque<ptl_event_t>> events;  // of queues
  std::map<ptl_pt_index_t, uint64_t> tables;           // to queues
  std::vector<Operation> operations;
  std::vector<unsigned> md_options;
  std::map<uint64_t, Range> bound;  // by descriptor
  ptl_rank_t last_target = 0;
  uint64_t counters = 300;
  std::map<uint64_t, ptl_ct_event_t> counts;
  std::map<ptl_match_bits_t, uint64_t> entry_counters;
  std::vector<ptl_rank_t> atomics;  // their targets
  std::vector<Triggered> triggered;

  // Limits of descriptors, and how many releases are answered PTL_IN_USE.
  ptl_size_t longest = PTL_SIZE_MAX;
  size_t most_bound = 1000;
  unsigned busy = 0;
};

#endif  // CONDUITS_PORTALS_TESTING_FAKE_PORTALS_H_
