// Receives datagrams: checks the tag, processes the header, and passes new
// contents to the layer above. If that layer accepts them, the packet is
// registered and will be acknowledged. If it has no room, the packet counts as
// lost in the network. Acknowledgements are processed by a separate call,
// before or after the contents. A datagram that is not a packet of this job for
// this rank is dropped and counted. Called under the lock of the channels.
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

// The result of receiving one datagram.
struct ReceivedDatagram {
  Channel* channel = nullptr;  // null if the datagram was dropped
  PacketHeader header = {};    // pass its acks to TakeAcks(), now or soon
  // A new packet, or empty. Room for a header precedes the contents, and
  // padding may follow them. The packet is in the datagram, or joined from
  // pieces.
  MutableBytes packet;
  // The joined packet that holds `packet`, or null. It must be released even if
  // the packet is refused.
  JoinedPacket* joined = nullptr;
};

class PacketReceiver {
 public:
  PacketReceiver(const ChannelOptions& options, const PathSizes& sizes,
                 const Seal& seal, ChannelTable& channels, PacketPool& pool,
                 DatagramStatistics& statistics);

  ReceivedDatagram Accept(MutableBytes datagram, int64_t now);
  // Registers the arrival's packet as accepted.
  void Register(const ReceivedDatagram& arrival, int64_t now);
  // Releases a joined packet that is no longer used.
  void Release(JoinedPacket* joined, Lane lane) {
    PiecesOf(lane).Release(joined);
  }

  // Processes the acknowledgements of a datagram and registers its contents
  // unread, because the process is about to end. Allocates nothing. Returns
  // null if the datagram is dropped.
  Channel* AcceptUnhandled(MutableBytes datagram, int64_t now);

  // Processes acknowledgements that arrived at `now`. Returns true if there may
  // be room in the channel's windows.
  bool TakeAcks(Channel& channel, const LaneAcks& acks, int64_t now);

 private:
  bool Open(MutableBytes datagram, PacketHeader& header);
  void Note(Channel& channel, const PacketHeader& header);
  void Join(ConstBytes datagram, ReceivedDatagram& arrival);
  JoinedPacket* FindJoined(const Channel& channel, const PacketHeader& header,
                           const Piece& piece);
  void Owe(Channel& channel, const PacketHeader& header, int64_t now);
  PieceStore& PiecesOf(Lane lane) { return pieces_[static_cast<size_t>(lane)]; }

  const ChannelOptions& options_;
  const PathSizes& sizes_;
  const Seal& seal_;
  ChannelTable& channels_;
  PacketPool& pool_;
  DatagramStatistics& statistics_;
  std::array<PieceStore, kLanes> pieces_;
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_PACKET_RECEIVER_H_
