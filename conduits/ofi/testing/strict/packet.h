// A packet between processes that use the strict provider. The core provider
// carries it. It has this header, and then the bytes of a send, a write, or an
// answer to a read.
#ifndef CONDUITS_OFI_TESTING_STRICT_PACKET_H_
#define CONDUITS_OFI_TESTING_STRICT_PACKET_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace gasnet::ofi::strict {

enum class PacketKind : uint32_t {
  kSend,
  kWrite,
  kRead,
  kDone,  // answer: a send or a write is in place
  kData,  // answer: the bytes that were read
};

inline constexpr uint64_t kMagic = 0x7374726963740001;
inline constexpr size_t kMaxName = 32;

struct Header {
  uint64_t magic = kMagic;
  PacketKind kind = PacketKind::kSend;
  uint32_t name_size = 0;
  std::array<char, kMaxName> name = {};  // the sender's name
  // the initiator's number of the operation
  uint64_t operation = 0;
  // The numbers of sends and writes that the initiator had posted to this
  // target before this operation.
  uint64_t sends_before = 0;
  uint64_t writes_before = 0;
  // The memory to access at the target.
  uint64_t address = 0;
  uint64_t key = 0;
  uint64_t nbytes = 0;
  uint32_t delivery = 0;  // the initiator waits for kDone
  uint32_t fenced = 0;    // earlier operations must be in place first

  std::string source() const { return {name.data(), name_size}; }
};

}  // namespace gasnet::ofi::strict

#endif  // CONDUITS_OFI_TESTING_STRICT_PACKET_H_
