// An am::Link over shared-memory rings. Its transfers go through the fake
// engine. A message is a record (core/am/records.h) in a Medium of the ring.
// The record names the target endpoint.
//
// The payload of a large Long goes by remote memory access, and its header
// follows through the ring. When Send returns kRetry, the message's send state
// (core/rma/send_state.h) keeps the progress. Networks differ, so there are two
// modes:
//
//   unordered  The header is sent when the put is complete. Until then Send
//              returns kRetry.
//   ordered    Like a network that keeps a message behind a put. The header
//              is handed over at once, and waits here in an envelope for the
//              put. Send returns kDone as soon as the source may be reused.
//              A LongAsync permits this at once.
#ifndef CONDUITS_TESTING_FAKE_FAKE_LINK_H_
#define CONDUITS_TESTING_FAKE_FAKE_LINK_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "conduits/testing/fake/carrier.h"
#include "core/am/dispatcher.h"
#include "core/am/link.h"
#include "core/am/message.h"
#include "core/hostshm/host_link.h"
#include "core/rma/pending_count.h"
#include "core/rma/rma.h"
#include "core/rma/send_state.h"
#include "core/rma/testing/fake_rma.h"
#include "core/segment.h"
#include "core/thread/mode.h"
#include "core/thread/real_lock.h"

namespace gasnet::fake {

class FakeLink {
 public:
  static constexpr bool kSendsInSteps = true;

  FakeLink(rma::testing::FakeRma& rma, bool ordered)
      : rma_(rma), ordered_(ordered) {}

  hostshm::HostLink& host() { return host_; }
  // Sets the segments of endpoint 0 of all ranks, indexed by rank.
  void SetSegments(std::span<const Segment> segments) { segments_ = segments; }
  // Sets the segment of an endpoint of this rank, into which Longs may write.
  void SetOwnSegment(EndpointIndex endpoint, const Segment& segment) {
    carrier_.SetSegment(endpoint, segment);
  }

  // Members that am::Link requires.
  am::Post Send(Rank peer, am::Lane lane, const am::Message& message) {
    return IsNative(peer, message) ? SendLong(peer, lane, message)
                                   : carrier_.Send(host_, peer, lane, message);
  }
  bool MayHaveRoom(Rank peer, am::Lane lane, size_t nbytes) {
    // maximum bytes of a record's header and arguments
    constexpr size_t kMaxBesides = 128;
    return host_.MayHaveRoom(peer, lane, nbytes + kMaxBesides);
  }
  unsigned Poll(am::Lanes lanes, am::Dispatcher& dispatcher) {
    return carrier_.Poll(host_, lanes, dispatcher) + TakeCompletions();
  }
  bool HasMessages() { return host_.HasMessages() || NeedsPolls(); }
  size_t MaxMedium() const { return Carrier::MaxMedium(host_); }
  size_t MaxLong(am::Lane lane) const;
  uint32_t Arm() { return host_.Arm(); }
  bool Sleep(uint32_t epoch, int64_t longest);
  void Disarm() { host_.Disarm(); }
  void LimitSleep(int64_t nanos) { host_.LimitSleep(nanos); }
  void WakeOwn() { host_.WakeOwn(); }

  // Sends the messages that were handed over, before the process ends.
  void Drain();

  // The fake network, for the client's transfers. A transfer that has begun
  // needs polls to continue. Sleeping threads do not poll, so each new transfer
  // wakes them.
  class Rma final : public rma::Rma {
   public:
    explicit Rma(FakeLink& link) : link_(link) {}

    rma::Posted Post(const rma::Put& put) override {
      return Wake(link_.rma_.Post(put));
    }
    rma::Posted Post(const rma::Get& get) override {
      return Wake(link_.rma_.Post(get));
    }
    bool Reaches(Rank peer) const override { return link_.rma_.Reaches(peer); }
    const rma::Thresholds& thresholds() const override {
      return link_.rma_.thresholds();
    }
    bool HasAtomics(Rank peer) const override {
      return link_.rma_.HasAtomics(peer);
    }
    rma::PostState PostAtomic(const rma::Atomic& atomic) override {
      return Wake(link_.rma_.PostAtomic(atomic));
    }

   private:
    rma::Posted Wake(rma::Posted posted) {
      Wake(posted.state);
      return posted;
    }
    rma::PostState Wake(rma::PostState state) {
      const bool begun = state == rma::PostState::kPosted;
      if (thread::kManyThreads && begun) link_.host_.doorbell().Ring();
      return state;
    }

    FakeLink& link_;
  };

 private:
  // The smallest and largest payload of a native Long. A shorter payload goes
  // through the ring with its header.
  static constexpr size_t kMinNative = 1024;
  static constexpr size_t kMaxNative = size_t{1} << 20;
  // The number of envelopes in each lane. Lanes are separate, so that replies
  // do not wait for requests.
  static constexpr size_t kEnvelopes = 8;

  // A header that waits for its put. An envelope is free, or a send state has
  // taken it. It is sealed once the whole payload is posted.
  struct Envelope {
    enum class State : uint8_t { kFree, kTaken, kSealed };
    State state = State::kFree;
    Rank peer = 0;
    am::Message header;
    std::array<int32_t, am::kMaxArgs> args{};
    rma::PendingCount complete;
  };

  bool IsNative(Rank peer, const am::Message& message) const;
  am::Post SendLong(Rank peer, am::Lane lane, const am::Message& message);
  am::Post SendBehind(Rank peer, am::Lane lane, const am::Message& message);
  am::Post HandOver(Rank peer, am::Lane lane, const am::Message& message);
  bool PostAll(Rank peer, const am::Message& message,
               rma::PendingCount& complete, rma::PendingCount* sources);
  Envelope* Take(am::Lane lane);
  void Seal(Envelope& envelope, Rank peer, const am::Message& message);
  unsigned SendSealed();
  unsigned TakeCompletions();
  bool NeedsPolls() const {
    return envelopes_used_.load(std::memory_order_relaxed) > 0 ||
           rma_.NeedsPolls();
  }

  hostshm::HostLink host_;
  Carrier carrier_;
  rma::testing::FakeRma& rma_;
  const bool ordered_;
  std::span<const Segment> segments_;
  thread::RealLock lock_;  // guards the envelopes
  std::array<std::array<Envelope, kEnvelopes>, am::kLanes> envelopes_;
  std::atomic<unsigned> envelopes_used_{0};
};

static_assert(am::Link<FakeLink> && am::LinkHasMessages<FakeLink> &&
              am::LinkSendsInSteps<FakeLink>);

}  // namespace gasnet::fake

#endif  // CONDUITS_TESTING_FAKE_FAKE_LINK_H_
