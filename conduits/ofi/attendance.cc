// The service of a rank whose client computes (GASNET_OFI_PROGRESS). The
// progress thread reads the completion queue, so that the provider makes
// progress with native transfers. It serves requests that have an unattended
// handler. It leaves everything that the client's threads wait for to their
// next poll: completed transfers, replies and all other requests.
#include <mutex>
#include <utility>

#include "base/clock.h"
#include "conduits/ofi/network.h"
#include "conduits/ofi/run_handlers.h"
#include "core/am/deliver_records.h"

namespace gasnet::ofi {

ip::ProgressThread::Work OfiNetwork::Work() {
  return {.of = this,
          .next_deadline = [](void*) { return kNever; },
          .maintain = [](void*) {},
          .attended =
              [](void* of) { return static_cast<OfiNetwork*>(of)->Attended(); },
          .attend = [](void* of) { static_cast<OfiNetwork*>(of)->Attend(); }};
}

int OfiNetwork::Attended() {
  using ip::ProgressThread;
  const uint32_t polls = polls_.load(std::memory_order_relaxed);
  if (!service_.IsNeeded(polls) || !lock_.try_lock()) {
    return ProgressThread::kServed;
  }
  const thread::Holder hold(lock_, std::adopt_lock);
  if (drains_) return ProgressThread::kServed;
  const bool certain = unanswered_.empty() && owed_.Empty() &&
                       !messages_.IsBehind() && endpoint_->MayWait();
  return certain ? endpoint_->fd() : ProgressThread::kLookSoon;
}

void OfiNetwork::Attend() {
  service_.Run(
      [this](am::Dispatcher& dispatcher) { return AttendOnce(dispatcher); });
}

bool OfiNetwork::AttendOnce(am::Dispatcher& dispatcher) {
  if (!lock_.try_lock()) return false;
  const thread::Holder hold(lock_, std::adopt_lock);
  if (drains_) return false;
  Entries entries;
  const size_t read = Read(entries);
  const Batch arrived = Take({entries.data(), read}, Transfers::kLater);
  const Batch waited = messages_.MayTakeWaiting() ? TakeWaiting() : Batch();
  SendOwed();
  const bool worked = read > 0 || waited.size > 0 || !unanswered_.empty();
  for (const Arrival& again : std::exchange(unanswered_, {})) {
    AttendTo(again, dispatcher);
  }
  for (const Batch* const batch : {&arrived, &waited}) {
    for (size_t i = 0; i < batch->size; ++i) {
      AttendTo(batch->arrivals[i], dispatcher);
    }
  }
  messages_.CatchUp();
  if (read > 0) receipts_.store(receipts() + 1, std::memory_order_relaxed);
  return worked;
}

void OfiNetwork::AttendTo(const Arrival& arrival, am::Dispatcher& dispatcher) {
  if (arrival.lane == Lane::kReply) {
    replies_.push_back(arrival);
    return;
  }
  lock_.unlock();
  const am::Unattended::Service service = Serve(arrival, dispatcher);
  lock_.lock();
  switch (service) {
    case am::Unattended::Service::kServed:
      messages_.Finish(arrival);
      break;
    case am::Unattended::Service::kNoRoom:
      unanswered_.push_back(arrival);
      break;
    case am::Unattended::Service::kNeedsClient:
      messages_.Keep(arrival);
      kept_requests_ = true;
  }
}

// Serves a request if it needs no thread of the client. A frame of several
// messages needs one.
am::Unattended::Service OfiNetwork::Serve(const Arrival& arrival,
                                          am::Dispatcher& dispatcher) {
  if (arrival.assembly != nullptr) {
    const am::Incoming& message = arrival.assembly->message;
    return am::Unattended(dispatcher, message)
        .Serve(message, *this, /*place=*/[] {});
  }
  if (arrival.messages > 1) return am::Unattended::Service::kNeedsClient;
  am::RecordReader reader(arrival.frame, kFrameHeaderBytes);
  am::Record record;
  reader.Next(record);
  const am::Incoming message =
      am::MessageOf(arrival.source, arrival.lane, record);
  return am::Unattended(dispatcher, message).Serve(message, *this, [&] {
    am::PlacePayload(record);
  });
}

am::Post OfiNetwork::SendReply(Rank dest, const am::Message& message) {
  const thread::Holder hold(lock_);
  const am::Post post = SendAtOnce(dest, message);
  if (post == am::Post::kDone || message.category != am::Category::kShort) {
    return post;
  }
  owed_.Add(dest, message);
  return am::Post::kDone;
}

// Sends a reply in one step: the sender of an unattended handler keeps no state
// of the send.
am::Post OfiNetwork::SendAtOnce(Rank dest, const am::Message& message) {
  return Sent(dest, message,
              message.nbytes > whole_
                  ? messages_.SendInFragments(dest, Lane::kReply, message,
                                              /*posted=*/nullptr)
                  : messages_.Send(dest, Lane::kReply, message));
}

void OfiNetwork::SendOwed() {
  for (; !owed_.Empty(); owed_.Pop()) {
    if (SendAtOnce(owed_.dest(), owed_.message()) == am::Post::kRetry) return;
  }
}

bool OfiNetwork::HasLeftAnything() const {
  return !ended_.empty() || !replies_.empty() || !unanswered_.empty() ||
         !owed_.Empty() || kept_requests_;
}

unsigned OfiNetwork::TakeLeft(am::Lanes lanes, am::Dispatcher& dispatcher) {
  unsigned handled = 0;
  kept_requests_ = false;
  SendOwed();
  for (OperationContext* const context : std::exchange(ended_, {})) {
    transfers_.Complete(*context);
    ++handled;
  }
  handled += DeliverLeft(replies_, dispatcher);
  if (lanes == am::Lanes::kAll) handled += DeliverLeft(unanswered_, dispatcher);
  return handled;
}

// Runs the handlers of messages that the progress thread has left.
unsigned OfiNetwork::DeliverLeft(std::vector<Arrival>& left,
                                 am::Dispatcher& dispatcher) {
  unsigned handled = 0;
  for (const Arrival& arrival : std::exchange(left, {})) {
    lock_.unlock();
    RunHandlers(arrival.source, arrival.lane, arrival.frame, arrival.assembly,
                dispatcher);
    lock_.lock();
    messages_.Finish(arrival);
    handled += arrival.messages;
  }
  return handled;
}

}  // namespace gasnet::ofi
