// A fuzzer that decodes arbitrary bytes as the header and the body of a
// message. A message that passes the checks must lie within its body and the
// segment. An inaccessible page at the end of both catches any access beyond
// the end. Only a payload may be written.
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "conduits/portals/arrived.h"
#include "conduits/portals/header.h"
#include "conduits/portals/tuning.h"
#include "core/segment.h"

namespace gasnet::portals_conduit {
namespace {

// The address of the segment. It is fixed, so the corpus can contain addresses.
// Sanitizers do not use this address range.
constexpr uintptr_t kBase = 0x7ea100000000;
constexpr size_t kPage = 4096;
constexpr size_t kMaxBody = 2 * kPage;
constexpr size_t kHeaderBytes = 2 * sizeof(uint64_t);
constexpr uint64_t kUsedMatchBits = ~((uint64_t{1} << 24) - 1);

void Demand(bool holds) {
  if (!holds) abort();
}

// Maps memory between inaccessible pages.
std::byte* MapAt(uintptr_t at, size_t size) {
  auto* const wanted = reinterpret_cast<void*>(at - kPage);
  void* const all =
      mmap(wanted, size + 2 * kPage, PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  Demand(all == wanted);
  auto* const inside = reinterpret_cast<std::byte*>(at);
  Demand(mprotect(inside, size, PROT_READ | PROT_WRITE) == 0);
  return inside;
}

uint64_t Load(const uint8_t* at) {
  uint64_t value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// Reads all bytes. If the bytes exceed the memory, an inaccessible page ends
// the process.
void Touch(const std::byte* bytes, size_t nbytes) {
  volatile unsigned sum = 0;
  for (size_t i = 0; i < nbytes; ++i) {
    sum = sum + static_cast<unsigned>(bytes[i]);
  }
}

void CheckTaken(const Arrived& arrived, const std::byte* memory,
                const std::byte* body) {
  Demand(arrived.header.num_args <= am::kMaxArgs);
  if (arrived.nbytes == 0) return;
  Demand(arrived.header.shape != MessageShape::kShort);
  if (arrived.header.is_fetched) {
    Demand(arrived.nbytes <= kFetchedBytes);
    if (arrived.header.shape == MessageShape::kMedium) return;
  }
  const bool is_medium = arrived.header.shape == MessageShape::kMedium;
  const std::byte* const begin = is_medium ? body : memory;
  const size_t room = is_medium ? kMaxBody : kPage;
  Demand(arrived.payload >= begin && arrived.payload < begin + room);
  Touch(arrived.payload, arrived.nbytes);
}

}  // namespace
}  // namespace gasnet::portals_conduit

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace gasnet::portals_conduit;
  static std::byte* const memory = MapAt(kBase, kPage);
  static std::byte* const bodies = MapAt(kBase + 3 * kPage, kMaxBody);
  static std::byte before[kPage];
  if (size < kHeaderBytes || size - kHeaderBytes > kMaxBody) return 0;
  const size_t nbytes = size - kHeaderBytes;
  std::byte* const body = bodies + kMaxBody - nbytes;
  std::memcpy(body, data + kHeaderBytes, nbytes);
  const PortalsHeader header =
      PortalsHeader::Of(Load(data), Load(data + sizeof(uint64_t)));
  Demand(header.MatchBits() == (Load(data) & kUsedMatchBits));
  Demand(header.HeaderData() == Load(data + sizeof(uint64_t)));
  std::memcpy(before, memory, kPage);
  Arrived arrived;
  const gasnet::Segment segment = {kBase, kPage};
  const char* const why = Read(header, body, nbytes, segment, arrived);
  if (why == nullptr) {
    CheckTaken(arrived, memory, body);
    if (header.shape == MessageShape::kPackedLong && arrived.nbytes > 0) {
      std::memcpy(before + (arrived.payload - memory), arrived.payload,
                  arrived.nbytes);
    }
  } else {
    Demand(*why != '\0');
  }
  Demand(std::memcmp(before, memory, kPage) == 0);
  Demand(std::memcmp(body, data + kHeaderBytes, nbytes) == 0);
  return 0;
}
