// Takes datagrams in: the tag is checked, the header is heeded, and contents
// that are new are given to the layer above. Either it takes them, and they are
// registered and will be acknowledged; or it has no room, and they count as
// lost on their way. Acknowledgements are taken in by a call of their own,
// before or after that. Everything else than a packet of this job for this rank
// is dropped and counted. Under the lock of the channels.
#ifndef CORE_DATAGRAM_PACKET_RECEIVER_H_
#define CORE_DATAGRAM_PACKET_RECEIVER_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/datagram/channel_options.h"
#include "core/datagram/channel_table.h"
#include "core/datagram/packet.h"
#include "core/datagram/packet_pool.h"
#include "core/datagram/path_size.h"
#include "core/datagram/pieces.h"
#include "core/datagram/seal.h"
#include "core/datagram/statistics.h"
#include "core/lane.h"

namespace gasnet::datagram {

// The outcome of a datagram.
struct Arrival {
  Channel* channel = nullptr;  // null: it was dropped
  Header header = {};          // its acks are for TakeAcks, now or soon
  // New, with the place of a header in front of the contents, and perhaps
  // padding behind them; empty: there is nothing to take. In the datagram, or
  // joined from pieces.
  MutableBytes packet;
  // Where it was: to be released, whether the packet is taken or refused.
  JoinedPacket* joined = nullptr;
};

class PacketReceiver {
 public:
  PacketReceiver(const ChannelOptions& options, const PathSizes& sizes,
                 const Seal& seal, ChannelTable& channels, PacketPool& pool,
                 Statistics& statistics);

  Arrival Accept(MutableBytes datagram, int64_t now);
  // The arrival's packet was taken.
  void Register(const Arrival& arrival, int64_t now);
  // A joined packet is not looked at any more.
  void Release(JoinedPacket* joined, Lane lane) {
    PiecesOf(lane).Release(joined);
  }

  // Before the process ends: takes the acknowledgements of a datagram and
  // registers its contents, which nobody will look at. Allocates nothing.
  // Null: dropped.
  Channel* AcceptUnhandled(MutableBytes datagram, int64_t now);

  // Takes in acknowledgements that arrived at `now`. Whether there may be room
  // in the channel's windows.
  bool TakeAcks(Channel& channel, const LaneAcks& acks, int64_t now);

 private:
  bool Open(MutableBytes datagram, Header& header);
  void Note(Channel& channel, const Header& header);
  void Join(ConstBytes datagram, Arrival& arrival);
  JoinedPacket* FindJoined(const Channel& channel, const Header& header,
                           const Piece& piece);
  void Owe(Channel& channel, const Header& header, int64_t now);
  PieceStore& PiecesOf(Lane lane) { return pieces_[static_cast<size_t>(lane)]; }

  const ChannelOptions& options_;
  const PathSizes& sizes_;
  const Seal& seal_;
  ChannelTable& channels_;
  PacketPool& pool_;
  Statistics& statistics_;
  std::array<PieceStore, kLanes> pieces_;
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_PACKET_RECEIVER_H_
