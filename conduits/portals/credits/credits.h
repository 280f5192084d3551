// The credits that permit requests: those that this rank has lent to others,
// and those that others have lent to this rank. This is a pure state machine:
// it sends nothing, keeps no time and starts no thread.
//
//   to send   Take ........................... request goes, with the byte
//   to serve  RequestArrived, handler, ReplyTo reply goes, with the byte
//   back      ReplyArrived
//   moving    WantsToScavenge, Scavenge ...... revokes go
//             RevokeArrived .................. its answer goes
//             ReturnArrived
//
// The credits of X at Y are always in one of these places:
//
//   bank(Y) + sum of loan(Y, X) over X = total(Y)
//   loan(Y, X) = send(X, Y) + lent in replies on their way to X
//              + returned in answers on their way to Y
//   in_use(X, Y) <= send(X, Y)
//   send(X, Y) >= the credits of the largest message, always
//
// A sender that lacked credits reports the number of missing credits in its
// next request. The reply lends this many on top, if the lender's bank has
// them. A lender with a low bank asks other ranks for credits that they have
// not used lately.
//
// An epoch of a lender is a number of requests served. At its end, the lender's
// statistics of its loans decay. The next message to each peer reports the end.
// The peer's statistics of sending to this rank then decay, too. The end of an
// epoch itself costs nothing: a peer's record is brought up to date when it is
// next used.
//
// With Mode::kStatic no credits are lent on top or asked back. With Mode::kOff
// each request may be sent, and every byte is 0.
//
// A request that was turned away has priority. Smaller requests to the same
// peer are turned away, too, until enough credits are free for the largest
// request that was turned away. This ends even if that request is never tried
// again: all credits in use come back, and a peer keeps enough for any request.
//
// Not thread-safe: needs one lock around the whole object. Every function but
// the constructor takes some ten nanoseconds, a fraction of the time of a
// message. Scavenge() is rare. It looks at no more than 512 peers and takes
// some microseconds. Locks for each peer do not suffice, because all peers
// share the bank, the epoch and the walk.
//
// Credit bytes and answers come from other processes. A function that takes a
// valid byte or answer returns null. If the byte or answer is invalid, the
// function changes nothing and returns the reason.
#ifndef CONDUITS_PORTALS_CREDITS_CREDITS_H_
#define CONDUITS_PORTALS_CREDITS_CREDITS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>

#include "conduits/portals/credits/peer.h"
#include "conduits/portals/credits/scavenger.h"
#include "conduits/portals/credits/settings.h"
#include "core/rank.h"

namespace gasnet::portals_conduit::credits {

// The answer to a lender that asked for credits. The answer travels in a system
// message.
struct CreditAnswer {
  uint16_t returned = 0;
  bool epoch = false;
};

// The peers to ask for credits. Each gets a system message. If the peer's
// `epoch` is true, the message also reports the end of an epoch.
struct Revokes {
  static constexpr unsigned kMax = 64;
  struct To {
    Rank peer;
    bool epoch;
  };

  const To* begin() const { return to.data(); }
  const To* end() const { return to.data() + count; }

  std::array<To, kMax> to;
  unsigned count = 0;
};

// Counts since the start.
struct Counters {
  uint64_t requests_sent = 0;
  uint64_t stalls = 0;  // requests that had to wait; retries do not count
  uint64_t requests_served = 0;
  uint64_t epochs = 0;     // ended epochs
  uint64_t asked_for = 0;  // served requests that asked for more credits
  uint64_t lent = 0;       // credits that this rank lent on top
  uint64_t borrowed = 0;   // credits lent on top to this rank
  uint64_t revokes_sent = 0;
  uint64_t revokes_answered = 0;
  uint64_t regained = 0;  // credits that came back on request
  uint64_t returned = 0;  // credits given back on request
  uint64_t refused = 0;   // invalid messages
};

class Credits {
 public:
  struct Start {
    Rank ranks;
    Rank self;
    uint16_t least;     // LeastCredits() of the chunk size
    uint16_t per_node;  // from BufferPlan, like `bank`
    uint32_t bank;
  };

