// Images: several threads of a node that take part in a team's collectives by
// themselves. They meet here: the k-th call of each image is one operation of
// the node, which the last of them begins, with the addresses of all, in order
// of image.
//
//   first image enters ... last one enters --it begins--> begun
//   begun --each image finds it done and leaves--> free again
//
// A meeting belongs to the images that have entered and not left; its request
// to the last to enter, until it says that it has begun. Images wait for
// `begun` (release, by the last; acquire, by the others) and then for the
// operation's own state. A wait of the engine may ask for both again and again.
//
// Where every node is one image nothing of this is used.
#ifndef COLL_IMAGES_H_
#define COLL_IMAGES_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "coll/request.h"
#include "core/thread/spin_lock.h"

namespace gasnet::coll {

class Operation;
class Images;
class Meeting;

// The handle that an image has of a meeting. Aligned so that handles have bits
// to spare.
struct alignas(8) Ticket {
  Meeting* meeting = nullptr;
};

// One call of all images of a node; or one of a node that keeps lists of its
// own as long as the operation lasts.
class Meeting {
 public:
  // Whether the node's operation has begun; complete where it is null then.
  bool has_begun() const { return begun_.load(std::memory_order_acquire); }
  Operation* operation() const { return operation_; }
  const Request& request() const { return request_; }

  // For its user alone, as long as nobody has left it.
  Ticket& ticket(uint32_t image) { return tickets_[image]; }
  std::vector<uint32_t>& numbers() { return numbers_; }

 private:
  friend class Images;
  friend class Meetings;

  Request request_;
  std::vector<void*> dests_;
  std::vector<void*> sources_;
  std::vector<uint32_t> numbers_;
  std::vector<Ticket> tickets_;
  uint32_t entered_ = 0;
  std::atomic<uint32_t> staying_{0};
  std::atomic<bool> begun_{false};
  Operation* operation_ = nullptr;
};

// All meetings of a node that are in use, and those that are free.
class Meetings {
 public:
  // For that many images, none of which has entered.
  Meeting& Take(uint32_t images);

  // For the last to enter, once its operation has begun. Null: it is complete.
  static void SetBegun(Meeting& meeting, Operation* operation);

  // The ticket is dead. Whether it was the last: then release(operation) was
  // called, where there is one.
  template <class Release>
  void Leave(Ticket& ticket, Release release) {
    Meeting& meeting = *ticket.meeting;
    // Release what this image has read of it; acquire what the others have.
    if (meeting.staying_.fetch_sub(1, std::memory_order_acq_rel) > 1) return;
    if (meeting.operation_ != nullptr) release(*meeting.operation_);
    GiveBack(meeting);
  }

 private:
  void GiveBack(Meeting& meeting);

  thread::SpinLock lock_;
  std::vector<std::unique_ptr<Meeting>> all_ ABSL_GUARDED_BY(lock_);
  std::vector<Meeting*> free_ ABSL_GUARDED_BY(lock_);
};

// The images of this node in one team.
class Images {
 public:
  Images(Meetings& meetings, uint32_t count)
      : meetings_(meetings), count_(count), calls_(count, 0) {}

  uint32_t count() const { return count_; }

  struct Entry {
    Ticket* ticket;
    // For the last to enter: what to begin. Then it calls Meetings::SetBegun.
    Meeting* complete;
  };

  // The next call of that image, from 0. The request has its own addresses
  // alone, or, if it stands for the node (of_node), those of all images, the
  // same from each. is_root: the root is this image, whose root_area counts.
  // Images that call different things end the job.
  Entry Enter(uint32_t image, const Request& request, bool of_node,
              bool is_root);

 private:
  Meeting& MeetingOf(uint64_t call) ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  void Add(Meeting& meeting, uint32_t image, const Request& request,
           bool is_root);
  void Complete(Meeting& meeting, bool of_node);

  Meetings& meetings_;
  const uint32_t count_;
  thread::SpinLock lock_;
  std::vector<uint64_t> calls_
      ABSL_GUARDED_BY(lock_);  // by image: how many it has entered
  // Not complete yet, in order; the first one is of call first_.
  std::deque<Meeting*> open_ ABSL_GUARDED_BY(lock_);
  uint64_t first_ ABSL_GUARDED_BY(lock_) = 0;
};

}  // namespace gasnet::coll

#endif  // COLL_IMAGES_H_
