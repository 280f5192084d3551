// Operations that this process has begun on ranks that it shares no memory
// with.
//
//   queued -> (all its bytes are in packets: the source is free) -> sent ->
//   (answered or receipted, or the rank is lost) -> over
//
// An operation that asks for no answer is over when it is sent. A quiet one, of
// which the program notices nothing but a failure, is over with its receipt, or
// an answer that says why it failed. Operations on
// one rank leave in the order in which they were begun; those that are ordered
// have a turn, which the target keeps, since packets come in any order. A
// descriptor cannot be released while it is used here (MdRecord::pending).
//
// Under the transport's lock.
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

  // Its number. The operation's memory is described, its arguments are checked.
  uint64_t Begin(Rank rank, uint64_t physical, Peer& owner,
                 const Request& request, const Operation& operation);
  // Whether its source is still needed.
  bool IsQueued(uint64_t number) const;
  // Callers that may wait do so then.
  bool IsCrowded(Rank rank) const {
    return peers_[rank].queue.size() > kMostQueued || used_ > kMostPending;
  }

  // Sends what there is room for now.
  void Pump(Rank rank);
  void PumpAll();

  void Take(Rank rank, const AnswerRecord& answer);
  void Take(Rank rank, const Receipt& receipt);

  // Everything on that rank is UNDELIVERABLE.
  void Lose(Rank rank);
  // Nothing is reported any more.
  void Forget();

  bool Idle() const { return used_ == 0; }
  // All operations are in packets.
  bool IsAllSent() const { return crowded_.empty(); }
  // Operations on a rank that are not over.
  uint32_t PendingOn(Rank rank) const { return peers_[rank].pending; }

 private:
  struct Pending {
    uint32_t generation = 0;
    bool used = false;
    bool queued = false;
    bool ordered = false;
    Rank rank = 0;
    Peer* owner = nullptr;
    Request request;
    OperationRecord record;  // as its next part is sent
    Extent source;
    uint64_t source_offset = 0;
    Extent sink;
    uint64_t sink_offset = 0;
    uint64_t arrived = 0;
    uint32_t fail = PTL_NI_OK;  // at this end
  };
  struct To {
    std::deque<uint32_t> queue;
    uint32_t turn = 0;  // the last one given
    uint32_t pending = 0;
  };

  uint32_t Take();
  Pending* Find(uint64_t number);
  // One that a rank may say something about.
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
  std::vector<Rank> crowded_;  // where a queue is not empty
};

}  // namespace gasnet::portals4

#endif  // PORTALS_DATAGRAM_INITIATOR_H_