  // Allocates the records of peers but does not touch them. A peer that is
  // never used costs no memory.
  Credits(const Start& start, const CreditSettings& settings);

  // Excludes a rank that this network does not reach. Neither rank then has
  // credits at the other. Must be called before any other call names the rank.
  // This rank itself is excluded from the start.
  void Exclude(Rank peer);

  // --- The sender ---

  // Takes `used` credits for a request: as many as CreditsFor() returns, at
  // least 1 and at most LeastCredits(). Returns the byte for the request. The
  // caller must keep this byte until the reply. If the request has to wait,
  // returns nullopt and records the stall.
  //
  // The credits are in use after the call. So the caller must take all other
  // resources before the call.
  std::optional<uint8_t> Take(Rank peer, unsigned used);

  // Takes the credits of a request back when its reply arrives. `request` is
  // the byte that Take() returned for the request.
  const char* ReplyArrived(Rank peer, uint8_t request, uint8_t reply);

  // --- The lender ---

  // Accounts for a request that has arrived. Called once for each request,
  // before the request's handler.
  const char* RequestArrived(Rank peer, uint8_t request);

  // Returns the byte for the reply to a request. `request` is the byte that
  // RequestArrived() took.
  uint8_t ReplyTo(Rank peer, uint8_t request);

  // Returns true if the bank was low after the last ReplyTo(), and there are
  // peers that may be asked for credits.
  bool WantsToScavenge() const { return wants_ && !scavenger_.IsDone(); }

  // Returns the peers to ask for credits. The caller must send each of them a
  // system message. A peer is not asked again before its answer has arrived. So
  // at most one of these messages is on its way to a peer.
  Revokes Scavenge();

  const char* ReturnArrived(Rank peer, CreditAnswer answer);

  // --- The borrower ---

  // Handles the peer's request to give credits back. If the result is null, the
  // caller sends `*answer` to the peer.
  const char* RevokeArrived(Rank peer, bool epoch, CreditAnswer* answer);

  // --- For statistics and tests ---

  Mode mode() const { return settings_.mode; }
  Rank ranks() const { return start_.ranks; }
  Rank self() const { return start_.self; }
  uint32_t bank() const { return bank_; }
  // Returns the number of credits, lent and banked. This number never changes.
  uint64_t total() const { return total_; }
  const Counters& counters() const { return counters_; }
  // Returns a copy of a peer's record, brought up to date.
  PeerCredits Look(Rank peer) const;
  // Returns true if the peer's record has been used.
  bool IsKnown(Rank peer) const { return peers_[peer].epoch != 0; }

 private:
  struct Free {
    void operator()(PeerCredits* peers) const { free(peers); }
  };

  // --- credits.cc ---
  void BringUpToDate(PeerCredits& peer) const;
  PeerCredits& Touch(Rank rank);
  // Returns true if the next message to the peer must report the end of an
  // epoch. Marks the end as reported.
  static bool TakeEpoch(PeerCredits& peer);
  const char* Refuse(const char* why);
  // Checks the fields of a byte that has arrived. Returns null, or the reason
  // why the byte is invalid.
  const char* WhyNot(const PeerCredits& peer, bool epoch, unsigned extra) const;

  // --- lender.cc ---
  uint8_t LoanFor(PeerCredits& peer, uint8_t wanted);
  void CountServed();
  bool MayBeAsked(const PeerCredits& peer) const;

  // --- borrower.cc ---
  void NoteStall(PeerCredits& peer, unsigned used, unsigned left);
  uint16_t CanReturn(const PeerCredits& peer) const;

  const Start start_;
  const CreditSettings settings_;
  std::unique_ptr<PeerCredits[], Free> peers_;
  uint64_t total_;
  uint64_t epoch_ = 1;
  uint32_t served_ = 0;  // requests served in this epoch
  uint32_t bank_;
  bool wants_ = false;
  Scavenger scavenger_;
  Counters counters_;
};

}  // namespace gasnet::portals_conduit::credits

#endif  // CONDUITS_PORTALS_CREDITS_CREDITS_H_
