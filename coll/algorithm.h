// An algorithm is one way to do one collective. In each phase of an operation
// it says which parts come in and go out (phase.h), and what follows when all
// have come in; no messages here, no waiting.
//
// An object of a class is an algorithm. It has no state: that of an operation
// is in its record (operation.h), so one object serves all nodes and threads.
// Files in algorithms/ have them; choice.h has the table that chooses one.
#ifndef COLL_ALGORITHM_H_
#define COLL_ALGORITHM_H_

#include <cstddef>
#include <cstdint>

#include "coll/phase.h"
#include "coll/team.h"
#include "core/rank.h"

namespace gasnet::coll {

// The same on all nodes.
struct Traits {
  // Small operations of it may be over within their call (at_once.h).
  bool runs_at_once = false;
  // All parts are eager, also those above eager_near. None is longer than
  // eager_far, which every message holds.
  bool is_all_eager = false;
  // All send at once, so that parts of some sizes are pushed among near nodes.
  bool may_push = false;
  // The terms do not say the size of a part, so the sender's comes with its
  // offer: before any memory is written, and also where the receiver expects no
  // rendezvous, since nodes may disagree about it.
  bool has_own_sizes = false;
  // Finish may overwrite what goes out of this node, and so waits until all of
  // that has.
  bool overwrites_outs = false;
};

class Algorithm {
 public:
  const Traits& traits() const { return traits_; }

  virtual unsigned Phases(const Team& /*team*/) const { return 1; }
  // Sets what comes in, adds what goes out.
  virtual void Begin(Phase& at) const = 0;
  // When all of it has come in: what follows from it on this node.
  virtual void Finish(Phase& /*at*/) const {}
  // The index of the part that comes in with that key from that node; as many
  // as there are, or more, where there is none.
  virtual size_t IndexOf(const Phase& /*at*/, uint32_t key,
                         Rank /*from*/) const {
    return key;
  }
  // Whether that node and this one know that nothing is left to happen to its
  // memory once what it sends has come, its own blocks included.
  virtual bool OnlySends(const Phase& /*at*/, Rank /*node*/) const {
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
