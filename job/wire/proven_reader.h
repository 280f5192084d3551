// Reads frames of a connection that any process may have made. The first frame,
// of any type (HELLO, MEMBER), proves that the connection belongs to the job:
//
//   frame header   version: 32 bit   proof   ...
//
// Until the proof has been verified, Appetite() admits no byte beyond the
// proof. So a stranger costs only these few bytes, even if it announces a long
// frame. The owner of the connection must never read more than Appetite() bytes
// from the connection.
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

  // The value of Appetite() for a new connection.
  static constexpr size_t kFirstBytes =
      kFrameHeaderBytes + sizeof(uint32_t) + Secret::kProofBytes;

  // limits: the limits of the first frame.
  ProvenReader(const FrameLimits& limits, const Secret& secret)
      : frames_(limits), secret_(secret) {}

  // Returns the maximum number of bytes that may be read now. Never returns 0
  // before Next has returned kBad or kWrongProof.
  size_t Appetite() const;

  // Append() and Next() work like those of FrameReader. No frame follows kBad
  // or kWrongProof.
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
