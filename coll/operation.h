// One collective in flight, as seen by this node.
//
//   queued --in the window--> meeting in --all have entered--> moving
//   moving, phase by phase --> moved --> meeting out --all have moved-->
//   finished
//
// Meetings take place only with ALLSYNC. In each phase parts are received
// (InPart) and sent (OutPart). The phase ends when all its incoming parts have
// arrived; outgoing parts may take longer. The algorithm (algorithm.h) defines
// the parts; node.h moves them.
//
// The IN and OUT flags define when an operation is synced; the client waits for
// the sync. The operation is retired when no more messages for it are possible.
// Once it is retired and the client has released it, its record is free.
//
// All members except `state` belong to the driving thread of the node.
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
    kWaiting,  // waits for the receiver's answer
    kPieces,   // under way in pieces
    kLent,     // sent, but the source may still be read
    kDone,     // the source may change
  };
  Rank to = 0;  // index in the team
  uint32_t key = 0;
  uint8_t phase = 0;  // the receiver's phase
  State state = State::kHeld;
  // The index of the incoming part that this part forwards. Both parts are of
  // the same phase.
  uint32_t after = kNothing;
  bool ready = false;    // the receiver has sent kReady
  bool offered = false;  // kOffer was sent
  const std::byte* from = nullptr;
  size_t nbytes = 0;
  size_t sent = 0;
  uint64_t address = 0;  // address of the dest; 0 if it lies in no segment
  uint64_t landing = 0;

  static constexpr uint32_t kNothing = ~uint32_t{0};
};

struct InPart {
  Rank from = 0;  // index in the team, or kAnybody
  bool done = false;
  bool borrows = false;  // may be read in place, in the sender's memory
  bool asked = false;    // kReady was sent
  uint32_t key = 0;
  std::byte* to = nullptr;
  size_t nbytes = 0;
  const std::byte* borrowed = nullptr;
  Landing* landing = nullptr;
  uint64_t landing_name = 0;

  static constexpr Rank kAnybody = ~Rank{0};
  // Returns the address of the part's bytes. Only valid once the part is done.
  const std::byte* bytes() const { return borrowed != nullptr ? borrowed : to; }
};

// A message that the receiver's window does not admit yet.
struct Deferred {
  Rank to = 0;
  CollHeader header;
  size_t part = kNoPart;  // kEager: index in `outs` of the part it carries

  static constexpr size_t kNoPart = ~size_t{0};
};

// A part that is read in place, in its sender's memory. It may be read until
// the part's phase is over.
struct Borrowed {
  Rank from = 0;
  uint32_t key = 0;
  uint8_t phase = 0;
};

// The transfers of a generalized put or get that are under way. Each fabric
// derives its own class.
struct Moves {};

class CollectiveOperation {
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
  // Returns true if the operation is retired. Only the driving thread, which
  // also retires operations, may call this.
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
  CollectiveOperation* next = nullptr;  // link in a queue or a pool
  uint32_t number = 0;
  // The call's request. At first it lies in the caller's stack frame. If the
  // call returns while the operation is still under way, Keep copies it.
  const CollectiveRequest* request = nullptr;
  Terms terms;
  const Algorithm* algorithm = nullptr;
  Stage stage = Stage::kQueued;
  uint8_t phase = 0;

  // The owner of each block, if the nodes and not the team determine the owners
  // (BlockMap).
  std::vector<uint32_t> owners;  // indexed by block; indices in the team
  std::vector<uint32_t> mine;    // blocks of this node, ascending
  std::vector<uint32_t> claims;  // first block and block count of each node

  std::vector<InPart> ins;  // incoming parts of this phase
  size_t ins_left = 0;
  std::vector<OutPart> outs;  // outgoing parts of all phases
  size_t outs_left = 0;
  std::vector<Deferred> deferred;
  std::vector<Borrowed> borrowed;
  am::Loan loan;           // covers the sources of all parts
  Moves* moves = nullptr;  // belongs to the fabric; null if none is under way

  // The two meetings: [0] before any data moves, [1] after all data has moved.
  struct Meeting {
    bool begun = false;
    uint8_t round = 0;
    uint32_t rounds_heard = 0;  // one bit for each round
    Rank heard = 0;
  };
  Meeting meetings[2];

  // Reductions: memory for received and combined elements.
  std::unique_ptr<std::byte[]> memory;
  size_t memory_bytes = 0;
  BarrierVote vote;

 private:
  CollectiveRequest kept_;
};

// Returns true if `out` forwards a part that has not arrived. All parts of a
// past phase have arrived.
inline bool MustWait(const CollectiveOperation& op, const OutPart& out) {
  return out.after != OutPart::kNothing && out.phase == op.phase &&
         !op.ins[out.after].done;
}

}  // namespace gasnet::coll

#endif  // COLL_OPERATION_H_
