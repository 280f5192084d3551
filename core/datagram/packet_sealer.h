// Completes packets for the port. It adds the header with the acknowledgements
// of both lanes, and the tag. It pads a packet that proves a size, and encrypts
// the contents if the job asks for encryption. It cuts a packet that is too
// large for its path into pieces. Each sealed datagram has its own counter
// value, and so its own nonce. Called under the lock of the channels.
//
// Gathered or encrypted bytes go to scratch memory. The packet stays unchanged,
// since it may have to be sent again. Lent memory that is sent again is also
// copied to scratch memory. Otherwise a client that keeps changing the memory
// would make every tag wrong.
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

  // Frees the scratch memory. Called before each call of the port, when the
  // datagrams of the previous call have been read. A call has at most
  // kMaxAtOnce datagrams, with at most kBytesAtOnce bytes in all. A single
  // datagram may be larger.
  void Restart() { scratch_used_ = 0; }

  // Completes a packet. `asks` tells the peer to acknowledge at once.
  Outgoing Complete(Channel& channel, Lane lane, Packet& packet, bool asks);
  // Completes a packet that has no contents and only carries acknowledgements.
  void CompleteAck(const Channel& channel, std::span<std::byte> packet);

  // Returns true if the packet will be padded, to prove a size.
  bool IsToProve(Channel& channel, Lane lane, const Packet& packet) {
    return SizeToTry(channel, lane, packet) > 0;
  }

  // Cuts a packet that is too large. Returns the number of its pieces. Each one
  // must then be completed with CompletePiece().
  size_t CutIntoPieces(Packet& packet);
  Outgoing CompletePiece(Channel& channel, Lane lane, const Packet& packet,
                         size_t index);

 private:
  PacketHeader HeaderTo(const Channel& channel);
  PacketHeader HeaderOf(Channel& channel, Lane lane, const Packet& packet,
                        bool asks);
  // Returns the size to which the packet is padded, to prove that size, or 0 if
  // it is not padded.
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
  // Returns the length of the pieces into which packets are cut.
  size_t PieceLength() const { return PieceBytes(sizes_.least()); }

  const ChannelOptions& options_;
  const PathSizes& sizes_;
  const Seal& seal_;
  const ChannelTable& channels_;
  // Scratch memory for the datagrams of one call. Its pages are not touched
  // until needed.
  const std::unique_ptr<std::byte[]> scratch_;
  size_t scratch_used_ = 0;
  // Holds a packet that is padded or cut into pieces.
  const std::unique_ptr<std::byte[]> padded_;
  uint64_t counter_;
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_PACKET_SEALER_H_
