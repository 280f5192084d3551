#include "job/wire/messages.h"

#include <algorithm>

#include "job/wire/limits.h"
#include "job/wire/wire.h"
#include "job/wire/wire_lists.h"

namespace gasnet::job {
namespace {

constexpr size_t kMaxWhyBytes = 4096;
constexpr size_t kMaxHelloBytes = 64 + kMaxConfigBytes;
constexpr size_t kMaxWelcomeBytes = kMaxEnvironmentBytes + 8 * kMaxNodes + 64;
constexpr size_t kSequenceBytes = 4;
constexpr size_t kMaxLeftBytes = 4 + 4 * size_t{kMaxNodes};

}  // namespace

bool IsHostList(const std::vector<uint32_t>& host_of, size_t hosts) {
  uint32_t seen = 0;
  for (const uint32_t host : host_of) {
    if (host > seen) return false;
    if (host == seen) ++seen;
  }
  return seen == hosts && seen > 0;
}

std::string EncodeHello(const Hello& hello) {
  WireWriter out;
  out.U32(hello.version);
  out.Raw(hello.proof);
  out.U32(hello.rank);
  out.U32(hello.pid);
  out.Text(hello.config);
  return EncodeFrame(FrameType::kHello, out.Take());
}

bool DecodeHello(std::string_view payload, Hello& hello) {
  WireReader in(payload);
  hello.version = in.U32();
  hello.proof = in.Raw(Secret::kProofBytes);
  if (hello.version != kProtocolVersion) return in.ok();
  hello.rank = in.U32();
  hello.pid = in.U32();
  hello.config = in.Text(kMaxConfigBytes);
  return in.Complete();
}

std::string EncodeWelcome(const Welcome& welcome) {
  WireWriter out;
  WriteNumbers(out, welcome.host_of);
  WriteNumbers(out, welcome.host_cpus);
  WriteTexts(out, welcome.environment);
  return EncodeFrame(FrameType::kWelcome, out.Take());
}

bool DecodeWelcome(std::string_view payload, Welcome& welcome) {
  WireReader in(payload);
  welcome.host_of = ReadNumbers(in, kMaxNodes);
  welcome.host_cpus = ReadNumbers(in, kMaxNodes);
  welcome.environment = ReadTexts(in, kMaxEnvironmentBytes);
  return in.Complete() && IsHostList(welcome.host_of, welcome.host_cpus.size());
}

std::string EncodeGather(FrameType type, const GatherPart& part) {
  WireWriter out;
  out.U32(part.sequence);
  out.Raw(part.bytes);
  return EncodeFrame(type, out.Take());
}

bool DecodeGather(std::string_view payload, GatherPart& part) {
  WireReader in(payload);
  part.sequence = in.U32();
  part.bytes = in.Raw(in.remaining());
  return in.Complete();
}

ExitFrame EncodeExit(int32_t code) {
  const FrameHeader header =
      EncodeFrameHeader(FrameType::kExit, sizeof(int32_t));
  ExitFrame frame;
  std::copy(header.begin(), header.end(), frame.begin());
  StoreLittleEndian(static_cast<uint32_t>(code), &frame[header.size()],
                    sizeof(int32_t));
  return frame;
}

bool DecodeExit(std::string_view payload, int32_t& code) {
  WireReader in(payload);
  code = static_cast<int32_t>(in.U32());
  return in.Complete();
}

std::string EncodeEnd(const End& end) {
  WireWriter out;
  out.U32(static_cast<uint32_t>(end.code));
  out.Text(end.why.substr(0, kMaxWhyBytes));
  return EncodeFrame(FrameType::kEnd, out.Take());
}

bool DecodeEnd(std::string_view payload, End& end) {
  WireReader in(payload);
  end.code = static_cast<int32_t>(in.U32());
  end.why = in.Text(kMaxWhyBytes);
  return in.Complete();
}

std::string EncodeAskPolls() { return EncodeFrame(FrameType::kAskPolls, ""); }

std::string EncodeAskStatistics() {
  return EncodeFrame(FrameType::kAskStatistics, "");
}

std::string EncodeLeft(const std::vector<uint32_t>& ranks) {
  WireWriter out;
  WriteNumbers(out, ranks);
  return EncodeFrame(FrameType::kLeft, out.Take());
}

bool DecodeLeft(std::string_view payload, std::vector<uint32_t>& ranks) {
  WireReader in(payload);
  ranks = ReadNumbers(in, kMaxNodes);
  return in.Complete();
}

const FrameLimits& LimitsBeforeHello() {
  static constexpr FrameLimits kLimits =
      FrameLimits().Allow(FrameType::kHello, kMaxHelloBytes);
  return kLimits;
}

const FrameLimits& LimitsAfterHello() {
  static constexpr FrameLimits kLimits =
      FrameLimits()
          .Allow(FrameType::kGather, kSequenceBytes + kMaxGatherBytes)
          .Allow(FrameType::kExit, sizeof(int32_t))
          .Allow(FrameType::kStatistics, kMaxStatisticsBytes);
  return kLimits;
}

const FrameLimits& LimitsBeforeWelcome() {
  static constexpr FrameLimits kLimits =
      FrameLimits()
          .Allow(FrameType::kWelcome, kMaxWelcomeBytes)
          .Allow(FrameType::kEnd, 8 + kMaxWhyBytes);
  return kLimits;
}

const FrameLimits& LimitsAfterWelcome() {
  static constexpr FrameLimits kLimits =
      FrameLimits()
          .Allow(FrameType::kGathered,
                 kSequenceBytes + size_t{kMaxNodes} * kMaxGatherBytes)
          .Allow(FrameType::kLeft, kMaxLeftBytes)
          .Allow(FrameType::kAskPolls, 0)
          .Allow(FrameType::kAskStatistics, 0)
          .Allow(FrameType::kEnd, 8 + kMaxWhyBytes);
  return kLimits;
}

}  // namespace gasnet::job
