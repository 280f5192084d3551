// A random program of several processes. The processes and the model run the
// program together, one step after the other. Any difference is a failure of
// the test.
//
// A step is a call in one process. A step may change queues and counters of
// several processes. Afterwards these queues and counters must equal the
// model's. Memory and registers are compared now and then. Programs avoid
// behaviour that the interface leaves undefined, such as the order of triggered
// operations. So triggered operations are sums without events, in memory of
// their own, and the program waits for them before it compares memory.
//
// Over datagrams an operation may still be under way when its call returns, but
// it must be over before the next step. So the program then does a put that
// must follow the operation in order, and waits for the put's acknowledgement.
// An operation that fetches also gets a reply. Its descriptor reports the reply
// by an event or a count.
#ifndef PORTALS_MODEL_PROGRAM_H_
#define PORTALS_MODEL_PROGRAM_H_

#include <cstdint>
#include <memory>
#include <random>
#include <set>
#include <vector>

#include "portals/model/model.h"
#include "portals/testing/job.h"
#include "portals/testing/process.h"

namespace gasnet::portals4_tests::model {

class Program {
 public:
  // Makes a program. `in_job` is true if the processes are ranks of a job.
  Program(testing::Processes processes, bool in_job, uint64_t seed);

  // Runs `steps` steps, but stops at the first difference.
  void Run(uint64_t steps);

 private:
  static constexpr int kDescriptors = 4;
  // The offset of the sources of triggered sums. No other operation reaches
  // this memory.
  static constexpr size_t kSummand = kMemory - 64;
  struct Node {
    std::unique_ptr<testing::Process> process;
    ptl_handle_eq_t at_target;
    ptl_handle_eq_t at_initiator;
    ptl_handle_ct_t counters[kCounters];
    ptl_handle_md_t mds[kDescriptors + 1];
    ptl_handle_ct_t flushed;  // counts acknowledgements of `flush`
    ptl_handle_md_t flush;
    uint64_t flushes = 0;
    std::vector<std::pair<Model::Id, ptl_handle_me_t>> entries;
  };

  void Open(Node& node);
  uint64_t Below(uint64_t bound) { return random_() % bound; }
  int AnyNode() { return static_cast<int>(Below(nodes_.size())); }
  bool OneIn(uint64_t n) { return Below(n) == 0; }
  Node& At(int node) { return nodes_[static_cast<size_t>(node)]; }

  void Step();
  void Append();
  void Unlink();
  void Search();
  void Operate();
  void Enable();
  void Count();
  void Trigger();
  void Scribble();

  Entry AnyEntry(bool overflow);
  Operation AnyOperation();
  testing::Entry Real(const Entry& entry, Node& node, ptl_list_t list);
  size_t DescriptorFor(const Operation& operation);
  int Start(const Operation& operation, size_t descriptor);
  // Blocks until all operations that `from` has begun on `to` are done at `to`.
  void Flush(int from, int to);

  void Compare(int node);
  void CompareEvents(const char* queue, const std::vector<Event>& expected,
                     const ptl_event_t* got, size_t count, Node& node);
  Event Plain(const ptl_event_t& event, Node& node) const;
  void CompareMemory();
  void CompareMemoryOf(int node);

  const bool in_job_;
  std::mt19937_64 random_;
  Model model_;
  std::vector<Node> nodes_;
  std::set<int> touched_;
  uint64_t next_user_ = 1;
};

}  // namespace gasnet::portals4_tests::model

#endif  // PORTALS_MODEL_PROGRAM_H_
