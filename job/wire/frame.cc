#include "job/wire/frame.h"

#include <algorithm>

#include "job/wire/wire.h"

namespace gasnet::job {
namespace {

constexpr std::string_view kMagic = "GJ";

}  // namespace

FrameHeader EncodeFrameHeader(FrameType type, uint32_t payload_bytes) {
  FrameHeader header;
  std::copy(kMagic.begin(), kMagic.end(), header.begin());
  StoreLittleEndian(static_cast<uint16_t>(type), &header[2], 2);
  StoreLittleEndian(payload_bytes, &header[4], 4);
  return header;
}

std::string EncodeFrame(FrameType type, std::string_view payload) {
  const FrameHeader header = EncodeFrameHeader(type, payload.size());
  std::string frame;
  frame.reserve(header.size() + payload.size());
  frame.append(header.data(), header.size());
  return frame.append(payload);
}

void FrameReader::Append(std::string_view bytes) {
  if (bad_) return;
  buffer_.erase(0, consumed_);
  consumed_ = 0;
  buffer_ += bytes;
}

FrameReader::Result FrameReader::Next(Frame& frame) {
  if (bad_) return Result::kBad;
  if (unread().size() < kFrameHeaderBytes) return Result::kNeedMore;
  WireReader in(unread());
  const bool is_frame = in.Raw(kMagic.size()) == kMagic;
  const uint16_t type = in.U16();
  const uint32_t length = in.U32();
  if (!is_frame || !limits_.Accepts(type, length)) {
    bad_ = true;
    buffer_ = {};
    consumed_ = 0;
    return Result::kBad;
  }
  if (in.remaining() < length) return Result::kNeedMore;
  frame = {static_cast<FrameType>(type), in.Raw(length)};
  consumed_ += kFrameHeaderBytes + length;
  return Result::kFrame;
}

}  // namespace gasnet::job
