// One collective in flight, as this node sees it.
//
//   queued --in the window--> meeting in --all have entered--> moving
//   moving, phase by phase --> moved --> meeting out --all have moved-->
//   finished
//
// Meeting is for ALLSYNC alone. In each phase parts come in (InPart) and go out
// (OutPart); what comes in ends the phase, what goes out may take longer. The
// algorithm (algorithm.h) says what they are; node.h moves them.
//
// Synced: what the client waits for, at the moment that its mode names.
// Retired: no message of it can come any more. Its record is free when it is
// retired and the client has released it.
//
// All but `state` belongs to the thread that drives the node.
#ifndef COLL_OPERATION_H_
#define COLL_OPERATION_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "coll/header.h"
#include "coll/landings.h"
#include "coll/request.h"
#include "core/am/message.h"

namespace gasnet::coll {

class Algorithm;
class Team;

struct OutPart {
  enum class State : uint8_t {
    kHeld,     // not begun
    kWaiting,  // for the receiver
    kPieces,   // under way in pieces
    kLent,     // sent, and not read to its end
    kDone,     // the source may change
  };
  Rank to = 0;  // index in the team
  uint32_t key = 0;
  uint8_t phase = 0;  // of the receiver
  State state = State::kHeld;
  // Of what comes in in the same phase, the part that this one passes on.
  uint32_t after = kNothing;
  bool ready = false;    // the receiver has said where it wants it
  bool offered = false;  // the message with the place of the source came
  const std::byte* from = nullptr;
  size_t nbytes = 0;
  size_t sent = 0;
  uint64_t address = 0;  // of the dest, 0 where it is in no segment
  uint64_t landing = 0;

  static constexpr uint32_t kNothing = ~uint32_t{0};
};

struct InPart {
  Rank from = 0;  // index in the team, or kAnybody
  bool done = false;
  bool borrows = false;  // may be read where it is offered
  bool asked = false;    // ready was sent
  uint32_t key = 0;
  std::byte* to = nullptr;
  size_t nbytes = 0;
  const std::byte* borrowed = nullptr;
  Landing* landing = nullptr;
  uint64_t landing_name = 0;

  static constexpr Rank kAnybody = ~Rank{0};
  // Where its bytes are, once it is done.
  const std::byte* bytes() const { return borrowed != nullptr ? borrowed : to; }
};

// A message that the window of its receiver does not admit yet.
struct Deferred {
  Rank to = 0;
  Header header;
  size_t part = kNoPart;  // kEager: of outs, whose payload it has

  static constexpr size_t kNoPart = ~size_t{0};
};

// A part that is read where it was offered, until its phase is over.
struct Borrowed {
  Rank from = 0;
  uint32_t key = 0;
  uint8_t phase = 0;
};

// Transfers of a generalized put or get that are under way; a fabric derives
// its own.
struct Moves {};

class Operation {
 public:
  enum class Stage : uint8_t {
    kQueued,
    kMeetingIn,
    kMoving,
    kMoved,
    kMeetingOut,
    kFinished,
  };

  bool IsSynced() const {
    return (state.load(std::memory_order_acquire) & kSynced) != 0;
  }
  // For who drives, which retires it.
  bool IsRetired() const {
    return (state.load(std::memory_order_relaxed) & kRetired) != 0;
  }

  static constexpr uint8_t kSynced = 1;
  static constexpr uint8_t kReleased = 2;
  static constexpr uint8_t kRetired = 4;
  std::atomic<uint8_t> state{0};

  void Keep() {
    kept_ = *request;
    request = &kept_;
  }

  void InDone(InPart& in) {
    in.done = true;
    --ins_left;
  }
  void OutDone(OutPart& out) {
    out.state = OutPart::State::kDone;
    --outs_left;
  }

  Team* team = nullptr;
  Operation* next = nullptr;  // in a queue or a pool
  uint32_t number = 0;
  // In the caller's frame, until its call returns with the operation still
  // under way (Keep).
  const Request* request = nullptr;
  Terms terms;
  const Algorithm* algorithm = nullptr;
  Stage stage = Stage::kQueued;
  uint8_t phase = 0;

  // The owner of each block, where nodes say it (BlockMap).
  std::vector<uint32_t> owners;  // by block, indices in the team
  std::vector<uint32_t> mine;    // blocks of this node, ascending
  std::vector<uint32_t> claims;  // by node: first, count

  std::vector<InPart> ins;  // of this phase
  size_t ins_left = 0;
  std::vector<OutPart> outs;  // of all phases
  size_t outs_left = 0;
  std::vector<Deferred> deferred;
  std::vector<Borrowed> borrowed;
  am::Loan loan;           // of all sources
  Moves* moves = nullptr;  // the fabric's, while they are under way

  // Meetings: 0 in, 1 out.
  struct Meeting {
    bool begun = false;
    uint8_t round = 0;
    uint32_t rounds_heard = 0;  // bits
    Rank heard = 0;
  };
  Meeting meetings[2];

  // Of reductions: what is received, and what was combined.
  std::unique_ptr<std::byte[]> memory;
  size_t memory_bytes = 0;
  BarrierVote vote;

 private:
  Request kept_;
};

// Whether the part that it forwards has not arrived. In a phase that is over
// all parts have.
inline bool MustWait(const Operation& op, const OutPart& out) {
  return out.after != OutPart::kNothing && out.phase == op.phase &&
         !op.ins[out.after].done;
}

}  // namespace gasnet::coll

#endif  // COLL_OPERATION_H_
