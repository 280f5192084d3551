// Frames divide the byte stream of a control channel into messages.
//
//   'G' 'J'   type: 16 bit   payload length: 32 bit   payload
//
// FrameReader takes bytes in pieces of any size and returns frames. It stores
// only bytes that have arrived, so a false length costs no memory. FrameReader
// rejects the rest of the stream if a frame
// - does not begin with 'G' 'J',
// - has a type that the receiver does not accept at this point, or
// - is longer than its type permits.
#ifndef JOB_WIRE_FRAME_H_
#define JOB_WIRE_FRAME_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gasnet::job {

enum class FrameType : uint16_t {
  kHello = 1,     // rank to launcher: the rank's identity
  kWelcome = 2,   // launcher to rank: the ranks of the job
  kGather = 3,    // rank to launcher: the rank's part of an all-gather
  kGathered = 4,  // launcher to rank: all parts of the gather
  kExit = 5,      // rank to launcher: this rank ends the job
  kEnd = 6,       // launcher to rank: the job ends

  // Between a launcher and the agent on another host
  // (tools/gasnetrun/remote/agent_messages.h).
  kAgentHello = 7,   // agent: has started
  kStart = 8,        // launcher: start these ranks
  kAgentFailed = 9,  // agent: fails, and ends
  kStarted = 10,     // agent, up to kRankEnded: events of a rank
  kRankHello = 11,
  kRankGather = 12,
  kRankExit = 13,
  kRankClosed = 14,
  kRankOutput = 15,
  kRankEnded = 16,
  kDrained = 17,       // agent: no more output will come
  kToRanks = 18,       // launcher: a frame for every rank that has joined
  kEndRank = 19,       // launcher: the END for one rank
  kSignalGroups = 20,  // launcher, up to kFinish: requests
  kSignalRanks = 21,
  kPause = 22,
  kContinue = 23,
  kReading = 24,     // start or stop to accept output
  kInput = 25,       // standard input for rank 0
  kFinish = 26,      // kill remaining ranks and end
  kInputTaken = 27,  // agent: rank 0 has room for more input
  kFinished = 28,    // agent: no rank is left; its last message
  kBeat = 29,        // both: the sender is still alive

  // Between a job's head and its members (job/wire/member_messages.h). Head and
  // members also use frames of the agents.
  kMember = 30,        // member: its identity
  kPlace = 31,         // head: start your rank, with this memory
  kMemberSignal = 32,  // member: a signal asked the member to end the job
  kRelease = 33,       // head: end, with this code

  // Between a launcher and an agent that runs the ssh to another agent
  // (tools/gasnetrun/remote/relays.h).
  kRelayStart = 34,  // launcher: run this ssh
  kRelayData = 35,   // both: bytes of the ssh's stream
  kRelayTaken = 36,  // both: the peer may send this many further bytes
  kRelayKill = 37,   // launcher: kill the ssh
  kRelaySaid = 38,   // agent: a line of the ssh's standard error
  kRelayEnded = 39,  // agent: the ssh has ended; the last message

  kOutputTaken = 40,  // launcher to agent: more output is permitted

  kLeft = 41,  // launcher to rank: these ranks receive no more messages

  // The status of a job (job/status).
  kAskPolls = 42,    // launcher to rank: note the next poll
  kAskStatus = 43,   // supervisor to owner: report the ranks' status
  kRankStatus = 44,  // owner: the status of a rank

  // A rank sends its statistics (job/statistics) when the launcher asks for
  // them, and before its EXIT.
  kStatistics = 45,      // rank to launcher
  kRankStatistics = 46,  // owner of the rank to supervisor
  kAskStatistics = 47,   // launcher to rank: report the statistics now
};
inline constexpr size_t kFrameTypes = 48;
inline constexpr size_t kFrameHeaderBytes = 8;

// The largest payload that a receiver accepts in a frame of each type. The
// receiver refuses frames of types without an entry.
class FrameLimits {
 public:
  constexpr FrameLimits() { max_.fill(-1); }

  constexpr FrameLimits& Allow(FrameType type, size_t max_payload) {
    max_[static_cast<size_t>(type)] = max_payload;
    return *this;
  }

  constexpr bool Accepts(uint16_t type, size_t payload) const {
    return type < kFrameTypes && max_[type] >= 0 &&
           payload <= static_cast<uint64_t>(max_[type]);
  }

 private:
  std::array<int64_t, kFrameTypes> max_ = {};
};

struct Frame {
  FrameType type;
  std::string_view payload;  // Valid until the reader is used again.
};

using FrameHeader = std::array<char, kFrameHeaderBytes>;
FrameHeader EncodeFrameHeader(FrameType type, uint32_t payload_bytes);

std::string EncodeFrame(FrameType type, std::string_view payload);

class FrameReader {
 public:
  enum class Result { kFrame, kNeedMore, kBad };

  explicit FrameReader(const FrameLimits& limits) : limits_(limits) {}

  // Sets the limits for frames that Next has not returned yet.
  void SetLimits(const FrameLimits& limits) { limits_ = limits; }

  void Append(std::string_view bytes);
  Result Next(Frame& frame);

  // Returns the bytes that Next has not returned yet. The view is valid until
  // the next call.
  std::string_view unread() const {
    return std::string_view(buffer_).substr(consumed_);
  }

  // Returns true if part of a frame has arrived.
  bool InMiddle() const { return buffer_.size() > consumed_; }

 private:
  FrameLimits limits_;
  std::string buffer_;
  size_t consumed_ = 0;
  bool bad_ = false;
};

}  // namespace gasnet::job

#endif  // JOB_WIRE_FRAME_H_
