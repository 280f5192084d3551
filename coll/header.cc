#include "coll/header.h"

namespace gasnet::coll {
namespace {

constexpr uint32_t kKindShift = 8;
constexpr uint32_t kPhaseShift = 4;

uint64_t Join(int32_t low, int32_t high) {
  return uint64_t{static_cast<uint32_t>(high)} << 32 |
         static_cast<uint32_t>(low);
}
int32_t Low(uint64_t value) { return static_cast<int32_t>(value); }
int32_t High(uint64_t value) { return static_cast<int32_t>(value >> 32); }

}  // namespace

HeaderWords Pack(const Header& header) {
  const uint32_t what = static_cast<uint32_t>(header.type) |
                        uint32_t{header.phase} << kPhaseShift |
                        static_cast<uint32_t>(header.terms.kind) << kKindShift |
                        uint32_t{header.team} << 16;
  const uint32_t state = uint32_t{header.base} | uint32_t{header.terms.modes}
                                                     << 16;
  return {static_cast<int32_t>(what),
          static_cast<int32_t>(state),
          static_cast<int32_t>(header.number),
          static_cast<int32_t>(header.key),
          static_cast<int32_t>(header.terms.nbytes),
          static_cast<int32_t>(header.terms.root),
          Low(header.value),
          High(header.value),
          Low(header.landing),
          High(header.landing)};
}

std::optional<Header> Unpack(const int32_t* words, size_t count) {
  const auto what = static_cast<uint32_t>(words[0]);
  const auto state = static_cast<uint32_t>(words[1]);
  const uint32_t type = what & 0xf;
  const uint32_t kind = what >> kKindShift & 0xff;
  if (type >= kMessageTypes || kind >= kKinds || state >> 24 != 0) {
    return std::nullopt;
  }
  Header header;
  header.type = static_cast<MessageType>(type);
  header.phase = what >> kPhaseShift & 0xf;
  header.team = static_cast<uint16_t>(what >> 16);
  header.base = static_cast<uint16_t>(state);
  header.number = static_cast<uint32_t>(words[2]);
  header.key = static_cast<uint32_t>(words[3]);
  header.terms = {.kind = static_cast<Kind>(kind),
                  .modes = static_cast<uint8_t>(state >> 16),
                  .root = static_cast<uint32_t>(words[5]),
                  .nbytes = static_cast<uint32_t>(words[4])};
  if (count >= kLongHeaderWords) {
    header.value = Join(words[6], words[7]);
    header.landing = Join(words[8], words[9]);
  }
  return header;
}

}  // namespace gasnet::coll
