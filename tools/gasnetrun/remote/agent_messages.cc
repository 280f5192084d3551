#include "tools/gasnetrun/remote/agent_messages.h"

#include <algorithm>

#include "job/wire/limits.h"
#include "job/wire/messages.h"
#include "job/wire/secret.h"
#include "job/wire/wire.h"
#include "job/wire/wire_lists.h"
#include "tools/gasnetrun/host_tree.h"

namespace gasnet::gasnetrun {
namespace {

using job::FrameLimits;
using job::FrameType;
using job::WireReader;
using job::WireWriter;

constexpr size_t kMaxPathBytes = 64 << 10;
constexpr size_t kMaxWordsBytes = 256 << 10;
constexpr size_t kMaxStartBytes = 2 * job::kMaxEnvironmentBytes +
                                  4 * size_t{job::kMaxNodes} +
                                  4 * kMaxPathBytes + 256;

enum StartOrderFlag : uint32_t {
  kTagOutput = 1,
  kOutTerminal = 2,
  kErrTerminal = 4
};

uint32_t FlagsOf(const StartOrder& order) {
  return (order.tag_output ? kTagOutput : 0u) |
         (order.to_terminal[0] ? kOutTerminal : 0u) |
         (order.to_terminal[1] ? kErrTerminal : 0u);
}

uint32_t HostCount(const std::vector<uint32_t>& host_of) {
  const auto last = std::max_element(host_of.begin(), host_of.end());
  return last == host_of.end() ? 0 : *last + 1;
}

bool MakesSense(const StartOrder& order, uint32_t flags, uint32_t binding) {
  return order.host < HostCount(order.host_of) &&
         job::IsHostList(order.host_of, HostCount(order.host_of)) &&
         flags <= (kTagOutput | kOutTerminal | kErrTerminal) &&
         binding <= static_cast<uint32_t>(Binding::kSpread) &&
         order.relays <= kMaxOutDegree && order.silence_millis > 0 &&
         order.mask <= 0777 && !order.program.empty() &&
         !order.arguments.empty();
}

}  // namespace

std::string EncodeAgentHello(const AgentHello& hello) {
  WireWriter out;
  out.U32(hello.version);
  out.U32(hello.cpus);
  return job::EncodeFrame(FrameType::kAgentHello, out.Take());
}

bool DecodeAgentHello(std::string_view payload, AgentHello& hello) {
  WireReader in(payload);
  hello.version = in.U32();
  if (hello.version != kAgentVersion) return in.ok();
  hello.cpus = in.U32();
  return in.Complete() && hello.cpus > 0;
}

std::string EncodeStartOrder(const StartOrder& order) {
  WireWriter out;
  out.Raw(order.secret);
  out.U32(order.host);
  job::WriteNumbers(out, order.host_of);
  out.U32(order.relays);
  out.U32(order.silence_millis);
  out.U32(order.mask);
  out.U32(static_cast<uint32_t>(order.binding));
  out.U32(FlagsOf(order));
  for (const std::string* text : {&order.program, &order.fingerprint,
                                  &order.directory, &order.remote_path}) {
    out.Text(*text);
  }
  job::WriteTexts(out, order.arguments);
  job::WriteTexts(out, order.environment);
  return job::EncodeFrame(FrameType::kStart, out.Take());
}

bool DecodeStartOrder(std::string_view payload, StartOrder& order) {
  WireReader in(payload);
  order.secret = in.Raw(job::Secret::kBytes);
  order.host = in.U32();
  order.host_of = job::ReadNumbers(in, job::kMaxNodes);
  order.relays = in.U32();
  order.silence_millis = in.U32();
  order.mask = in.U32();
  const uint32_t binding = in.U32();
  const uint32_t flags = in.U32();
  for (std::string* text : {&order.program, &order.fingerprint,
                            &order.directory, &order.remote_path}) {
    *text = in.Text(kMaxPathBytes);
  }
  order.arguments = job::ReadTexts(in, job::kMaxEnvironmentBytes);
  order.environment = job::ReadTexts(in, job::kMaxEnvironmentBytes);
  order.binding = static_cast<Binding>(binding);
  order.tag_output = (flags & kTagOutput) != 0;
  order.to_terminal = {(flags & kOutTerminal) != 0,
                       (flags & kErrTerminal) != 0};
  return in.Complete() && MakesSense(order, flags, binding);
}

std::string EncodeWords(const std::vector<std::string>& words) {
  WireWriter out;
  job::WriteTexts(out, words);
  return out.Take();
}

bool DecodeWords(std::string_view bytes, std::vector<std::string>& words) {
  WireReader in(bytes);
  words = job::ReadTexts(in, kMaxWordsBytes);
  return in.Complete() && !words.empty();
}

const FrameLimits& LimitsBeforeAgentHello() {
  static constexpr FrameLimits kLimits =
      FrameLimits()
          .Allow(FrameType::kAgentHello, 1024)
          .Allow(FrameType::kAgentFailed, kNoteBytes + job::kMaxReasonBytes);
  return kLimits;
}

const FrameLimits& LimitsAfterAgentHello() {
  static const FrameLimits kLimits =
      job::RankReportLimits()
          .Allow(FrameType::kRankOutput, kNoteBytes + kMaxOutputBytes)
          .Allow(FrameType::kDrained, kNoteBytes)
          .Allow(FrameType::kInputTaken, kNoteBytes)
          .Allow(FrameType::kRelayData, kNoteBytes + kRelayWindow)
          .Allow(FrameType::kRelayTaken, kNoteBytes)
          .Allow(FrameType::kRelaySaid, kNoteBytes + kMaxSaidBytes)
          .Allow(FrameType::kRelayEnded, kNoteBytes + kMaxSaidBytes)
          .Allow(FrameType::kBeat, kNoteBytes);
  return kLimits;
}

const FrameLimits& LimitsBeforeStart() {
  static constexpr FrameLimits kLimits =
      FrameLimits()
          .Allow(FrameType::kStart, kMaxStartBytes)
          .Allow(FrameType::kBeat, kNoteBytes);
  return kLimits;
}

const FrameLimits& LimitsAfterStart() {
  static const FrameLimits kLimits =
      job::RankOrderLimits()
          .Allow(FrameType::kPause, kNoteBytes)
          .Allow(FrameType::kContinue, kNoteBytes)
          .Allow(FrameType::kReading, kNoteBytes)
          .Allow(FrameType::kOutputTaken, kNoteBytes)
          .Allow(FrameType::kInput, kNoteBytes + kMaxInputBytes)
          .Allow(FrameType::kRelayStart, kNoteBytes + kMaxWordsBytes)
          .Allow(FrameType::kRelayData, kNoteBytes + kRelayWindow)
          .Allow(FrameType::kRelayTaken, kNoteBytes)
          .Allow(FrameType::kRelayKill, kNoteBytes)
          .Allow(FrameType::kBeat, kNoteBytes);
  return kLimits;
}

}  // namespace gasnet::gasnetrun
