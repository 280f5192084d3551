// The messages of the control protocol. Encode... makes a whole frame.
// Decode... takes the payload of a frame and returns false unless it is exactly
// such a message.
#ifndef JOB_WIRE_MESSAGES_H_
#define JOB_WIRE_MESSAGES_H_

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "job/wire/frame.h"
#include "job/wire/secret.h"

namespace gasnet::job {

// The version of the protocol. It increases with any change that an older
// launcher or rank would misread. The version and the proof have the same place
// in every version.
inline constexpr uint32_t kProtocolVersion = 6;

struct Hello {
  uint32_t version = kProtocolVersion;
  std::string_view proof = {};  // Secret::proof(); a view, as all below.
  uint32_t rank = 0;
  uint32_t pid = 0;
  std::string_view config = {};
};

// The same for every rank of the job.
struct Welcome {
  std::vector<uint32_t> host_of = {};    // See Membership.
  std::vector<uint32_t> host_cpus = {};  // Indexed by host.
  std::vector<std::string> environment = {};
};

struct GatherPart {
  uint32_t sequence = 0;  // Counts the gathers of the job from 0.
  std::string_view bytes = {};
};

// A code in EXIT: the rank does not call gasnet_exit, but its process is about
// to end by exit() or a return from main, and runs no more handlers. Its exit
// code is known at its end.
inline constexpr int32_t kLeavesByExit = std::numeric_limits<int32_t>::min();
// Another code in EXIT, sent while the rank goes on: from here on, an end of
// its process without gasnet_exit ends the job, whatever its code.
inline constexpr int32_t kReturnEndsJob = kLeavesByExit + 1;

struct End {
  int32_t code = 0;
  std::string_view why = {};
};

std::string EncodeHello(const Hello& hello);
std::string EncodeWelcome(const Welcome& welcome);
std::string EncodeGather(FrameType type, const GatherPart& part);
using ExitFrame = std::array<char, kFrameHeaderBytes + sizeof(int32_t)>;
ExitFrame EncodeExit(int32_t code);  // Async-signal-safe.
std::string EncodeEnd(const End& end);
std::string EncodeAskPolls();
std::string EncodeAskStatistics();
std::string EncodeLeft(const std::vector<uint32_t>& ranks);

// Sets only version and proof if the HELLO is of another protocol version.
bool DecodeHello(std::string_view payload, Hello& hello);
bool DecodeWelcome(std::string_view payload, Welcome& welcome);
bool DecodeGather(std::string_view payload, GatherPart& part);
bool DecodeExit(std::string_view payload, int32_t& code);
bool DecodeEnd(std::string_view payload, End& end);
bool DecodeLeft(std::string_view payload, std::vector<uint32_t>& ranks);

// Returns true if hosts are numbered densely in the order of their first rank.
bool IsHostList(const std::vector<uint32_t>& host_of, size_t hosts);

// The frames that each side accepts at each stage.
const FrameLimits& LimitsBeforeHello();    // launcher
const FrameLimits& LimitsAfterHello();     // launcher
const FrameLimits& LimitsBeforeWelcome();  // rank
const FrameLimits& LimitsAfterWelcome();   // rank

}  // namespace gasnet::job

#endif  // JOB_WIRE_MESSAGES_H_
