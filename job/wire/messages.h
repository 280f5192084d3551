// The messages of the control protocol. An Encode function makes a whole frame.
// A Decode function takes the payload of a frame and returns false unless this
// payload is exactly one message of the function's type.
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
// launcher or rank would misread. In every version, the version number and the
// proof are at the same place of a HELLO. So a reader of any version finds
// them.
inline constexpr uint32_t kProtocolVersion = 8;

struct Hello {
  uint32_t version = kProtocolVersion;
  // Secret::proof(), as a view. `config` is a view.
  std::string_view proof = {};
  uint32_t rank = 0;
  uint32_t pid = 0;
  std::string_view config = {};
};

// The data about the job that every rank gets, the same for all ranks.
struct Welcome {
  std::vector<uint32_t> host_of = {};    // See Membership.
  std::vector<uint32_t> host_cpus = {};  // Indexed by host.
  std::vector<std::string> environment = {};
};

struct GatherPart {
  uint32_t sequence = 0;  // Counts the gathers of the job from 0.
  std::string_view bytes = {};
};

// A code in EXIT: the rank has not called gasnet_exit, but its process is about
// to end by exit() or a return from main. The rank runs no more handlers. The
// launcher learns the exit code when the process has ended.
inline constexpr int32_t kLeavesByExit = std::numeric_limits<int32_t>::min();
// A code in EXIT after which the rank continues to run. If the rank's process
// later ends without gasnet_exit, the job ends too, whatever the exit code of
// the process.
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

// DecodeHello sets only version and proof if the HELLO has another protocol
// version.
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
