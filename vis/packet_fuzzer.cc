// A libFuzzer target: takes arbitrary bytes as a packet of a put or a get in
// pieces. If the packet passes the checks, it is executed. The packet may touch
// only the segment. The segment lies between inaccessible pages.
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "vis/packet.h"

namespace {

// The address is fixed, so the corpus may contain addresses. Sanitizers do not
// use this address.
constexpr uintptr_t kBase = 0x7ea000000000;
constexpr size_t kSize = 64 << 10;
constexpr size_t kPage = 4096;
constexpr size_t kDataRoom = 8192;

gasnet::Segment MakeSegment() {
  auto* const wanted = reinterpret_cast<void*>(kBase - kPage);
  void* const all =
      mmap(wanted, kSize + 2 * kPage, PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (all != wanted) abort();
  if (mprotect(reinterpret_cast<void*>(kBase), kSize, PROT_READ | PROT_WRITE)) {
    abort();
  }
  return {kBase, kSize};
}

}  // namespace

// In the first byte, the lowest bit is set for a put.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const gasnet::Segment segment = MakeSegment();
  if (size == 0) return 0;
  const bool puts = (data[0] & 1) != 0;
  const std::vector<std::byte> bytes(
      reinterpret_cast<const std::byte*>(data) + 1,
      reinterpret_cast<const std::byte*>(data) + size);
  gasnet::vis::VisPacket packet(bytes, puts);
  if (packet.Check(segment, kDataRoom).why != nullptr) return 0;
  if (puts) {
    packet.Scatter();
    return 0;
  }
  if (packet.data() > kDataRoom) abort();
  // The buffer is exactly as long as the reply. So a sanitizer detects one byte
  // too many.
  std::vector<std::byte> reply(packet.data());
  packet.GatherTo(reply.data());
  return 0;
}
