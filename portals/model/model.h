// A model of the interface as one sequential program in memory. The model does
// one operation after the other. It gives the result of every call, the reports
// to each process, and the contents of memory. It follows the rules as directly
// as possible, without regard to speed. Tests compare an implementation with
// it.
//
// The model has matching interfaces of several nodes. Each interface has
// memory, portal table entries, entries on both lists, unexpected headers,
// counters, and triggered operations. It also has two queues: one for
// operations on it, one for its own operations. Queues do not overflow. The
// options of descriptors and entries are those of the public header.
#ifndef PORTALS_MODEL_MODEL_H_
#define PORTALS_MODEL_MODEL_H_

#include <portals4.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <vector>

namespace gasnet::portals4_tests::model {

inline constexpr size_t kMemory = 8192;  // size of a node's memory in bytes
inline constexpr int kTables = 3;
inline constexpr int kCounters = 4;
inline constexpr int kNoCounter = -1;

struct Count {
  uint64_t success = 0;
  uint64_t failure = 0;
  bool operator==(const Count&) const = default;
};

// The fields of an event that are compared. Fields without a meaning for the
// type are 0.
struct Event {
  ptl_event_kind_t type = 0;
  ptl_ni_fail_t fail = PTL_NI_OK;
  uint64_t user = 0;
  uint64_t header = 0;
  uint64_t bits = 0;
  uint64_t rlength = 0;
  uint64_t mlength = 0;
  uint64_t remote = 0;
  uint64_t start = 0;  // offset in the node's memory
  uint32_t pt = 0;
  uint32_t list = 0;
  int initiator = 0;
  auto operator<=>(const Event&) const = default;
};

struct Entry {
  size_t offset = 0;
  size_t length = 0;
  unsigned options = 0;
  uint64_t bits = 0;
  uint64_t ignore = 0;
  int from = -1;  // -1: the entry accepts any node
  int counter = kNoCounter;
  size_t min_free = 0;
  uint64_t user = 0;
};

struct Descriptor {
  unsigned options = 0;
  int counter = kNoCounter;
};

enum class Verb : uint8_t { kPut, kGet, kSum, kFetchSum, kSwap };

struct Operation {
  Verb verb = Verb::kPut;
  int initiator = 0;
  int target = 0;
  Descriptor md;
  size_t local = 0;
  size_t length = 0;
  size_t get_local = 0;  // for operations that fetch; kGet uses `local` instead
  ptl_ack_req_t ack = PTL_NO_ACK_REQ;
  uint32_t pt = 0;
  uint64_t bits = 0;
  size_t remote = 0;
  uint64_t user = 0;
  uint64_t header = 0;
};

class Model {
 public:
  // The identifier of an object, in place of a handle. Identifiers are never
  // reused.
  using Id = int;

  Model(int nodes, size_t max_unexpected);

  void AllocateTable(int node, uint32_t pt, bool flow_control);

  // The calls of the interface. Each returns its return code.
  int Append(int node, uint32_t pt, const Entry& entry, ptl_list_t list,
             Id* id);
  int Unlink(int node, Id id);
  int Search(int node, uint32_t pt, const Entry& entry, ptl_search_op_t what);
  int Enable(int node, uint32_t pt, bool enabled);
  int Run(const Operation& operation);
  int Increment(int node, int counter, const Count& by);
  int Set(int node, int counter, const Count& to);
  int TriggerOperation(int node, int counter, uint64_t threshold,
                       const Operation& operation);
  int TriggerIncrement(int node, int counter, uint64_t threshold, int other,
                       const Count& by);
  int Cancel(int node, int counter);

  // Return the events that the queue got since the last call of this function.
  std::vector<Event> TakeTargetEvents(int node);
  std::vector<Event> TakeInitiatorEvents(int node);
  Count counter(int node, int index) const;
  size_t entries(int node) const;
  std::array<int, 3> registers(int node) const {
    return nodes_[At(node)].registers;
  }
  std::vector<uint8_t>& memory(int node) { return nodes_[At(node)].memory; }

 private:
  struct Linked : Entry {
    Id id = 0;
    size_t used = 0;  // number of used bytes, if managed locally
    int headers = 0;  // number of unexpected headers that refer to this entry
    bool unlinked = false;
  };
  struct Header {
    Event event;
    std::shared_ptr<Linked> entry;
  };
  struct Table {
    bool flow_control = false;
    bool enabled = true;
    std::list<std::shared_ptr<Linked>> lists[2];
    std::list<Header> headers;
  };
  struct Waiting {
    uint64_t threshold;
    bool increments;
    Operation operation;
    int other;
    Count by;
  };
  struct Node {
    std::vector<uint8_t> memory;
    Table tables[kTables];
    size_t headers = 0;
    Count counters[kCounters];
    std::vector<Waiting> waiting[kCounters];
    std::vector<Event> target_events;
    std::vector<Event> initiator_events;
    std::array<int, 3> registers = {};
  };
  struct Outcome {
    ptl_ni_fail_t fail = PTL_NI_OK;
    size_t mlength = 0;
    size_t offset = 0;
    uint32_t list = 0;
  };

  static size_t At(int node) { return static_cast<size_t>(node); }
  Node& Of(int node) { return nodes_[At(node)]; }

  static bool Matches(const Entry& entry, const Event& header);
  static size_t Room(const Linked& entry, size_t remote);
  Outcome Deliver(const Operation& operation);
  Outcome NoRoom(const Operation& operation, Table& table);
  Outcome Move(const Operation& operation, Table& table,
               const std::shared_ptr<Linked>& entry, uint32_t list);
  void Copy(const Operation& operation, size_t at, size_t length);
  void CountAt(int node, const Entry& entry, unsigned option, size_t bytes);
  void CountDescriptor(const Operation& operation, unsigned option,
                       size_t bytes, bool failed);
  void UnlinkIfDone(int node, Table& table,
                    const std::shared_ptr<Linked>& entry, uint32_t pt,
                    uint32_t list);
  void Forget(int node, uint32_t pt, Table& table,
              std::list<Header>::iterator header);
  void Add(int node, int counter, const Count& by);
  void Fire();

  std::vector<Node> nodes_;
  size_t max_unexpected_;
  Id next_id_ = 1;
};

}  // namespace gasnet::portals4_tests::model

#endif  // PORTALS_MODEL_MODEL_H_
