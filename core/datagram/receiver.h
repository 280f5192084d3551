// What becomes of a datagram: its tag is checked, and if its records are new
// they are registered and given to the caller, who runs the handlers after
// leaving the lock, and takes the acknowledgements in before or after that.
// Whatever is not a packet of this job for this rank is dropped and counted.
//
// Requests that arrive while only replies may be served are kept here, within
// a bound; beyond it they are dropped unregistered, as if the network had lost
// them. Under the lock of the endpoint.
#ifndef CORE_DATAGRAM_RECEIVER_H_
#define CORE_DATAGRAM_RECEIVER_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/am/link.h"
#include "core/datagram/assembly.h"
#include "core/datagram/channel_table.h"
#include "core/datagram/options.h"
#include "core/datagram/packet.h"
#include "core/datagram/packet_pool.h"
#include "core/datagram/path_size.h"
#include "core/datagram/pieces.h"
#include "core/datagram/seal.h"
#include "core/datagram/statistics.h"
#include "core/segment.h"

namespace gasnet::datagram {

// Messages whose handlers may run now: either all records of a packet, in the
// port's memory, kept, or joined from pieces, or a message that was put
// together. Neither: nothing.
struct Delivery {
  Rank source = 0;
  am::Lane lane = am::Lane::kRequest;
  unsigned messages = 0;
  MutableBytes packet;
  Packet* kept = nullptr;
  JoinedPacket* joined = nullptr;
  Assembly* assembly = nullptr;

  // Of the receiver, which gets it back by Finish.
  bool HoldsMemory() const {
    return kept != nullptr || joined != nullptr || assembly != nullptr;
  }
};

// What else a datagram leads to.
struct Arrival {
  Channel* channel = nullptr;  // null: it was dropped
  LaneAcks acks;               // for TakeAcks, now or soon
  Delivery delivery;
};

class Receiver {
 public:
  Receiver(const Options& options, const PathSizes& sizes, const Seal& seal,
           ChannelTable& channels, PacketPool& pool, Statistics& statistics);
  ~Receiver();
  Receiver(const Receiver&) = delete;
  Receiver& operator=(const Receiver&) = delete;

  void SetSegment(Segment mine) { segment_ = mine; }

  // Before the process ends: takes the acknowledgements of a datagram and
  // acknowledges its records, which nobody will handle. Allocates nothing.
  // Null: dropped.
  Channel* AcceptUnhandled(MutableBytes datagram, int64_t now);

  Arrival Accept(MutableBytes datagram, am::Lanes lanes, int64_t now,
                 const am::HandlerTable& handlers);

  // Takes in acknowledgements that arrived at `now`. Whether there may be room
  // in the channel's windows.
  bool TakeAcks(Channel& channel, const LaneAcks& acks, int64_t now);

  // A request that was kept; `messages` is 0 when there is none.
  Delivery NextKept();
  bool HasKept() const { return kept_ != nullptr || ready_ != nullptr; }
  // After its handlers have run.
  void Finish(const Delivery& delivery);

 private:
  bool Open(MutableBytes datagram, Header& header);
  void Note(Channel& channel, const Header& header);
  // Messages in the packet, all checked; 0: dropped.
  unsigned CheckRecords(Rank source, MutableBytes packet,
                        const am::HandlerTable& handlers, Record& first);
  void CheckLong(Rank source, const Record& record) const;
  bool TakeRecords(Channel& channel, const Header& header, MutableBytes packet,
                   am::Lanes lanes, const am::HandlerTable& handlers,
                   Delivery& delivery);
  bool TakeMessages(Channel& channel, const Header& header, MutableBytes packet,
                    unsigned messages, const Record& first, am::Lanes lanes,
                    const am::HandlerTable& handlers, Delivery& delivery);
  bool TakePiece(Channel& channel, const Header& header, ConstBytes packet,
                 am::Lanes lanes, const am::HandlerTable& handlers,
                 Delivery& delivery);
  JoinedPacket* FindJoined(const Channel& channel, const Header& header,
                           const Piece& piece);
  bool TakeFragment(Channel& channel, const Header& header, Record fragment,
                    am::Lanes lanes, const am::HandlerTable& handlers,
                    Delivery& delivery);
  bool Keep(const Header& header, MutableBytes packet, unsigned messages);
  void Owe(Channel& channel, const Header& header, int64_t now);
  Assembly** Find(Channel& channel, am::Lane lane, const Record& fragment);
  AssemblyStore& StoreOf(am::Lane lane) {
    return stores_[static_cast<size_t>(lane)];
  }
  PieceStore& PiecesOf(am::Lane lane) {
    return pieces_[static_cast<size_t>(lane)];
  }

  const Options& options_;
  const PathSizes& sizes_;
  const Seal& seal_;
  ChannelTable& channels_;
  PacketPool& pool_;
  Statistics& statistics_;
  Segment segment_;
  std::array<AssemblyStore, am::kLanes> stores_;
  std::array<PieceStore, am::kLanes> pieces_;
  PacketPool kept_pool_;
  bool packet_next_ = true;  // of those that are kept
  Packet* kept_ = nullptr;   // requests of one packet, oldest first
  Packet** kept_end_ = &kept_;
  Assembly* ready_ = nullptr;  // complete requests, oldest first
  Assembly** ready_end_ = &ready_;
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_RECEIVER_H_
