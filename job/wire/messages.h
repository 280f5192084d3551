// The messages of the control protocol, as what they say. Encode... makes a
// whole frame; Decode... takes the payload of one and answers false for
// anything that is not exactly such a message.
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

// Increased with any change that an older launcher or rank would misread. The
// version and the proof stay where they are in every version.
inline constexpr uint32_t kProtocolVersion = 2;

struct Hello {
  uint32_t version = kProtocolVersion;
  std::string_view proof = {};  // Secret::proof(); a view, as all below.
  uint32_t rank = 0;
  uint32_t pid = 0;
  std::string_view config = {};
};

// The same for every rank of the job.
struct Welcome {
  std::vector<uint32_t> host_of = {};    // As in Membership.
  std::vector<uint32_t> host_cpus = {};  // By host.
  std::vector<std::string> environment = {};
};

struct GatherPart {
  uint32_t sequence = 0;  // Counts the gathers of the job from 0.
  std::string_view bytes = {};
};

// In an EXIT: the rank does not call gasnet_exit, but its process is about to
// end by exit() or a return from main, and runs no handler any more. Its code
// comes with its end.
inline constexpr int32_t kLeavesByExit = std::numeric_limits<int32_t>::min();

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
std::string EncodeLeft(const std::vector<uint32_t>& ranks);

// A HELLO of another protocol version has only version and proof filled in.
bool DecodeHello(std::string_view payload, Hello& hello);
bool DecodeWelcome(std::string_view payload, Welcome& welcome);
bool DecodeGather(std::string_view payload, GatherPart& part);
bool DecodeExit(std::string_view payload, int32_t& code);
bool DecodeEnd(std::string_view payload, End& end);
bool DecodeLeft(std::string_view payload, std::vector<uint32_t>& ranks);

// Hosts are numbered densely in the order of their first rank.
bool IsHostList(const std::vector<uint32_t>& host_of, size_t hosts);

// The frames that each side accepts, and when.
const FrameLimits& LimitsBeforeHello();    // launcher
const FrameLimits& LimitsAfterHello();     // launcher
const FrameLimits& LimitsBeforeWelcome();  // rank
const FrameLimits& LimitsAfterWelcome();   // rank

}  // namespace gasnet::job

#endif  // JOB_WIRE_MESSAGES_H_
