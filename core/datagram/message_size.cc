#include "core/datagram/message_size.h"

#include <algorithm>

#include "base/log.h"
#include "base/round_up.h"
#include "core/am/fragment.h"
#include "core/am/records.h"
#include "core/am/tuning.h"
#include "core/datagram/packet.h"
#include "core/datagram/tuning.h"

namespace gasnet::datagram {
namespace {

// A datagram of this size passes every network. It has room for several times
// the arguments of a message.
constexpr size_t kMinDatagram = 512;

// Returns the payload size of a fragment that fills a datagram.
size_t ChunkOf(size_t datagram, am::Category category, unsigned num_args) {
  return (datagram - am::FragmentPayloadAt(kHeaderBytes, category, num_args)) /
         16 * 16;
}

}  // namespace

size_t MaxLong(const PathSizes& sizes) {
  if (sizes.least() < kMinDatagram) {
    Fatal("datagram endpoint: datagrams of %zu bytes; accepted: %zu and more",
          sizes.least(), kMinDatagram);
  }
  const size_t chunk = ChunkOf(sizes.most(), am::Category::kLong, am::kMaxArgs);
  return std::max(am::kMaxMedium, kDatagramsOfLong * chunk);
}

size_t WholeMedium(size_t datagram) {
  const auto layout = am::RecordLayout::Of(kHeaderBytes, am::Category::kMedium,
                                           am::kMaxArgs, 1);
  return std::min(am::kMaxMedium, (datagram - layout.payload_at) / 8 * 8);
}

size_t FragmentLength(const am::Message& message, size_t datagram) {
  const size_t most = ChunkOf(datagram, message.category, message.num_args);
  const size_t share = RoundUp(message.nbytes / kMinFragments, 16);
  return std::min(most, std::max(share, kMinPiece));
}

PacketPool::Counts LargestInBuffers(const PathSizes& sizes) {
  PacketPool::Counts least;
  for (unsigned step = 0; step <= sizes.top(); ++step) {
    const size_t chunk =
        ChunkOf(sizes[step], am::Category::kLong, am::kMaxArgs);
    size_t& count = sizes[step] <= kSmallBytes ? least.small : least.large;
    count = std::max(count, (MaxLong(sizes) + chunk - 1) / chunk);
  }
  return least;
}

}  // namespace gasnet::datagram
