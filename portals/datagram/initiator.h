// Operations that this process has begun on ranks that share no memory with it.
//
//   queued -> (all its bytes are in packets: the source is free) -> sent ->
//   (answered or receipted, or the rank is lost) -> over
//
// An operation that asks for no answer is over when it is sent. A quiet
// operation reports only failures to the program. It is over when a receipt, or
// an answer that names a failure, arrives. Operations on one rank leave in the
// order in which they began, but packets arrive in any order. So each ordered
// operation has a turn (a sequence number), and the target restores the order.
// A descriptor cannot be released while one of these operations uses it
// (MdRecord::pending).
//
// The transport's lock guards everything.
#ifndef PORTALS_DATAGRAM_INITIATOR_H_
#define PORTALS_DATAGRAM_INITIATOR_H_

#include <cstdint>
#include <deque>
#include <vector>

#include "core/rank.h"
#include "portals/api/initiate.h"
#include "portals/datagram/outbox.h"
#include "portals/datagram/record.h"
#include "portals/tuning.h"

namespace gasnet::portals4 {

class Initiator {
 public:
  Initiator(Outbox& out, uint32_t ranks) : out_(out), peers_(ranks) {}

  // Begins an operation and returns its number. The caller has described the
  // operation's memory and checked its arguments.
  uint64_t Begin(Rank rank, uint64_t physical, PeerInterface& owner,
                 const InitiatorRequest& request,
                 const PortalsOperation& operation);
  // Returns true if the operation's source is still needed.
  bool IsQueued(uint64_t number) const;
  // Returns true if too many operations are queued or under way. A caller that
  // may wait should then wait.
  bool IsCrowded(Rank rank) const {
    return peers_[rank].queue.size() > kMaxQueued || used_ > kMaxPending;
  }

  // Pump sends to a rank as much as there is room for. PumpAll does so for all
  // ranks.
  void Pump(Rank rank);
  void PumpAll();

  void Take(Rank rank, const AnswerRecord& answer);
  void Take(Rank rank, const Receipt& receipt);

  // Ends all operations on a rank with PTL_NI_UNDELIVERABLE.
  void Lose(Rank rank);
  // Drops all operations without reporting that they have ended.
  void Forget();

  bool Idle() const { return used_ == 0; }
  // Returns true if all bytes of all operations are in packets.
  bool IsAllSent() const { return crowded_.empty(); }
  // Returns the number of operations on a rank that are not over.
  uint32_t PendingOn(Rank rank) const { return peers_[rank].pending; }

 private:
  struct Pending {
    uint32_t generation = 0;
    bool used = false;
    bool queued = false;
    bool ordered = false;
    Rank rank = 0;
    PeerInterface* owner = nullptr;
    InitiatorRequest request;
    OperationRecord record;  // The record of the operation's next part.
    Extent source;
    uint64_t source_offset = 0;
    Extent sink;
    uint64_t sink_offset = 0;
    uint64_t arrived = 0;
    uint32_t fail = PTL_NI_OK;  // The failure at the initiator.
  };
  struct To {
    std::deque<uint32_t> queue;
    uint32_t turn = 0;  // The turn of the last operation that has a turn.
    uint32_t pending = 0;
  };

  uint32_t Take();
  Pending* Find(uint64_t number);
  // Returns the operation if it is sent and `rank` may answer or receipt it.
  // Returns null if not, for example if the operation is over.
  Pending* FindSent(Rank rank, uint64_t number);
  bool SendSome(Pending& pending);
  void Sent(uint32_t index);
  void End(uint32_t index, const Outcome& outcome);
  void Free(uint32_t index);

  Outbox& out_;
  std::vector<To> peers_;
  std::deque<Pending> all_;
  std::vector<uint32_t> free_;
  size_t used_ = 0;
  std::vector<Rank> crowded_;  // ranks whose queue is not empty
};

}  // namespace gasnet::portals4

#endif  // PORTALS_DATAGRAM_INITIATOR_H_
