// The flow control of active messages, at both ends. It decides when a rank may
// send requests to another.
//
//   sender   takes credits for a request (credits/credits.h). A refusal, with
//            credits off or in spite of credits, pauses the peer (pauses.h)
//   target   lends credits, and asks others for them when few are left; opens
//            its entry of requests again after Portals has shut it (gate.h)
//
// The two ends communicate by system messages (system_message.h). No request is
// sent to a peer that is given up on, and replies from it are dropped. A
// refused operation is kept as the user pointer of its event (tagged.h), and
// its owner sends it again (requests.h).
//
// Thread-safe. Credits have one lock, since all peers share the bank and the
// epoch. Every message takes it, so it has its own cache lines. It is not held
// while a system message is sent. All other state is written only on refusals.
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
  FlowControl(ConduitInterface& interface, Statistics& statistics,
              const Plan& plan, const credits::Settings& settings, Rank me,
              Rank ranks);

  // --- Requests that this rank sends ---

  bool IsPaused(Rank peer) const { return pauses_.IsPaused(peer); }
  // Takes the credits for a request with a body of `bytes` bytes. Returns the
  // credit byte of its header; nothing if there are too few credits.
  std::optional<uint8_t> Take(Rank peer, size_t bytes, bool data_go_apart) {
    const thread::Holder hold(credit_lock_);
    return credits_.Take(peer, credits::CreditsFor(bytes, data_go_apart));
  }
  // Takes the credits back. `request`, `reply`: the credit bytes of the
  // headers.
  void ReplyArrived(Rank peer, uint8_t request, uint8_t reply) {
    const thread::Holder hold(credit_lock_);
    if (const char* const why = credits_.ReplyArrived(peer, request, reply)) {
      Malformed(peer, "reply", why);
    }
  }

  // Notes that an operation was refused, and keeps it until the peer accepts
  // again.
  void Refused(Rank peer, void* user);
  // Returns true if requests in flight may be refused.
  bool MayBeRefused() const {
    return credit_mode_ == credits::Mode::kOff ||
           statistics_[Counted::kRefusals] > 0;
  }

  // Gives up on the peer, and returns the operations that were kept.
  std::vector<void*> GiveUp(Rank peer) { return pauses_.Close(peer); }
  bool IsGivenUp(Rank peer) const { return pauses_.IsClosed(peer); }

  // --- Requests that it serves ---

  // Called once for each request, before its handler. `credit`: the credit byte
  // of its header.
  void RequestArrived(Rank source, uint8_t credit) {
    const thread::Holder hold(credit_lock_);
    if (const char* const why = credits_.RequestArrived(source, credit)) {
      Malformed(source, "request", why);
    }
  }
  // Returns the credit byte for a reply's header. `request`: the credit byte of
  // its request. Asks peers for credits if few are left.
  uint8_t ByteOfReply(Rank peer, uint8_t request);

  // Notes that the entry of requests was shut.
  void Shut() {
    statistics_.Note(Counted::kShut);
    gate_.Shut();
  }
  // Returns true if OpenGate has something to do.
  bool WantsToOpen() const { return !gate_.IsIdle(); }
  // Opens the entry of requests again, if it was shut. Called when the queue of
  // requests is empty. `has_room`: there are buffers for new requests.
  void OpenGate(bool has_room);

  // --- Both ---

  // Handles a put to the entry of system messages. Returns the operations that
  // may be sent again to its source.
  std::vector<void*> TakeSystem(const ptl_event_t& event);

  // Returns the credits for the report at the end of the process, without the
  // lock: the end may have interrupted its holder.
  const credits::Credits& credits() const ABSL_NO_THREAD_SAFETY_ANALYSIS {
    return credits_;
  }

 private:
  void ReportOverflow(Rank peer);
  void SendSystem(Rank peer, const SystemMessage& message);
  void AnswerRevoke(Rank peer, bool epoch);
  void TakeReturn(Rank peer, const SystemMessage& message);

  ConduitInterface& interface_;
  Statistics& statistics_;
  const credits::Mode credit_mode_;
  Pauses pauses_;
  Gate gate_;
  std::atomic<bool> has_reported_overflow_{false};  // relaxed: a flag
  alignas(kCacheLine) thread::SpinLock credit_lock_;
  credits::Credits credits_ ABSL_GUARDED_BY(credit_lock_);
};

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_FLOW_CONTROL_H_
