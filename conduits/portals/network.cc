#include "conduits/portals/network.h"

#include <time.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/forked.h"
#include "base/log.h"
#include "base/strings.h"
#include "conduits/portals/tagged.h"

namespace gasnet::portals {
namespace {

// Whether a queue's limit, of which 0 is none, allows another event.
bool IsBelow(unsigned taken, uint32_t limit) {
  return limit == 0 || taken < limit;
}

}  // namespace

Network::Network(job::Job& job, Started started)
    : job_(job),
      settings_(started.settings),
      interface_(std::move(started.interface)),
      processes_(std::move(started.processes)),
      tickets_(settings_.msg_limit),
      transfers_(*interface_, tickets_, settings_.msg_limit),
      messages_(*interface_, tickets_, transfers_, started.plan, settings_,
                job.size()),
      max_long_(messages_.max_medium()) {}

StatusOr<std::unique_ptr<Network>> Network::Open(job::Job& job) {
  StatusOr<Started> started = StartInterfaces(job);
  if (!started.ok()) return started.status();
  return std::unique_ptr<Network>(new Network(job, *std::move(started)));
}

Status Network::Start() {
  Status status = interface_->SetMap(processes_);
  if (status.ok()) status = messages_.Start();
  if (status.ok()) status = interface_->AwaitLinks();
  return status;
}

Status Network::Attach(std::span<const Segment> segments) {
  messages_.SetSegment(segments[job_.rank()]);
  StatusOr<std::vector<Segment>> exposed =
      ExposeSegments(job_, *interface_, segments);
  if (!exposed.ok()) return exposed.status();
  const bool all =
      std::all_of(exposed->begin(), exposed->end(),
                  [](const Segment& segment) { return segment.size > 0; });
  if (all) max_long_ = interface_->most_bytes();
  transfers_.SetSegments(*std::move(exposed));
  return OkStatus();
}

// What has no room to go to a rank that has left need not go.
am::Post Network::Send(Rank peer, am::Lane lane, const am::Message& message) {
  const am::Post post = messages_.Send(peer, lane, message);
  if (post == am::Post::kRetry && job_.HasLeft(peer)) [[unlikely]]
    return am::Post::kDone;
  return post;
}

bool Network::TakeStashed(Stash& stash, ptl_event_t& event) {
  // Acquires the event; who wins takes it, and only then the place is empty.
  if (!stash.full.exchange(false, std::memory_order_acq_rel)) return false;
  event = stash.event;
  return true;
}

bool Network::Next(Queue queue, ptl_event_t& event) {
  Stash& stash = stashes_[static_cast<size_t>(queue)];
  if (stash.full.load(std::memory_order_relaxed)) [[unlikely]] {
    if (TakeStashed(stash, event)) return true;
  }
  return interface_->Next(queue, event);
}

unsigned Network::Poll(am::Lanes lanes, am::Dispatcher& dispatcher, bool) {
  unsigned taken = PollSystem();
  unsigned handled = PollSafe(&dispatcher, taken);
  if (lanes == am::Lanes::kAll) handled += PollRequests(dispatcher, taken);
  if (taken > 0) receipts_.fetch_add(1, std::memory_order_relaxed);
  messages_.CatchUp();
  return handled;
}

unsigned Network::PollSystem() {
  unsigned taken = 0;
  ptl_event_t event;
  while (IsBelow(taken, settings_.sys_limit) && Next(Queue::kSystem, event)) {
    ++taken;
  }
  return taken;
}

unsigned Network::PollSafe(am::Dispatcher* dispatcher, unsigned& taken) {
  unsigned handled = 0;
  ptl_event_t event;
  for (unsigned n = 0;
       IsBelow(n, settings_.safe_limit) && Next(Queue::kSafe, event); ++n) {
    ++taken;
    handled += TakeSafe(event, dispatcher);
  }
  return handled;
}

unsigned Network::PollRequests(am::Dispatcher& dispatcher, unsigned& taken) {
  unsigned handled = 0;
  const auto next = [this](ptl_event_t& event) {
    return Next(Queue::kRequests, event);
  };
  for (unsigned n = 0; IsBelow(n, settings_.am_limit) &&
                       messages_.ServeOne(next, dispatcher, handled);
       ++n) {
    ++taken;
  }
  return handled;
}

// Replies, and what has become of this rank's own operations. How many handlers
// and transfers are over.
unsigned Network::TakeSafe(const ptl_event_t& event,
                           am::Dispatcher* dispatcher) {
  if (event.ni_fail_type != PTL_NI_OK) [[unlikely]] {
    TakeFailure(event);
    return 0;
  }
  if (event.type == PTL_EVENT_PUT) {
    return messages_.TakeReply(event, dispatcher);
  }
  switch (KindOf(event.user_ptr)) {
    case Kind::kTransfer:
      transfers_.Complete(event);
      return 1;
    case Kind::kReply:
      messages_.ReplySent(event);
      return 0;
    default:
      Fatal("Portals 4: event %d of no operation",
            static_cast<int>(event.type));
  }
}

void Network::TakeFailure(const ptl_event_t& event) {
  const Kind kind = KindOf(event.user_ptr);
  const char* const why = FailureText(event.ni_fail_type);
  if (kind == Kind::kTransfer) {
    Fatal("Portals 4: %s failed: %s",
          Transfers::Describe(event.user_ptr).c_str(), why);
  }
  Fatal("Portals 4: a %s to rank %u failed: %s",
        kind == Kind::kRequest ? "request" : "reply",
        Messages::PeerOf(event.user_ptr, kind), why);
}

// At most so long, and until an event comes.
void Network::Await(int64_t nanos) {
  std::array<Queue, kQueues> queues;
  size_t count = 0;
  for (const Queue queue : {Queue::kSystem, Queue::kSafe, Queue::kRequests}) {
    const Stash& stash = stashes_[static_cast<size_t>(queue)];
    if (!stash.full.load(std::memory_order_acquire)) queues[count++] = queue;
  }
  const int64_t most = std::min<int64_t>(nanos / kNanosPerMilli, INT32_MAX);
  Queue which;
  ptl_event_t event;
  if (count == 0 ||
      !interface_->Await({queues.data(), count},
                         std::max(1, static_cast<int>(most)), which, event)) {
    return;
  }
  Stash& stash = stashes_[static_cast<size_t>(which)];
  stash.event = event;
  stash.full.store(true, std::memory_order_release);
}

// Requests are with their target when they are sent; what is waited for are
// transfers that are not complete.
void Network::Drain(bool patient) {
  constexpr int64_t kLimit = 250'000'000;  // ns
  constexpr timespec kMoment = {0, 100'000};
  if (IsForkedChild()) return;
  for (const int64_t end = NowNanos() + kLimit;
       transfers_.under_way() > 0 && (patient || NowNanos() < end);) {
    unsigned taken = 0;
    PollSafe(nullptr, taken);
    if (taken == 0) nanosleep(&kMoment, nullptr);
  }
}

}  // namespace gasnet::portals
