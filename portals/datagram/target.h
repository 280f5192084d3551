// Operations of other ranks on interfaces of this process. They are executed
// here, on the interfaces' own tables (engine/deliver.h).
//
// An operation in one record is executed when it arrives. An operation in
// several records ("arriving") is matched when its first part arrives, and
// finished with its last part. An operation that reads several parts
// ("leaving") is matched when its request arrives, and finished when its last
// part is in a packet. An operation with a turn is executed only in its turn. A
// packet that arrives too early counts as lost, and is sent again.
//
// Everything is bounded:
// - At most kMaxArriving operations of all ranks arrive in parts. When more
//   than half of this number arrive, only a packet with no missing packet
//   before it may begin another. So all begun operations can be completed.
// - A rank may have at most kMaxLeaving answers in parts. Further requests
//   of this rank count as lost.
// - While overdue receipts have no room to leave, requests count as lost.
//
// The transport's lock guards everything.
#ifndef PORTALS_DATAGRAM_TARGET_H_
#define PORTALS_DATAGRAM_TARGET_H_

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/rank.h"
#include "portals/datagram/outbox.h"
#include "portals/datagram/record.h"
#include "portals/engine/deliver.h"
#include "portals/tuning.h"

namespace gasnet::portals4 {

class DatagramTarget {
 public:
  DatagramTarget(Outbox& out, uint32_t nid, uint32_t ranks)
      : out_(out), nid_(nid), peers_(ranks) {}

  enum class Verdict : uint8_t { kTake, kNotNow, kMalformed };
  // Decides if the contents of a request packet can be taken now. Changes
  // nothing. `is_next` is true if no packet before this one is missing.
  Verdict Judge(Rank rank, std::span<const std::byte> contents,
                bool is_next) const;
  // Executes an operation, or a part of an operation. Judge must have returned
  // kTake for the packet.
  void Take(Rank rank, const OperationRecord& record);

  // Sends as much of the answers as there is room for.
  void PumpAll();

  // Ends all operations of a rank that is lost.
  void Lose(Rank rank);
  // Ends all operations of all ranks.
  void Forget();

  bool Idle() const { return busy_.empty(); }
  // Returns true if parts of the rank's operations are still missing.
  bool Awaits(Rank rank) const { return !peers_[rank].arriving.empty(); }

 private:
  struct Arriving {
    OperationRecord record;  // the first record, with its bytes removed
    PeerInterface* target = nullptr;
    PortalsOperation operation;
    OpenDelivery open;
    bool is_open = false;
    Outcome outcome;  // Valid if the delivery is not open.
    uint64_t arrived = 0;
    uint64_t expected = 0;  // The number of bytes that must arrive.
    uint32_t fail = PTL_NI_OK;
  };
  struct Leaving {
    uint64_t number = 0;
    PeerInterface* target = nullptr;
    PortalsOperation operation;
    OpenDelivery open;
    uint64_t left = 0;  // The number of bytes that have left.
  };
  // An answer that waits because there was no room for it.
  struct Late {
    AnswerRecord record;
    std::vector<std::byte> bytes;
  };
  struct From {
    uint32_t turn = 0;  // The turn of the last operation that was taken.
    std::vector<std::unique_ptr<Arriving>> arriving;
    std::deque<Leaving> leaving;
    std::deque<Late> late;
    bool busy = false;  // True if the rank is in busy_.

    bool HasWork() const { return !leaving.empty() || !late.empty(); }
  };

  static Arriving* Find(const From& from, uint64_t number);
  void DoWhole(Rank rank, const OperationRecord& record);
  void DoPart(Rank rank, const OperationRecord& record);
  Arriving& Begin(From& from, const OperationRecord& record);
  void Finish(Rank rank, Arriving& arriving);
  void BeginLeaving(Rank rank, const OperationRecord& record);
  bool SendLeaving(Rank rank, Leaving& leaving);
  PeerInterface* FindTarget(const OperationRecord& record) const;

  void Answer(Rank rank, const OperationRecord& record, const Outcome& outcome,
              std::span<const std::byte> bytes = {});
  bool Send(Rank rank, const AnswerRecord& record,
            std::span<const std::byte> bytes);
  void MarkBusy(Rank rank);
  void Pump(Rank rank);

  Outbox& out_;
  const uint32_t nid_;
  std::vector<From> peers_;
  size_t arriving_ = 0;     // The number of arriving operations of all ranks.
  std::vector<Rank> busy_;  // Ranks to which something must be sent.
  alignas(16) std::array<std::byte, kWholeBytes> scratch_;
};

}  // namespace gasnet::portals4

#endif  // PORTALS_DATAGRAM_TARGET_H_
