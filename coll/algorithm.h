// An algorithm is one way to do one collective. It defines the incoming and
// outgoing parts of each phase (phase.h), and completes the phase once all
// incoming parts have arrived. An algorithm sends no messages and does not
// wait.
//
// Each Algorithm object is constant: the state of an operation is in the
// operation's record (operation.h). So one object serves all nodes and threads.
// The algorithms are in algorithms/; choice.h chooses among them.
#ifndef COLL_ALGORITHM_H_
#define COLL_ALGORITHM_H_

#include <cstddef>
#include <cstdint>

#include "coll/phase.h"
#include "coll/team.h"
#include "core/rank.h"

namespace gasnet::coll {

// The properties of an algorithm. All nodes have the same values.
struct Traits {
  // Small operations may complete within their call (at_once.h).
  bool runs_at_once = false;
  // All parts are eager, even those above eager_near. No part is longer than
  // eager_far. A message of that size is always possible.
  bool is_all_eager = false;
  // All nodes send at the same time. So the parts of certain sizes (push_from
  // to push_to) are pushed among near nodes.
  bool may_push = false;
  // The arguments that messages carry (Terms) do not determine the size of a
  // part. So each offer carries the sender's size, and the receiver checks this
  // size before any memory is written. The offer is sent even if the receiver
  // does not wait for one, because nodes may disagree about the size.
  bool has_own_sizes = false;
  // Finish may overwrite the sources of outgoing parts. So it runs only when
  // all outgoing parts are done.
  bool overwrites_outs = false;
};

class Algorithm {
 public:
  const Traits& traits() const { return traits_; }

  virtual unsigned Phases(const Team& /*team*/) const { return 1; }
  // Sets the incoming parts and adds the outgoing parts of a phase.
  virtual void Begin(OperationPhase& at) const = 0;
  // Completes a phase on this node, once all its incoming parts have arrived.
  virtual void Finish(OperationPhase& /*at*/) const {}
  // Returns the index of the incoming part with this key from rank `from`. If
  // there is no such part, returns any number that is not less than the number
  // of incoming parts.
  virtual size_t IndexOf(const OperationPhase& /*at*/, uint32_t key,
                         Rank /*from*/) const {
    return key;
  }
  // Returns true if `node` only sends in the operation. Its memory is then not
  // accessed any more once everything that it sends has arrived, not even for
  // its own blocks. `node` and this node get the same answer.
  virtual bool OnlySends(const OperationPhase& /*at*/, Rank /*node*/) const {
    return false;
  }

 protected:
  constexpr explicit Algorithm(Traits traits = {}) : traits_(traits) {}
  ~Algorithm() = default;

 private:
  Traits traits_;
};

}  // namespace gasnet::coll

#endif  // COLL_ALGORITHM_H_
