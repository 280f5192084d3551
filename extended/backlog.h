// The parts of operations that are begun but not posted yet: messages and
// transfers that found no room. The operations belong to calls that may not
// wait (attempt.h). A progress function posts the parts, in each poll and wait
// of the client.
//
// A peer without room delays no other peer. Any thread may call the methods.
// One thread at a time posts, under a lock, while no handler runs. No method
// waits for room.
#ifndef EXTENDED_BACKLOG_H_
#define EXTENDED_BACKLOG_H_

#include <atomic>
#include <deque>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "core/am/progress.h"
#include "core/rank.h"
#include "core/runtime/layer.h"
#include "core/runtime/runtime.h"
#include "core/thread/spin_lock.h"

namespace gasnet::extended {

class Backlog final : public Layer {
 public:
  static constexpr LayerName kName = LayerName::kBacklog;
  // Returns the backlog of this rank.
  static Backlog& Mine() { return runtime->layer<Backlog>(); }

  // A message or transfer that waits for room.
  class Item {
   public:
    // The destructor runs once the whole item is posted, or at the end of the
    // job.
    virtual ~Item() = default;
    // Posts as much of the item as there is room for. Returns true once the
    // whole item is posted. Does not wait.
    virtual bool Post() = 0;
  };

  Backlog();

  // Returns true if items for the peer wait for room.
  bool Has(Rank peer);
  void Add(Rank peer, std::unique_ptr<Item> item);

 private:
  using Items = std::deque<std::unique_ptr<Item>>;

  void PostAll();

  const am::Progress::Id progress_;
  // True if there are items. Written under the lock. Relaxed order suffices,
  // since threads access the items only under the lock.
  std::atomic<bool> any_{false};
  thread::SpinLock lock_;
  absl::flat_hash_map<Rank, Items> items_ ABSL_GUARDED_BY(lock_);
};

}  // namespace gasnet::extended

#endif  // EXTENDED_BACKLOG_H_
