// Completes packets for the port: the header, with the acknowledgements of both
// lanes; padding, where it may prove a size; the tag or the cipher. A packet
// that is too large for its path is cut into pieces. All that is sealed has a
// counter of its own, and so a nonce. Under the lock of the channels.
//
// Bytes that are put together or encrypted go to scratch memory: the packet may
// have to be sent again, so it stays as it is. So does lent memory that is sent
// again: if it changes all the time, its tag may have been of other bytes than
// the port read, and would be so each time.
#ifndef CORE_DATAGRAM_PACKET_SEALER_H_
#define CORE_DATAGRAM_PACKET_SEALER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/datagram/channel.h"
#include "core/datagram/channel_options.h"
#include "core/datagram/channel_table.h"
#include "core/datagram/packet.h"
#include "core/datagram/packet_pool.h"
#include "core/datagram/path_size.h"
#include "core/datagram/port.h"
#include "core/datagram/seal.h"
#include "core/lane.h"

namespace gasnet::datagram {

class PacketSealer {
 public:
  PacketSealer(const ChannelOptions& options, const PathSizes& sizes,
               const Seal& seal, const ChannelTable& channels);

  // Before the datagrams of a call of the port: those of the call before have
  // been read. A call has kMostAtOnce datagrams at most, and no more than
  // kBytesAtOnce bytes, or one datagram.
  void Restart() { scratch_used_ = 0; }

  // asks: the peer is to acknowledge at once.
  Outgoing Complete(Channel& channel, Lane lane, Packet& packet, bool asks);
  // A packet without contents, for its acknowledgements.
  void CompleteAck(const Channel& channel, std::span<std::byte> packet);

  // Whether the packet, completed, is to prove a size.
  bool IsToProve(Channel& channel, Lane lane, const Packet& packet) {
    return SizeToTry(channel, lane, packet) > 0;
  }

  // A packet that is too large goes in so many pieces, each of them completed
  // next.
  size_t CutIntoPieces(Packet& packet);
  Outgoing CompletePiece(Channel& channel, Lane lane, const Packet& packet,
                         size_t index);

 private:
  Header HeaderTo(const Channel& channel);
  Header HeaderOf(Channel& channel, Lane lane, const Packet& packet, bool asks);
  // The size that the packet is padded to, so that it proves a size; 0: none.
  size_t SizeToTry(Channel& channel, Lane lane, const Packet& packet) {
    return packet.transmissions > 0
               ? 0
               : channel.path.PadTo(sizes_, lane, packet.sequence,
                                    packet.size());
  }
  std::byte* TakeScratch(size_t bytes);
  Outgoing Encrypt(const Outgoing& plain);
  Outgoing SignInOnePlace(const Outgoing& plain);
  [[gnu::cold, gnu::noinline]] Outgoing SealPadded(const Outgoing& packet,
                                                   size_t bytes);
  // Of a packet that is too large.
  size_t PieceLength() const { return PieceBytes(sizes_.least()); }

  const ChannelOptions& options_;
  const PathSizes& sizes_;
  const Seal& seal_;
  const ChannelTable& channels_;
  // For what is handed over at once; never touched while nothing needs it.
  const std::unique_ptr<std::byte[]> scratch_;
  size_t scratch_used_ = 0;
  // A packet that is padded, or taken to pieces.
  const std::unique_ptr<std::byte[]> padded_;
  uint64_t counter_ = 0;
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_PACKET_SEALER_H_
