#include "conduits/ofi/network.h"

#include <poll.h>
#include <rdma/fi_errno.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "base/env.h"
#include "base/forked.h"
#include "base/log.h"
#include "conduits/ofi/domain_lock.h"
#include "conduits/ofi/failure.h"
#include "conduits/ofi/run_handlers.h"
#include "conduits/ofi/segment_keys.h"
#include "conduits/ofi/tuning.h"
#include "core/am/message.h"
#include "core/rma/send_state.h"

namespace gasnet::ofi {
namespace {

int64_t SpentByThread() {
  timespec spent;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
  return spent.tv_sec * kNanosPerSecond + spent.tv_nsec;
}

}  // namespace

OfiNetwork::OfiNetwork(job::Job& job, OfiStartup started)
    : job_(job),
      endpoint_(std::move(started.endpoint)),
      names_(std::move(started.names)),
      hosts_(job.host_of(), job.rank(), started.addresses),
      messages_(*endpoint_, started.limits, job.rank(), job.size(),
                started.cookie, clock_),
      transfers_(*endpoint_, clock_),
      longs_(endpoint_->paths().long_path, messages_, transfers_),
      silence_watchdog_(clock_, messages_, transfers_),
      whole_(messages_.whole()) {
  if (!started.settings.progress) return;
  progress_thread_ = std::make_unique<ip::ProgressThread>(Work());
}

absl::StatusOr<std::unique_ptr<OfiNetwork>> OfiNetwork::Open(job::Job& job) {
  absl::StatusOr<OfiStartup> started = StartEndpoints(job);
  if (!started.ok()) return started.status();
  return std::unique_ptr<OfiNetwork>(new OfiNetwork(job, *std::move(started)));
}

absl::Status OfiNetwork::Start() {
  absl::Status started = endpoint_->SetPeers(names_);
  // All ranks have the same provider, so they all enter this barrier or none
  // does.
  if (endpoint_->HasFile()) {
    const absl::Status met = job_.Barrier();
    if (started.ok()) started = met;
    endpoint_->RemoveFile();
  }
  const thread::Holder hold(lock_);
  if (started.ok()) started = messages_.Start();
  if (started.ok()) started = transfers_.Start();
  if (started.ok() && progress_thread_ != nullptr) {
    started = progress_thread_->Start();
  }
  return started;
}

absl::StatusOr<network::Exposed> OfiNetwork::Expose(EndpointIndex endpoint,
                                                    const Segment& segment) {
  // Other threads may poll now.
  const thread::Holder hold(lock_);
  messages_.SetSegment(endpoint, segment);
  // Segments of other endpoints are not registered. Active messages carry
  // transfers to these segments.
  if (endpoint != 0) return network::Exposed();
  const absl::StatusOr<OwnSegment> own = RegisterOwn(*endpoint_, segment);
  if (!own.ok()) return own.status();
  own_segment_ = *own;
  return network::Exposed::Of(KeyOf(*endpoint_, own_segment_));
}

void OfiNetwork::Attach(std::span<const Segment> segments,
                        std::span<const network::Exposed> exposed) {
  std::vector<SegmentKey> keys;
  for (const network::Exposed& each : exposed) {
    keys.push_back(each.As<SegmentKey>());
  }
  const bool all =
      std::all_of(keys.begin(), keys.end(),
                  [](const SegmentKey& key) { return key.reached; });
  if (ReportsEnvironment()) {
    Inform(
        "libfabric reaches %s",
        all ? "all segments" : "some segments only; messages reach the others");
  }
  const thread::Holder hold(lock_);
  if (all) max_long_ = kMaxNative;
  transfers_.SetMemory(own_segment_.segment, own_segment_.registered,
                       MemoryOf(segments, keys));
}

am::Post OfiNetwork::Send(Rank peer, am::Lane lane,
                          const am::Message& message) {
  const bool goes_ahead = message.category == am::Category::kLong &&
                          !message.payload_sent && message.endpoint == 0 &&
                          message.nbytes > whole_ && reach().Reaches(peer);
  const thread::Holder hold(lock_);
  if (goes_ahead) return Sent(peer, message, longs_.Send(peer, lane, message));
  if (message.nbytes > whole_ && !message.payload_sent) [[unlikely]] {
    size_t* const posted =
        message.send_state == nullptr ? nullptr : &message.send_state->posted;
    return Sent(peer, message,
                messages_.SendInFragments(peer, lane, message, posted));
  }
  return Sent(peer, message, messages_.Send(peer, lane, message));
}

// Returns the result of a send. If the message was not accepted and its target
// has left, returns kDone. The caller then drops the message. But the message
// is kept while its put is under way, because the put refers to the sender's
// send state.
am::Post OfiNetwork::Sent(Rank peer, const am::Message& message,
                          am::Post post) const {
  if (post == am::Post::kDone) [[likely]]
    return post;
  const am::SendState* const send_state = message.send_state;
  const bool is_idle = send_state == nullptr || send_state->complete.IsOver();
  return is_idle && job_.HasLeft(peer) ? am::Post::kDone : post;
}

// Posts a put. If the put is refused and its target has left, drops the put.
rma::Posted OfiNetwork::OfiRma::Post(const rma::Put& put) {
  const thread::Holder hold(network_.lock_);
  const rma::Posted posted = network_.transfers_.Post(put);
  if (posted.state != rma::PostState::kRetry ||
      !network_.job_.HasLeft(put.peer)) {
    return posted;
  }
  network_.transfers_.Forget(put.peer);
  return {rma::PostState::kDone, put.nbytes};
}

rma::Posted OfiNetwork::OfiRma::Post(const rma::Get& get) {
  const thread::Holder hold(network_.lock_);
  const rma::Posted posted = network_.transfers_.Post(get);
  if (posted.state == rma::PostState::kRetry &&
      network_.job_.HasLeft(get.peer)) {
    OfiTransfers::EndWithout(get.peer, get.nbytes);
  }
  return posted;
}

size_t OfiNetwork::Read(Entries& entries) {
  const ssize_t read = fi_cq_read(endpoint_->queue(), entries.data(), kBatch);
  if (read > 0) return static_cast<size_t>(read);
  if (read == -FI_EAVAIL) {
    TakeFailure(*endpoint_, messages_);
  } else if (read != -FI_EAGAIN) {
    Fatal("libfabric's provider %s cannot report completions: %s",
          endpoint_->provider(), endpoint_->ErrorText(static_cast<int>(-read)));
  }
  return 0;
}

// Processes all entries before the first handler runs. A handler that waits for
// credit to reply must find the credit that came with its request.
OfiNetwork::Batch OfiNetwork::Take(std::span<const fi_cq_data_entry> entries,
                                   Transfers completed) {
  Batch batch;
  for (const fi_cq_data_entry& entry : entries) {
    auto& context = *static_cast<OperationContext*>(entry.op_context);
    switch (context.kind) {
      case OperationContext::Kind::kReceive: {
        const Arrival arrival = messages_.Take(entry);
        if (arrival.messages > 0) batch.arrivals[batch.size++] = arrival;
        break;
      }
      case OperationContext::Kind::kSend:
        messages_.Complete(context);
        break;
      case OperationContext::Kind::kTransfer:
        if (completed == Transfers::kLater) [[unlikely]] {
          ended_.push_back(&context);
          break;
        }
        transfers_.Complete(context);
        ++batch.completed;
        break;
    }
  }
  return batch;
}

// Returns true if the provider has or had work to do for a sleeping rank.
bool OfiNetwork::WasStirred() const {
  pollfd readable = {endpoint_->fd(), POLLIN, 0};
  return stirred_ || (endpoint_->fd() >= 0 && poll(&readable, 1, 0) > 0);
}

unsigned OfiNetwork::FoundNothing() {
  if (!silence_watchdog_.Look(NowNanos())) [[likely]]
    return 0;
  const auto has_left = [this](Rank peer) { return job_.HasLeft(peer); };
  messages_.ForgetUnsentTo(has_left);
  return transfers_.EndLeft(has_left);
}

observe::NetworkWait OfiNetwork::LongestWait() {
  const thread::Holder hold(lock_);
  const std::optional<Waited> waited = silence_watchdog_.Longest();
  if (!waited) return {};
  return {.since = NowNanos() - (clock_.now - waited->since) * kNanosPerSecond,
          .peer = waited->peer,
          .text = absl::StrCat(
              waited->what, ", on host ", hosts_.Of(waited->peer),
              "; under way: ", transfers_.under_way(), " puts and gets, ",
              messages_.under_way(), " messages, over libfabric's provider ",
              endpoint_->provider())};
}

network::Polled OfiNetwork::Poll(am::Lanes lanes, am::Dispatcher& dispatcher,
                                 bool) {
  polls_.store(polls_.load(std::memory_order_relaxed) + 1,
               std::memory_order_relaxed);
  if (!lock_.try_lock()) return {};
  const thread::Holder hold(lock_, std::adopt_lock);
  Entries entries;
  const bool slept = std::exchange(slept_, false);
  // The provider's own work counts as handled, even if the work completes no
  // operation of this rank. If it did not count, a waiting thread could sleep
  // again before the next piece of a large put arrives.
  unsigned handled = slept && WasStirred() ? 1 : 0;
  if (progress_thread_ != nullptr) handled += TakeLeft(lanes, dispatcher);
  const size_t read = Read(entries);
  if (read == 0) {
    if (++empty_ % kLooksPerClock == 0 || slept) handled += FoundNothing();
  } else {
    receipts_.store(receipts() + 1, std::memory_order_relaxed);
    const Batch batch = Take({entries.data(), read});
    handled += batch.completed + Deliver(batch, lanes, dispatcher);
  }
  if (messages_.MayTakeWaiting()) [[unlikely]]
    handled += Deliver(TakeWaiting(), lanes, dispatcher);
  if (lanes == am::Lanes::kAll && !messages_.kept().Empty()) [[unlikely]] {
    handled += ServeKept(dispatcher);
  }
  messages_.CatchUp();
  transfers_.CatchUp();
  return {.handled = handled + LookForLost(), .took_in = read > 0};
}

unsigned OfiNetwork::LookForLost() {
  if (endpoint_->lost().IsEmpty() && !transfers_.HasRefused()) [[likely]]
    return 0;
  const unsigned ended =
      transfers_.EndLost([this](Rank peer) { return job_.HasLeft(peer); });
  const auto has_left = [this](Rank peer) {
    return peer == UnreachablePeers::kSomebody ? AnyHasLeft()
                                               : job_.HasLeft(peer);
  };
  endpoint_->lost().Look(has_left, NowNanos());
  return ended;
}

bool OfiNetwork::AnyHasLeft() const {
  for (Rank rank = 0; rank < job_.size(); ++rank) {
    if (job_.HasLeft(rank)) return true;
  }
  return false;
}

// Delivers replies before requests. The handler of a request may wait for
// credit to reply. The peer gives this credit back only when the peer's own
// replies have been handled here.
unsigned OfiNetwork::Deliver(const Batch& batch, am::Lanes lanes,
                             am::Dispatcher& dispatcher) {
  unsigned handled = 0;
  for (const Lane lane : {Lane::kReply, Lane::kRequest}) {
    for (size_t i = 0; i < batch.size; ++i) {
      const Arrival& arrival = batch.arrivals[i];
      if (arrival.lane != lane) continue;
      if (lane == Lane::kRequest && lanes == am::Lanes::kReplies) {
        messages_.Keep(arrival);
        continue;
      }
      lock_.unlock();
      RunHandlers(arrival.source, lane, arrival.frame, arrival.assembly,
                  dispatcher);
      lock_.lock();
      messages_.Finish(arrival);
      handled += arrival.messages;
    }
  }
  return handled;
}

OfiNetwork::Batch OfiNetwork::TakeWaiting() {
  Batch batch;
  while (batch.size < kBatch) {
    const Arrival arrival = messages_.TakeWaiting();
    if (arrival.messages == 0) break;
    batch.arrivals[batch.size++] = arrival;
  }
  return batch;
}

// Serves at most kBatch kept requests. So the loop ends even if handlers keep
// more requests while it runs.
unsigned OfiNetwork::ServeKept(am::Dispatcher& dispatcher) {
  unsigned handled = 0;
  for (size_t left = kBatch; left > 0 && !messages_.kept().Empty(); --left) {
    am::KeptRequest& request = messages_.kept().Next();
    lock_.unlock();
    RunHandlers(request.source, Lane::kRequest, request.frame,
                OfiMessages::AssemblyOf(request), dispatcher);
    lock_.lock();
    handled += request.messages;
    messages_.FinishKept(request);
  }
  return handled;
}

// Returns the time at which a sleeping thread must wake and look. If the file
// descriptor might miss an event, this time is soon. The descriptor does not
// signal completions that the library has already seen, and does not signal
// that the library accepts posts again.
int64_t OfiNetwork::NextDeadline() const {
  if (!lock_.try_lock()) return 0;
  const thread::Holder hold(lock_, std::adopt_lock);
  slept_ = true;
  if (HasLeftAnything()) return 0;
  const bool naps = endpoint_->fd() < 0;
  stirred_ = !naps && !endpoint_->MayWait();
  if (stirred_) return 0;
  const int64_t now = NowNanos();
  const int64_t nap =
      naps ? now + naps_.Next(now, SpentByThread(), receipts()) : kNever;
  if (messages_.IsBehind() || transfers_.IsBehind() ||
      !endpoint_->lost().IsEmpty()) {
    return std::min(nap, now + kLookAgain);
  }
  if (naps) return nap;
  return silence_watchdog_.IsWaiting() ? now + kSilenceInterval : kNever;
}

// Waits until no operation is under way. Gives up after a time limit. The limit
// is needed if a signal handler interrupted the lock's holder, or if all
// operations under way are for ranks that have left.
void OfiNetwork::Drain(bool patient) {
  constexpr timespec kMoment = {0, kDrainInterval};
  if (IsForkedChild()) return;
  for (int64_t end = NowNanos() + kDrainLimit; NowNanos() < end;) {
    if (lock_.TryLockAnyway()) {
      const thread::Holder hold(lock_, std::adopt_lock);
      drains_ = true;
      // Transfers whose completions the progress thread has read.
      for (OperationContext* const ended : ended_) transfers_.Complete(*ended);
      ended_.clear();
      Entries entries;
      Take({entries.data(), Read(entries)});
      messages_.CatchUp();
      messages_.AskForInjected(0);
      if (messages_.under_way() == 0 && transfers_.under_way() == 0) return;
      if (patient && IsForSomebody()) end = NowNanos() + kDrainLimit;
    }
    nanosleep(&kMoment, nullptr);
  }
}

void OfiNetwork::ListCounts(const void* network,
                            observe::NetworkCounts::Add add) {
  const OfiMessages::Counts& counts =
      static_cast<const OfiNetwork*>(network)->message_counts();
  add("waits_for_credit", counts.waits_for_credit);
  add("waits_for_provider", counts.waits_for_provider);
  add("frames_dropped", counts.frames_dropped);
}

bool OfiNetwork::IsForSomebody() const {
  const auto stays = [this](Rank peer) { return !job_.HasLeft(peer); };
  return messages_.IsUnderWayTo(stays) || transfers_.IsUnderWayTo(stays);
}

}  // namespace gasnet::ofi
