#include "conduits/portals/network.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/log.h"
#include "conduits/portals/answers.h"
#include "conduits/portals/arrived.h"
#include "conduits/portals/credits/statistics.h"
#include "conduits/portals/event_owner.h"
#include "conduits/portals/hand_over.h"
#include "conduits/portals/inside.h"
#include "conduits/portals/tagged.h"
#include "conduits/portals/tuning.h"
#include "core/rma/send_state.h"
#include "core/thread/mode.h"
#include "core/thread/word.h"

namespace gasnet::portals_conduit {
namespace {

// The number of queues that polls look at. Each queue has a stash.
constexpr size_t kStashes = 3;

// Returns true if a queue's limit allows another event in this poll. A limit of
// 0 means no limit.
bool IsBelow(unsigned taken, uint32_t limit) {
  return limit == 0 || taken < limit;
}

}  // namespace

PortalsNetwork::PortalsNetwork(job::Job& job, PortalsStartup started)
    : job_(job),
      settings_(started.settings),
      credits_path_(credits::StatisticsPath(settings_.credits.statistics_file,
                                            job.rank())),
      most_pinned_(MostPinned(job, started)),
      interface_(std::move(started.interface)),
      processes_(std::move(started.processes)),
      statistics_(settings_.statistics),
      op_slots_(settings_.msg_limit),
      transfers_(*interface_, op_slots_, statistics_, settings_),
      messages_(*interface_, op_slots_, transfers_, statistics_, started.plan,
                settings_, job.rank(), job.size()),
      max_long_(messages_.sender().max_medium()),
      bell_(*interface_, job.rank()),
      barrier_(std::move(started.barrier)),
      stall_watchdog_(statistics_) {}

PortalsNetwork::~PortalsNetwork() {
  interface_->Close();
  TakeBack();
}

absl::StatusOr<std::unique_ptr<PortalsNetwork>> PortalsNetwork::Open(
    job::Job& job) {
  absl::StatusOr<PortalsStartup> started =
      StartInterfaces(job, thread::kConcurrent);
  if (!started.ok()) return started.status();
  return std::unique_ptr<PortalsNetwork>(
      new PortalsNetwork(job, *std::move(started)));
}

absl::Status PortalsNetwork::Start() {
  absl::Status status = interface_->SetMap(processes_);
  if (status.ok()) status = messages_.Start();
  if (status.ok() && barrier_ != nullptr) status = barrier_->Start(bell_);
  if (status.ok()) status = transfers_.Start();
  if (status.ok()) status = interface_->AwaitLinks();
  return status;
}

// Sends a message. If there is no room for the message and its target has left,
// drops the message and returns kDone.
am::Post PortalsNetwork::Send(Rank peer, am::Lane lane,
                              const am::Message& message) {
  const Inside inside;
  const am::Post post = messages_.sender().Send(peer, lane, message);
  if (post == am::Post::kDone) [[likely]]
    return post;
  // An operation under way still refers to the caller's send state. The message
  // cannot be dropped before this operation is over.
  const am::SendState* const send_state = message.send_state;
  const bool is_idle = send_state == nullptr || send_state->complete.IsOver();
  return is_idle && job_.HasLeft(peer) ? am::Post::kDone : post;
}

bool PortalsNetwork::TakeStashed(Stash& stash, ptl_event_t& event) {
  // Acquires the event that the sleeping thread stored. Only one thread takes
  // the event. This thread marks the stash empty after copying the event.
  Stash::State full = Stash::State::kFull;
  if (!stash.state.compare_exchange_strong(full, Stash::State::kTaken,
                                           std::memory_order_acquire,
                                           std::memory_order_relaxed)) {
    return false;
  }
  event = stash.event;
  stash.state.store(Stash::State::kEmpty, std::memory_order_release);
  return true;
}

bool PortalsNetwork::Next(Queue queue, ptl_event_t& event) {
  Stash& stash = stashes_[static_cast<size_t>(queue)];
  if (stash.state.load(std::memory_order_relaxed) == Stash::State::kFull)
      [[unlikely]] {
    if (TakeStashed(stash, event)) return true;
  }
  return interface_->Next(queue, event);
}

network::Polled PortalsNetwork::Poll(am::Lanes lanes,
                                     am::Dispatcher& dispatcher, bool) {
  const Inside inside;
  unsigned taken = PollSystem();
  unsigned handled = PollSafe(&dispatcher, taken);
  if (lanes == am::Lanes::kAll) handled += PollRequests(dispatcher, taken);
  if (taken > 0) {
    thread::FetchAdd(receipts_, 1, std::memory_order_relaxed);
  } else {
    const uint32_t empty = empty_polls_.load(std::memory_order_relaxed) + 1;
    empty_polls_.store(empty, std::memory_order_relaxed);
    if (empty % kPollsPerLook == 0) [[unlikely]]
      LookForStall();
  }
  messages_.receiver().CatchUp();
  if (has_lost_.load(std::memory_order_relaxed)) [[unlikely]]
    LookForLost();
  return {.handled = handled, .took_in = taken > 0};
}

unsigned PortalsNetwork::PollSystem() {
  unsigned taken = 0;
  ptl_event_t event;
  while (IsBelow(taken, settings_.sys_limit) && Next(Queue::kSystem, event)) {
    ++taken;
    if (event.type != PTL_EVENT_PUT) [[unlikely]] {
      Fatal("Portals 4: event %d in the queue of system messages",
            static_cast<int>(event.type));
    }
    messages_.TakeSystem(event);
  }
  statistics_.Reach(Counted::kMaxSystem, taken);
  return taken;
}

unsigned PortalsNetwork::PollSafe(am::Dispatcher* dispatcher, unsigned& taken) {
  unsigned handled = 0;
  unsigned n = 0;
  ptl_event_t event;
  for (; IsBelow(n, settings_.safe_limit) && Next(Queue::kSafe, event); ++n) {
    handled += TakeSafe(event, dispatcher);
  }
  taken += n;
  statistics_.Reach(Counted::kMaxSafe, n);
  return handled + messages_.receiver().ServeFetchedReplies(dispatcher);
}

unsigned PortalsNetwork::PollRequests(am::Dispatcher& dispatcher,
                                      unsigned& taken) {
  unsigned handled = 0;
  const auto next = [this](ptl_event_t& event) {
    return Next(Queue::kRequests, event);
  };
  unsigned n = 0;
  while (IsBelow(n, settings_.am_limit) &&
         messages_.receiver().ServeOne(next, dispatcher, handled)) {
    ++n;
  }
  taken += n;
  statistics_.Reach(Counted::kMaxRequests, n);
  return handled;
}

// Handles replies, and events of this rank's own operations. Returns the number
// of handlers that ran plus the number of transfers that ended.
unsigned PortalsNetwork::TakeSafe(const ptl_event_t& event,
                                  am::Dispatcher* dispatcher) {
  if (event.ni_fail_type != PTL_NI_OK) [[unlikely]] {
    TakeFailure(event);
    return 0;
  }
  if (event.type == PTL_EVENT_PUT) {
    return messages_.receiver().TakeReply(event, dispatcher);
  }
  if (event.type == PTL_EVENT_GET) [[unlikely]] {
    TakeGet(event);
    return 0;
  }
  switch (KindOf(event.user_ptr)) {
    case TagKind::kTransfer:
      transfers_.Complete(event);
      return 1;
    case TagKind::kFetch:
      messages_.receiver().TakeFetched(event);
      return 1;
    case TagKind::kReply:
      messages_.replies().Sent(event);
      return 0;
    default:
      Fatal("Portals 4: event %d of no operation",
            static_cast<int>(event.type));
  }
}

// Handles the event of a get by a peer. An unexpected get ends the job. But a
// peer that was given up on may have fetched a payload before it left, so its
// gets are ignored.
void PortalsNetwork::TakeGet(const ptl_event_t& event) {
  if (messages_.offers().Fetched(event)) return;
  const auto peer = static_cast<Rank>(event.initiator.rank);
  if (messages_.flow().IsGivenUp(peer)) return;
  Malformed(peer, "get", "nothing there was offered to it");
}

void PortalsNetwork::TakeFailure(const ptl_event_t& event) {
  const TagKind kind = KindOf(event.user_ptr);
  const bool may_go_again =
      kind == TagKind::kRequest || kind == TagKind::kTransfer;
  if (event.ni_fail_type == PTL_NI_PT_DISABLED && may_go_again) {
    return messages_.requests().Refused(event);
  }
  const std::string what =
      absl::StrCat("Portals 4: ", Describe(event.user_ptr),
                   " failed: ", FailureText(event.ni_fail_type));
  // The peer is unreachable or its memory is gone. Its process may have ended.
  // This is not an error if the process has left the job.
  if (event.ni_fail_type != PTL_NI_UNDELIVERABLE &&
      event.ni_fail_type != PTL_NI_SEGV) {
    Fatal("%s", what.c_str());
  }
  NoteLost(PeerOf(event.user_ptr), what);
  Forget(event);
}

// Releases a failed operation. No thread waits for the completion of a message,
// so a failed message wakes no thread.
void PortalsNetwork::Forget(const ptl_event_t& event) {
  switch (KindOf(event.user_ptr)) {
    case TagKind::kTransfer:
      return transfers_.Abandon(event.user_ptr);
    case TagKind::kRequest:
      return messages_.requests().Lost(event);
    case TagKind::kReply:
      return messages_.replies().Sent(event);
    case TagKind::kFetch:
      return messages_.receiver().ForgetFetch(event.user_ptr);
    default:
      return;
  }
}

void PortalsNetwork::NoteLost(Rank peer, std::string what) {
  const thread::Holder hold(lost_lock_);
  lost_.Note(peer, std::move(what), NowNanos());
  has_lost_.store(true, std::memory_order_relaxed);
}

void PortalsNetwork::LookForLost() {
  if (!lost_lock_.try_lock()) return;
  const thread::Holder hold(lost_lock_, std::adopt_lock);
  lost_.Look([this](Rank peer) { return job_.HasLeft(peer); }, NowNanos());
  has_lost_.store(!lost_.IsEmpty(), std::memory_order_relaxed);
}

void PortalsNetwork::LookForStall() {
  LookForLeft();
  if (!stall_watchdog_lock_.try_lock()) return;
  const thread::Holder hold(stall_watchdog_lock_, std::adopt_lock);
  stall_watchdog_.Look({NowNanos(), receipts(), op_slots_.in_use()});
}

observe::NetworkWait PortalsNetwork::LongestWait() {
  const thread::Holder hold(stall_watchdog_lock_);
  const std::optional<StallWatchdog::Stall> stall = stall_watchdog_.Find();
  if (!stall) return {};
  const uint32_t under_way = op_slots_.in_use();
  return {.since = NowNanos() - stall->nanos,
          .peer = stall->peer.value_or(job::kNobody),
          .text = absl::StrCat(
              under_way, under_way == 1 ? " operation is" : " operations are",
              " under way in Portals, and nothing moves",
              stall->missing.empty() ? "" : "; messages wait for ",
              stall->missing)};
}

void PortalsNetwork::LookForLeft() {
  if (!stall_watchdog_lock_.try_lock()) return;
  const thread::Holder hold(stall_watchdog_lock_, std::adopt_lock);
  const int64_t now = NowNanos();
  if (now < next_look_for_left_) return;
  next_look_for_left_ = now + kStallInterval;
  messages_.requests().GiveUpThose(
      [this](Rank peer) { return job_.HasLeft(peer); }, now);
  messages_.TakeBackOffers();
}

// Returns an early deadline while some work waits for another try. No event
// reports when this work can proceed.
int64_t PortalsNetwork::NextDeadline() const {
  const bool behind = messages_.receiver().IsBehind() ||
                      has_lost_.load(std::memory_order_relaxed);
  if (behind) return NowNanos() + kLookAgain;
  return op_slots_.in_use() > 0 ? NowNanos() + kStallInterval : kNever;
}

void PortalsNetwork::Ring() {
  const Inside inside;
  bell_.Ring();
}

void PortalsNetwork::Await(int64_t nanos) {
  const Inside inside;
  bell_.Begin();
  if (barrier_ != nullptr) barrier_->RingWhenDone();
  AwaitEvent(nanos);
  bell_.End();
}

void PortalsNetwork::AwaitEvent(int64_t nanos) {
  std::array<Queue, kQueues> queues;
  size_t count = 0;
  for (const Queue queue : {Queue::kSystem, Queue::kSafe, Queue::kRequests}) {
    const Stash& stash = stashes_[static_cast<size_t>(queue)];
    // Acquire: the thread that emptied the stash has finished copying the old
    // event. So this thread may overwrite the event.
    if (stash.state.load(std::memory_order_acquire) == Stash::State::kEmpty) {
      queues[count++] = queue;
    }
  }
  // While a stash is not empty, its queue is not awaited. Another thread will
  // take the event, but no event reports when it has done so. So this thread
  // waits only briefly.
  const bool looks_again = count < kStashes;
  queues[count++] = Queue::kBell;
  const int64_t most =
      looks_again ? kMinMillis
                  : std::clamp(nanos / kNanosPerMilli, kMinMillis, kMaxMillis);
  Queue which;
  ptl_event_t event;
  if (!interface_->Await({queues.data(), count}, static_cast<int>(most), which,
                         event)) {
    LookForStall();
    return;
  }
  if (which == Queue::kBell) return bell_.Hear(event);
  Stash& stash = stashes_[static_cast<size_t>(which)];
  stash.event = event;
  stash.state.store(Stash::State::kFull, std::memory_order_release);
}

void PortalsNetwork::Report() const {
  if (settings_.statistics) {
    constexpr size_t kLineBytes = 1024;
    std::array<char, kLineBytes> line = {};
    statistics_.Print(line.data(), line.size());
    Inform("Portals statistics: %s", line.data());
  }
  if (!settings_.credits.statistics) return;
  const int error = credits::WriteStatistics(messages_.flow().credits(),
                                             credits_path_.c_str());
  if (error == 0) return;
  Warn("GASNET_PORTAL_CREDIT_STATS: %s: error %d", credits_path_.c_str(),
       error);
}

}  // namespace gasnet::portals_conduit
