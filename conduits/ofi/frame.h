// The header of a frame. A frame is one send over the fabric: this header, then
// records of messages (core/am/records.h). Numbers are little-endian.
//
//    0  cookie that identifies the job, 32 bits
//    4  rank that sent the frame, 32 bits
//    8  lane of the records, 8 bits
//    9  1 if the frame is a mark, or else 0, 8 bits
//   10  0, 16 bits
//   12  credit given back for requests, in units, 16 bits
//   14  credit given back for replies, in units, 16 bits
//
// A frame without records costs no credit, unless it is a mark. A mark costs as
// much as the smallest frame. The completion of a mark shows that the frames
// before it have left (injected.h).
//
// The cookie does not authenticate the sender. It only guards against frames
// that a foreign program or a previous job has sent to the same address. All
// other fields of a frame are checked in any case.
#ifndef CONDUITS_OFI_FRAME_H_
#define CONDUITS_OFI_FRAME_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/little_endian.h"
#include "core/am/credit.h"
#include "core/lane.h"
#include "core/rank.h"

namespace gasnet::ofi {

inline constexpr size_t kFrameHeaderBytes = 16;

struct FrameHeader {
  uint32_t cookie = 0;
  Rank source = 0;
  Lane lane = Lane::kRequest;
  std::array<am::CreditUnits, kLanes> given_back = {};
  bool is_mark = false;

  void Encode(std::byte* frame) const {
    StoreNumber(frame, cookie);
    StoreNumber(frame + 4, source);
    StoreNumber(frame + 8, static_cast<uint8_t>(lane));
    StoreNumber(frame + 9, static_cast<uint8_t>(is_mark));
    StoreNumber(frame + 10, uint16_t{0});
    StoreNumber(frame + 12, given_back[0]);
    StoreNumber(frame + 14, given_back[1]);
  }

  // Decodes any bytes. Returns nullopt if the bytes are too few or are not a
  // valid frame header.
  static std::optional<FrameHeader> Decode(std::span<const std::byte> frame) {
    if (frame.size() < kFrameHeaderBytes) return std::nullopt;
    const auto lane = LoadNumber<uint8_t>(&frame[8]);
    const auto mark = LoadNumber<uint8_t>(&frame[9]);
    const auto rest = LoadNumber<uint16_t>(&frame[10]);
    if (lane >= kLanes || mark > 1 || rest != 0) return std::nullopt;
    if (mark != 0 && frame.size() != kFrameHeaderBytes) return std::nullopt;
    return FrameHeader{LoadNumber<uint32_t>(&frame[0]),
                       LoadNumber<uint32_t>(&frame[4]),
                       static_cast<Lane>(lane),
                       {LoadNumber<am::CreditUnits>(&frame[12]),
                        LoadNumber<am::CreditUnits>(&frame[14])},
                       mark != 0};
  }
};

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_FRAME_H_
