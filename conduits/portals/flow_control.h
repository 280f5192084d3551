// The flow control of active messages, at both ends. It decides when a rank may
// send requests to another rank.
//
//   sender   takes credits for a request (credits/credits.h). A refusal,
//            with credits off or in spite of credits, pauses the peer
//            (pauses.h)
//   target   lends credits, and asks peers for credits when few are left;
//            opens its entry of requests again after Portals has shut the
//            entry (gate.h)
//
// The two ends communicate by system messages (system_message.h). A rank sends
// no request to a peer that it has given up on, and drops replies from that
// peer. The event of a refused operation has a user pointer (tagged.h). This
// class keeps the pointer. Later the operation's owner sends the operation
// again (requests.h).
//
// Thread-safe. Credits have one lock, because all peers share the bank and the
// epoch. Every message takes this lock, so the lock has its own cache lines. It
// is not held while a system message is sent. All other state is written only
// on refusals.
#ifndef CONDUITS_PORTALS_FLOW_CONTROL_H_
#define CONDUITS_PORTALS_FLOW_CONTROL_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "base/cache_line.h"
#include "conduits/portals/arrived.h"
#include "conduits/portals/conduit_interface.h"
#include "conduits/portals/credits/credit_byte.h"
#include "conduits/portals/credits/credits.h"
#include "conduits/portals/credits/settings.h"
#include "conduits/portals/gate.h"
#include "conduits/portals/pauses.h"
#include "conduits/portals/plan.h"
#include "conduits/portals/statistics.h"
#include "conduits/portals/system_message.h"
#include "core/rank.h"
#include "core/thread/spin_lock.h"

namespace gasnet::portals_conduit {

class FlowControl {
 public:
  FlowControl(ConduitInterface& interface, PortalsStatistics& statistics,
              const Plan& plan, const credits::CreditSettings& settings,
              Rank me, Rank ranks);

  // --- Requests that this rank sends ---

  bool IsPaused(Rank peer) const { return pauses_.IsPaused(peer); }
  // Takes the credits for a request with a body of `bytes` bytes. Returns the
  // credit byte for the request's header, or nullopt if there are too few
  // credits.
  std::optional<uint8_t> Take(Rank peer, size_t bytes, bool data_go_apart) {
    const thread::Holder hold(credit_lock_);
    return credits_.Take(peer, credits::CreditsFor(bytes, data_go_apart));
  }
  // Takes the credits of a request back when its reply arrives. `request` and
  // `reply` are the credit bytes of the two headers.
  void ReplyArrived(Rank peer, uint8_t request, uint8_t reply) {
    const thread::Holder hold(credit_lock_);
    if (const char* const why = credits_.ReplyArrived(peer, request, reply)) {
      Malformed(peer, "reply", why);
    }
  }

  // Records that the peer refused an operation. Keeps the operation until the
  // peer accepts requests again.
  void Refused(Rank peer, void* user);
  // Returns true if requests under way may be refused.
  bool MayBeRefused() const {
    return credit_mode_ == credits::Mode::kOff ||
           statistics_[Counted::kRefusals] > 0;
  }

  // Gives up on the peer. Returns the peer's refused operations that were kept.
  std::vector<void*> GiveUp(Rank peer) { return pauses_.Close(peer); }
  bool IsGivenUp(Rank peer) const { return pauses_.IsClosed(peer); }

  // --- Requests that this rank serves ---

  // Counts a request that arrived. Called once for each request, before the
  // request's handler. `credit` is the credit byte of the request's header.
  void RequestArrived(Rank source, uint8_t credit) {
    const thread::Holder hold(credit_lock_);
    if (const char* const why = credits_.RequestArrived(source, credit)) {
      Malformed(source, "request", why);
    }
  }
  // Returns the credit byte for a reply's header. `request` is the credit byte
  // of the request. Also asks peers for credits if few are left.
  uint8_t ByteOfReply(Rank peer, uint8_t request);

  // Records that Portals has shut the entry of requests.
  void Shut() {
    statistics_.Note(Counted::kShut);
    gate_.Shut();
  }
  // Returns true if OpenGate has something to do.
  bool WantsToOpen() const { return !gate_.IsIdle(); }
  // Opens the entry of requests again if it was shut and `has_room` is true.
  // `has_room` tells if there are buffers for new requests. Called when the
  // queue of requests is empty.
  void OpenGate(bool has_room);

  // --- Both directions ---

  // Handles a put to the entry of system messages. Returns the refused
  // operations that may now be sent again to the rank that sent the put.
  std::vector<void*> TakeSystem(const ptl_event_t& event);

  // Returns the credits for the report at the end of the process. Does not take
  // the lock, because the end may have interrupted the lock's holder.
  const credits::Credits& credits() const ABSL_NO_THREAD_SAFETY_ANALYSIS {
    return credits_;
  }

 private:
  void ReportOverflow(Rank peer);
  void SendSystem(Rank peer, const SystemMessage& message);
  void AnswerRevoke(Rank peer, bool epoch);
  void TakeReturn(Rank peer, const SystemMessage& message);

  ConduitInterface& interface_;
  PortalsStatistics& statistics_;
  const credits::Mode credit_mode_;
  Pauses pauses_;
  Gate gate_;
  std::atomic<bool> has_reported_overflow_{false};  // relaxed: only a flag
  alignas(kCacheLine) thread::SpinLock credit_lock_;
  credits::Credits credits_ ABSL_GUARDED_BY(credit_lock_);
};

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_FLOW_CONTROL_H_
