// Images: several threads of a node that each take part in a team's
// collectives. The k-th calls of all images of a node form a meeting, and
// become one operation of the node. The last image to call begins this
// operation. It passes the addresses of all images, in order of image.
//
//   first image enters ... last one enters --it begins--> begun
//   begun --each image finds it done and leaves--> free again
//
// A meeting belongs to the images that have entered and not left. Its request
// belongs to the last image to enter, until that image marks the meeting as
// begun. Images first wait for `begun` (released by the last image, acquired by
// the others) and then for the operation's own state. The engine may test both
// conditions repeatedly in one wait.
//
// If every node is one image, none of this is used.
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

class CollectiveOperation;
class Images;
class ImageMeeting;

// The handle that an image has for a meeting. The alignment leaves spare bits
// in pointers to a ticket.
struct alignas(8) Ticket {
  ImageMeeting* meeting = nullptr;
};

// One collective call of all images of a node. Also used for a call of a whole
// node if the node must keep the call's lists of addresses until the operation
// is over.
class ImageMeeting {
 public:
  // Returns true if the node's operation has begun. If it has begun and
  // operation() is null, the operation is complete.
  bool has_begun() const { return begun_.load(std::memory_order_acquire); }
  CollectiveOperation* operation() const { return operation_; }
  const CollectiveRequest& request() const { return request_; }

  // Return the ticket of an image, and the indices of the node's blocks in the
  // address lists (numbers). Only the thread that took the meeting from
  // ImageMeetings may call these, and only while no image has left the meeting.
  Ticket& ticket(uint32_t image) { return tickets_[image]; }
  std::vector<uint32_t>& numbers() { return numbers_; }

 private:
  friend class Images;
  friend class ImageMeetings;

  CollectiveRequest request_;
  std::vector<void*> dests_;
  std::vector<void*> sources_;
  std::vector<uint32_t> numbers_;
  std::vector<Ticket> tickets_;
  uint32_t entered_ = 0;
  std::atomic<uint32_t> staying_{0};
  std::atomic<bool> begun_{false};
  CollectiveOperation* operation_ = nullptr;
};

// All meetings of a node, both used and free ones.
class ImageMeetings {
 public:
  // Returns a meeting for `images` images. No image has entered it yet.
  ImageMeeting& Take(uint32_t images);

  // Marks the meeting as begun. Called by the last image to enter, once that
  // image has begun the operation. If `operation` is null, the operation is
  // complete.
  static void SetBegun(ImageMeeting& meeting, CollectiveOperation* operation);

  // Leaves the meeting; the ticket is then invalid. The last image to leave
  // calls release(operation), if the operation is not null.
  template <class Release>
  void Leave(Ticket& ticket, Release release) {
    ImageMeeting& meeting = *ticket.meeting;
    // acq_rel: releases this image's reads of the meeting and acquires the
    // reads of the other images.
    if (meeting.staying_.fetch_sub(1, std::memory_order_acq_rel) > 1) return;
    if (meeting.operation_ != nullptr) release(*meeting.operation_);
    GiveBack(meeting);
  }

 private:
  void GiveBack(ImageMeeting& meeting);

  thread::SpinLock lock_;
  std::vector<std::unique_ptr<ImageMeeting>> all_ ABSL_GUARDED_BY(lock_);
  std::vector<ImageMeeting*> free_ ABSL_GUARDED_BY(lock_);
};

// The images of this node in one team.
class Images {
 public:
  Images(ImageMeetings& meetings, uint32_t count)
      : meetings_(meetings), count_(count), calls_(count, 0) {}

  uint32_t count() const { return count_; }

  struct Entry {
    Ticket* ticket;
    // The meeting if this image is the last to enter, else null. The last image
    // then begins the meeting's request and calls ImageMeetings::SetBegun.
    ImageMeeting* complete;
  };

  // Enters the next call of `image`; images are numbered from 0. If of_node is
  // false, the request has only this image's addresses. If of_node is true, the
  // request has the addresses of all images, and all images pass the same
  // addresses. is_root is true for the root image. Only the root image's
  // root_area is used. Ends the job if images call different collectives.
  Entry Enter(uint32_t image, const CollectiveRequest& request, bool of_node,
              bool is_root);

 private:
  ImageMeeting& MeetingOf(uint64_t call) ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  void Add(ImageMeeting& meeting, uint32_t image,
           const CollectiveRequest& request, bool is_root);
  void Complete(ImageMeeting& meeting, bool of_node);

  ImageMeetings& meetings_;
  const uint32_t count_;
  thread::SpinLock lock_;
  std::vector<uint64_t> calls_
      ABSL_GUARDED_BY(lock_);  // number of calls that each image has entered
  // Incomplete meetings, in order of call. The first one is the meeting of call
  // number first_.
  std::deque<ImageMeeting*> open_ ABSL_GUARDED_BY(lock_);
  uint64_t first_ ABSL_GUARDED_BY(lock_) = 0;
};

}  // namespace gasnet::coll

#endif  // COLL_IMAGES_H_
