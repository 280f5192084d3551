// The permission to send requests: the credits that this rank has lent to
// others and those that others have lent to it. A pure state machine: it sends
// nothing, keeps no time and starts no thread.
//
//   to send   Take ........................... request goes, with the byte
//   to serve  RequestArrived, handler, ReplyTo reply goes, with the byte
//   back      ReplyArrived
//   moving    WantsToScavenge, Scavenge ...... revokes go
//             RevokeArrived .................. its answer goes
//             ReturnArrived
//
// The credits of X at Y, and where they are:
//
//   bank(Y) + sum of loan(Y, X) over X = total(Y)
//   loan(Y, X) = send(X, Y) + lent in replies on their way to X
//              + returned in answers on their way to Y
//   in_use(X, Y) <= send(X, Y);   send(X, Y) >= the largest message's, always
//
// A sender that lacks credits says so in its next request. The reply lends the
// missing credits on top if the lender has them banked. A lender whose bank is
// low asks others for what they have not used lately. An epoch of a lender is a
// number of requests served. At its end, the values that the lender remembers
// of its loans decay. Each peer learns of it with the next message that it
// gets, and its values of sending to this rank decay too. The end of an epoch
// costs nothing: a peer is brought up to date when it is next dealt with.
//
// With Mode::kStatic nothing is lent on top nor asked back. With Mode::kOff
// each request may go, and every byte is 0.
//
// A request that was turned away goes first: until as many credits are free as
// the largest such request needs, smaller ones are turned away too. All credits
// in use come back, and a peer keeps enough for any request. So this ends, even
// if the larger request is never tried again.
//
// Nothing here is thread-safe; one lock around all of it suffices. Every
// function but the constructor takes some ten nanoseconds, a fraction of the
// time of a message. Scavenge, which looks at 512 peers at most, takes some
// microseconds and is rare. There is no lock for each peer: the bank, the epoch
// and the walk are common to all, so peers would need a second lock for them.
//
// Bytes and answers come from other processes. A function that takes one
// returns null, or a text that says why it is invalid; then nothing has
// changed.
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

namespace gasnet::portals::credits {

// The answer of a system message to a lender that asked for credits.
struct Answer {
  uint16_t returned = 0;
  bool epoch = false;
};

// The peers to ask for credits by a system message each. `epoch`: the message
// says that an epoch has ended.
struct Revokes {
  static constexpr unsigned kMost = 64;
  struct To {
    Rank peer;
    bool epoch;
  };

  const To* begin() const { return to.data(); }
  const To* end() const { return to.data() + count; }

  std::array<To, kMost> to;
  unsigned count = 0;
};

// Counts since the start.
struct Counters {
  uint64_t requests_sent = 0;
  uint64_t stalls = 0;  // times that sending had to wait; not retries
  uint64_t requests_served = 0;
  uint64_t epochs = 0;     // that have ended
  uint64_t asked_for = 0;  // requests served that asked for more
  uint64_t lent = 0;       // credits on top
  uint64_t borrowed = 0;   // the same, by others to this rank
  uint64_t revokes_sent = 0;
  uint64_t revokes_answered = 0;
  uint64_t regained = 0;  // credits that came back when asked for
  uint64_t returned = 0;  // credits given back when asked to
  uint64_t refused = 0;   // invalid messages
};

class Credits {
 public:
  struct Start {
    Rank ranks;
    Rank self;
    uint16_t least;     // LeastCredits of the chunk
    uint16_t per_node;  // of BufferPlan, as the bank
    uint32_t bank;
  };

  // Touches no memory of peers: a rank that is never dealt with costs nothing.
  Credits(const Start& start, const Settings& settings);

  // Excludes a rank that is reached in another way, before it is dealt with:
  // neither rank has credits at the other. This rank is excluded from the
  // start.
  void Exclude(Rank peer);

  // --- The sender ---

  // Takes `used` credits, from 1 to the least, as CreditsFor says. Returns the
  // byte for the request. The credits are in use from now on, so the caller
  // takes everything else first. Returns nothing if the request has to wait,
  // and notes the stall. Keep the byte until the reply.
  std::optional<uint8_t> Take(Rank peer, unsigned used);

  // `request`: the byte that Take returned for the request of this reply.
  const char* ReplyArrived(Rank peer, uint8_t request, uint8_t reply);

  // --- The lender ---

  // Called once for each request, before its handler.
  const char* RequestArrived(Rank peer, uint8_t request);

  // Returns the byte for the reply to `request`, the same byte as above.
  uint8_t ReplyTo(Rank peer, uint8_t request);

  // Returns true if the last ReplyTo left a low bank, and some peer can be
  // asked.
  bool WantsToScavenge() const { return wants_ && !scavenger_.IsDone(); }

  // Returns the peers to which a system message is to be sent. A peer is not
  // asked again until its answer is here, so there is never more than one on
  // its way to a peer.
  Revokes Scavenge();

  const char* ReturnArrived(Rank peer, Answer answer);

  // --- The borrower ---

  // If it returns null, `*answer` is to be sent back.
  const char* RevokeArrived(Rank peer, bool epoch, Answer* answer);

  // --- For statistics and tests ---

  Mode mode() const { return settings_.mode; }
  Rank ranks() const { return start_.ranks; }
  Rank self() const { return start_.self; }
  uint32_t bank() const { return bank_; }
  // Lent and banked credits together, constant from the start to the end.
  uint64_t total() const { return total_; }
  const Counters& counters() const { return counters_; }
  // Returns the record of a peer, brought up to date.
  Peer Look(Rank peer) const;
  // Returns true if the peer was ever dealt with.
  bool IsKnown(Rank peer) const { return peers_[peer].epoch != 0; }

 private:
  struct Free {
    void operator()(Peer* peers) const { free(peers); }
  };

  // --- credits.cc ---
  void BringUpToDate(Peer& peer) const;
  Peer& Touch(Rank rank);
  // Returns true if the peer is to be notified that an epoch has ended; marks
  // it as notified.
  static bool TakeEpoch(Peer& peer);
  const char* Refuse(const char* why);
  // Checks a byte that arrived.
  const char* WhyNot(const Peer& peer, bool epoch, unsigned extra) const;

  // --- lender.cc ---
  uint8_t LoanFor(Peer& peer, uint8_t wanted);
  void CountServed();
  bool MayBeAsked(const Peer& peer) const;

  // --- borrower.cc ---
  void NoteStall(Peer& peer, unsigned used, unsigned left);
  uint16_t CanReturn(const Peer& peer) const;

  const Start start_;
  const Settings settings_;
  std::unique_ptr<Peer[], Free> peers_;
  uint64_t total_;
  uint64_t epoch_ = 1;
  uint32_t served_ = 0;  // in this epoch
  uint32_t bank_;
  bool wants_ = false;
  Scavenger scavenger_;
  Counters counters_;
};

}  // namespace gasnet::portals::credits

#endif  // CONDUITS_PORTALS_CREDITS_CREDITS_H_
