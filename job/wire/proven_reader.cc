#include "job/wire/proven_reader.h"

#include <limits>

namespace gasnet::job {

size_t ProvenReader::Appetite() const {
  if (is_proven_) return std::numeric_limits<size_t>::max();
  return kFirstBytes - frames_.unread().size();
}

ProvenReader::Result ProvenReader::Next(Frame& frame) {
  const std::string_view first = frames_.unread().substr(0, kFirstBytes);
  switch (frames_.Next(frame)) {
    case FrameReader::Result::kBad:
      return Result::kBad;
    case FrameReader::Result::kNeedMore:
      if (is_proven_ || first.size() < kFirstBytes) return Result::kNeedMore;
      return CheckProof(first, Result::kNeedMore);
    case FrameReader::Result::kFrame:
      if (is_proven_) return Result::kFrame;
      // The frame is too short to have a proof.
      if (kFrameHeaderBytes + frame.payload.size() < kFirstBytes) {
        return Result::kBad;
      }
      return CheckProof(first, Result::kFrame);
  }
  return Result::kBad;
}

ProvenReader::Result ProvenReader::CheckProof(std::string_view first_bytes,
                                              Result if_right) {
  const std::string_view proof =
      first_bytes.substr(kFirstBytes - Secret::kProofBytes);
  if (!secret_.Matches(proof)) return Result::kWrongProof;
  is_proven_ = true;
  return if_right;
}

}  // namespace gasnet::job
