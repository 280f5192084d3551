// A fake Portals that only records its calls. It uses the neutral header. Tests
// link it in place of a Portals library.
#ifndef CONDUITS_PORTALS_TESTING_FAKE_PORTALS_H_
#define CONDUITS_PORTALS_TESTING_FAKE_PORTALS_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "conduits/portals/provider.h"

// Recorded calls of a fake Portals. The fake's handles are 1, 2, 3, ... for
// queues, 101, ... for descriptors, and 301, ... for counters.
struct FakePortals {
  struct Range {
    uintptr_t start;
    ptl_size_t length;
  };
  struct Operation {
    uint64_t descriptor;
    ptl_size_t offset;
    ptl_size_t length;
    void* user;
    ptl_pt_index_t table;
  };
  // An atomic on one item. `call` is one of the three functions of Portals.
  struct ItemAtomic {
    enum class Call : uint8_t { kAtomic, kFetch, kSwap };
    Call call;
    ptl_op_t operation;
    ptl_datatype_t type;
    ptl_size_t offset;  // at the target
    uint64_t source = 0;
    uint64_t compared = 0;
    void* fetched = nullptr;
  };
  // An appended entry: memory that peers reach.
  struct Appended {
    ptl_pt_index_t table;
    ptl_me_t entry;
    void* user;
  };
  // An operation that is triggered when a counter reaches a threshold.
  struct Triggered {
    uint64_t counter = 0;
    uint64_t threshold = 0;
    ptl_rank_t target = 0;     // rank that an atomic or a put goes to
    uint64_t incremented = 0;  // counter that an increment adds to
  };

  // The functions of the fake library use this object while it exists.
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
  std::map<uint64_t, std::deque<ptl_event_t>> events;  // indexed by queue
  // queue of each event that was taken
  std::vector<uint64_t> taken;
  // queue of each table index
  std::map<ptl_pt_index_t, uint64_t> tables;
  std::vector<Appended> appended;
  std::vector<ptl_process_t> map;
  size_t appended_before_map = 0;
  std::vector<Operation> operations;
  std::vector<unsigned> md_options;
  std::map<uint64_t, Range> bound;  // indexed by descriptor
  ptl_rank_t last_target = 0;
  uint64_t counters = 300;
  std::map<uint64_t, ptl_ct_event_t> counts;
  std::map<ptl_match_bits_t, uint64_t> entry_counters;
  std::vector<ptl_rank_t> atomics;  // target of each atomic of a barrier
  std::vector<ItemAtomic> item_atomics;
  std::vector<Triggered> triggered;

  // Limits of this Portals. `busy`: the number of next releases that return
  // PTL_IN_USE.
  size_t most_appended = 1000;
  unsigned features = ~0u;  // a mask of supported features
  ptl_size_t longest = PTL_SIZE_MAX;
  size_t most_bound = 1000;
  unsigned busy = 0;
  ptl_ni_fail_t link_result = PTL_NI_OK;
};

#endif  // CONDUITS_PORTALS_TESTING_FAKE_PORTALS_H_
