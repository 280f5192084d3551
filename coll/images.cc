#include "coll/images.h"

#include "base/log.h"

namespace gasnet::coll {
namespace {

bool IsSame(const CollectiveRequest& a, const CollectiveRequest& b) {
  return a.kind == b.kind && a.nbytes == b.nbytes &&
         ((a.flags ^ b.flags) & ~kPromises) == 0 &&
         a.root_name == b.root_name && a.reduction.name == b.reduction.name &&
         a.dests.count() == b.dests.count() &&
         a.sources.count() == b.sources.count();
}

void RequireSame(const CollectiveRequest& first,
                 const CollectiveRequest& other) {
  if (IsSame(first, other)) [[likely]]
    return;
  Fatal(
      "images of this node call different collectives: one %s (nbytes %zu, "
      "root %u, flags 0x%x, function 0x%x), another %s (nbytes %zu, root %u, "
      "flags 0x%x, function 0x%x)",
      first.call, first.nbytes, first.root_name, first.flags,
      first.reduction.name, other.call, other.nbytes, other.root_name,
      other.flags, other.reduction.name);
}

}  // namespace

ImageMeeting& ImageMeetings::Take(uint32_t images) {
  const thread::Holder lock(lock_);
  if (free_.empty()) {
    all_.push_back(std::make_unique<ImageMeeting>());
    free_.push_back(all_.back().get());
  }
  ImageMeeting& meeting = *free_.back();
  free_.pop_back();
  meeting.tickets_.assign(images, Ticket{&meeting});
  meeting.dests_.resize(images);
  meeting.sources_.resize(images);
  meeting.entered_ = 0;
  meeting.operation_ = nullptr;
  // Relaxed: no other thread can access this meeting yet. The caller
  // synchronises with other threads when it shows them the meeting.
  meeting.staying_.store(images, std::memory_order_relaxed);
  meeting.begun_.store(false, std::memory_order_relaxed);
  return meeting;
}

void ImageMeetings::SetBegun(ImageMeeting& meeting,
                             CollectiveOperation* operation) {
  meeting.operation_ = operation;
  // Release: pairs with the acquire in has_begun, so that a thread that sees
  // true also sees the operation.
  meeting.begun_.store(true, std::memory_order_release);
}

void ImageMeetings::GiveBack(ImageMeeting& meeting) {
  const thread::Holder lock(lock_);
  free_.push_back(&meeting);
}

Images::Entry Images::Enter(uint32_t image, const CollectiveRequest& request,
                            bool of_node, bool is_root) {
  const thread::Holder lock(lock_);
  ImageMeeting& meeting = MeetingOf(calls_[image]++);
  Add(meeting, image, request, is_root);
  Entry entry = {&meeting.tickets_[image], nullptr};
  if (meeting.entered_ < count()) return entry;
  // This image is the last to enter. Each image entered its earlier calls
  // before this one, so all earlier meetings are complete. Thus this meeting is
  // the first in open_.
  open_.pop_front();
  ++first_;
  Complete(meeting, of_node);
  entry.complete = &meeting;
  return entry;
}

ImageMeeting& Images::MeetingOf(uint64_t call) {
  if (call - first_ == open_.size()) open_.push_back(&meetings_.Take(count()));
  return *open_[call - first_];
}

void Images::Add(ImageMeeting& meeting, uint32_t image,
                 const CollectiveRequest& request, bool is_root) {
  CollectiveRequest& whole = meeting.request_;
  if (meeting.entered_++ == 0) {
    whole = request;
  } else {
    RequireSame(whole, request);
    // The flags are promises of the images. The node gives a promise only if
    // all its images give it.
    whole.flags &= request.flags;
    whole.vote = Merge(whole.vote, request.vote);
  }
  if (is_root) whole.root_area = request.root_area;
  if (request.dests.count() > 0) meeting.dests_[image] = request.dests[0];
  if (request.sources.count() > 0) meeting.sources_[image] = request.sources[0];
}

void Images::Complete(ImageMeeting& meeting, bool of_node) {
  if (of_node) return;
  CollectiveRequest& whole = meeting.request_;
  if (whole.dests.count() > 0)
    whole.dests = Addresses(meeting.dests_.data(), count());
  if (whole.sources.count() > 0)
    whole.sources = Addresses(meeting.sources_.data(), count());
}

}  // namespace gasnet::coll
