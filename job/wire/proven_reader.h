// Frames of a connection that anybody may have made. The first frame proves
// such a connection, whatever its type is (HELLO, MEMBER):
//
//   frame header   version: 32 bit   proof   ...
//
// Until the proof has been seen and is right, Appetite() admits no byte behind
// it, so a stranger costs these few bytes, whatever length it announces. The
// owner of the connection never reads more than that from it.
#ifndef JOB_WIRE_PROVEN_READER_H_
#define JOB_WIRE_PROVEN_READER_H_

#include <cstddef>
#include <string_view>

#include "job/wire/frame.h"
#include "job/wire/secret.h"

namespace gasnet::job {

class ProvenReader {
 public:
  enum class Result { kFrame, kNeedMore, kBad, kWrongProof };

  // Of a connection from which nothing has been read.
  static constexpr size_t kFirstBytes =
      kFrameHeaderBytes + sizeof(uint32_t) + Secret::kProofBytes;

  // `limits`: for the first frame.
  ProvenReader(const FrameLimits& limits, const Secret& secret)
      : frames_(limits), secret_(secret) {}

  // How many bytes may be read now, at most; never 0 before kBad or
  // kWrongProof.
  size_t Appetite() const;

  // As those of FrameReader. After kBad or kWrongProof nothing comes any more.
  void Append(std::string_view bytes) { frames_.Append(bytes); }
  Result Next(Frame& frame);
  void SetLimits(const FrameLimits& limits) { frames_.SetLimits(limits); }
  bool InMiddle() const { return frames_.InMiddle(); }

 private:
  Result CheckProof(std::string_view first_bytes, Result if_right);

  FrameReader frames_;
  const Secret secret_;
  bool is_proven_ = false;
};

}  // namespace gasnet::job

#endif  // JOB_WIRE_PROVEN_READER_H_
