#include "conduits/testing/fake/fake_link.h"

#include <sched.h>

#include <algorithm>
#include <mutex>

#include "core/thread/mode.h"

namespace gasnet::fake {
namespace {

am::Message HeaderOf(const am::Message& message) {
  am::Message header = message;
  header.payload_sent = true;
  return header;
}

}  // namespace

size_t FakeLink::MaxLong(am::Lane) const {
  // Before the job is attached, this returns the limit without native Longs.
  // That limit is the smaller one, so the limit never shrinks.
  const bool native =
      !segments_.empty() &&
      std::all_of(segments_.begin(), segments_.end(), [&](const Segment& s) {
        return rma_.Reaches(static_cast<Rank>(&s - segments_.data()));
      });
  return native ? kMaxNative : MaxMedium();
}

// Returns true if the payload goes by remote memory access. If the destination
// lies outside of the target's segment, the payload goes through the ring, and
// the target refuses it.
bool FakeLink::IsNative(Rank peer, const am::Message& message) const {
  return message.category == am::Category::kLong && message.endpoint == 0 &&
         message.nbytes >= kMinNative && message.nbytes <= kMaxNative &&
         rma_.Reaches(peer) &&
         segments_[peer].Contains(message.dest_addr, message.nbytes);
}

am::Post FakeLink::SendLong(Rank peer, am::Lane lane,
                            const am::Message& message) {
  if (message.send_state == nullptr) return am::Post::kRetry;
  return ordered_ ? HandOver(peer, lane, message)
                  : SendBehind(peer, lane, message);
}

am::Post FakeLink::SendBehind(Rank peer, am::Lane lane,
                              const am::Message& message) {
  am::SendState& send_state = *message.send_state;
  if (!PostAll(peer, message, send_state.complete, nullptr) ||
      !send_state.complete.IsOver()) {
    return am::Post::kRetry;
  }
  return carrier_.Send(host_, peer, lane, HeaderOf(message));
}

am::Post FakeLink::HandOver(Rank peer, am::Lane lane,
                            const am::Message& message) {
  am::SendState& send_state = *message.send_state;
  if (send_state.held == nullptr) send_state.held = Take(lane);
  if (send_state.held == nullptr) return am::Post::kRetry;
  auto& envelope = *static_cast<Envelope*>(send_state.held);
  if (send_state.posted < message.nbytes) {
    if (!PostAll(peer, message, envelope.complete,
                 message.stays ? nullptr : &send_state.sources)) {
      return am::Post::kRetry;
    }
    Seal(envelope, peer, message);
    // Polls send the envelope. Sleeping threads do not poll, so they must wake
    // up.
    if constexpr (thread::kManyThreads) host_.doorbell().Ring();
  }
  // The envelope may already belong to another message, so it must not be used
  // from here on.
  return send_state.sources.IsOver() ? am::Post::kDone : am::Post::kRetry;
}

// Posts the rest of the payload, as far as there is room. Returns true once the
// whole payload has been posted.
bool FakeLink::PostAll(Rank peer, const am::Message& message,
                       rma::PendingCount& complete,
                       rma::PendingCount* sources) {
  size_t& posted = message.send_state->posted;
  while (posted < message.nbytes) {
    const rma::Posted part = rma_.Post(
        rma::Put{peer, static_cast<std::byte*>(message.dest_addr) + posted,
                 static_cast<const std::byte*>(message.payload) + posted,
                 message.nbytes - posted, &complete, sources});
    if (part.state == rma::PostState::kRetry) return false;
    posted += part.nbytes;
  }
  return true;
}

FakeLink::Envelope* FakeLink::Take(am::Lane lane) {
  const thread::Holder hold(lock_);
  for (Envelope& each : envelopes_[static_cast<size_t>(lane)]) {
    if (each.state != Envelope::State::kFree) continue;
    each.state = Envelope::State::kTaken;
    envelopes_used_.fetch_add(1, std::memory_order_relaxed);
    return &each;
  }
  return nullptr;
}

void FakeLink::Seal(Envelope& envelope, Rank peer, const am::Message& message) {
  const thread::Holder hold(lock_);
  std::copy_n(message.args, message.num_args, envelope.args.begin());
  envelope.peer = peer;
  envelope.header = HeaderOf(message);
  envelope.header.args = envelope.args.data();
  envelope.header.payload = nullptr;
  envelope.header.send_state = nullptr;
  envelope.state = Envelope::State::kSealed;
}

unsigned FakeLink::SendSealed() {
  if (!lock_.try_lock()) return 0;
  const thread::Holder hold(lock_, std::adopt_lock);
  unsigned sent = 0;
  for (size_t lane = 0; lane < envelopes_.size(); ++lane) {
    for (Envelope& each : envelopes_[lane]) {
      if (each.state != Envelope::State::kSealed || !each.complete.IsOver()) {
        continue;
      }
      if (carrier_.Send(host_, each.peer, static_cast<am::Lane>(lane),
                        each.header) != am::Post::kDone) {
        continue;
      }
      each.state = Envelope::State::kFree;
      envelopes_used_.fetch_sub(1, std::memory_order_relaxed);
      ++sent;
    }
  }
  return sent;
}

unsigned FakeLink::TakeCompletions() {
  unsigned done = rma_.Poll();
  if (envelopes_used_.load(std::memory_order_relaxed) > 0) done += SendSealed();
  // Another thread may wait for these completions.
  if (thread::kManyThreads && done > 0) host_.doorbell().Ring();
  return done;
}

// Sleeps only if no polls are needed, since the fake network wakes no thread.
bool FakeLink::Sleep(uint32_t epoch, int64_t longest) {
  if (!NeedsPolls()) return host_.Sleep(epoch, longest);
  sched_yield();
  return false;
}

void FakeLink::Drain() {
  constexpr int kMax = 100'000;
  for (int polls = 0; polls < kMax && envelopes_used_.load() > 0; ++polls) {
    rma_.Poll();
    SendSealed();
    sched_yield();
  }
}

}  // namespace gasnet::fake
