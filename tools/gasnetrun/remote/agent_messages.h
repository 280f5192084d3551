// The messages between a launcher and its agent on another host. They pass over
// the standard input and output of the agent. The frames are those of
// job/wire/frame.h. A login shell may print other text first. So an agent
// writes kAgentPreamble before its first frame.
//
//   agent                                launcher
//   AGENT_HELLO                  ->
//                                <-      START
//   STARTED RANK_HELLO ...       ->
//                                <-      TO_RANKS END_RANK SIGNAL_... ...
//   RANK_OUTPUT                  ->
//                                <-      OUTPUT_TAKEN
//   DRAINED                      ->
//                                <-      FINISH
//   FINISHED
//
// At any time after START the launcher may ask the agent to run the ssh to a
// further host. The agent on that host then talks to the launcher through a
// relay (relays.h):
//
//                                <-      RELAY_START
//   RELAY_DATA RELAY_TAKEN       <->
//   RELAY_SAID                   ->
//                                <-      RELAY_KILL
//   RELAY_ENDED                  ->
//
// An agent that cannot go on sends AGENT_FAILED and ends. Launcher and agent
// send BEAT when they have sent nothing for a while.
#ifndef TOOLS_GASNETRUN_REMOTE_AGENT_MESSAGES_H_
#define TOOLS_GASNETRUN_REMOTE_AGENT_MESSAGES_H_

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "job/launch/frame_stream.h"
#include "job/wire/frame.h"
#include "job/wire/note.h"
#include "tools/gasnetrun/binding.h"
#include "tools/gasnetrun/remote/tuning.h"

namespace gasnet::gasnetrun {

// The version of the protocol. Increase it with each change that an older
// program would misread. All versions have the number in the same place of
// AGENT_HELLO.
inline constexpr uint32_t kAgentVersion = 5;
inline constexpr std::string_view kAgentPreamble = "\n=gasnetrun-agent=\n";

struct AgentHello {
  uint32_t version = kAgentVersion;
  uint32_t cpus = 1;  // number of CPUs that the host's ranks share
};

// The order to run ranks, with all settings.
struct StartOrder {
  std::string secret;  // Secret::kBytes bytes
  uint32_t host = 0;   // the number of the agent's host
  std::vector<uint32_t> host_of;
  uint32_t relays = 0;          // limit on ssh processes to other hosts
  uint32_t silence_millis = 0;  // The launcher's longest allowed silence.
  uint32_t mask = 0;            // The umask of the ranks.
  Binding binding = Binding::kNone;
  bool tag_output = false;
  std::array<bool, 2> to_terminal = {false, false};
  std::string program;
  std::string fingerprint;  // see fingerprint.h; empty: any program
  std::string directory;
  std::string remote_path;  // Fallback for program and directory, or empty.
  std::vector<std::string> arguments;
  std::vector<std::string> environment;
};

// Encodes the words of an ssh command, as the bytes of a kRelayStart.
std::string EncodeWords(const std::vector<std::string>& words);
// Returns false for an empty list, or for bytes that do not encode a list.
bool DecodeWords(std::string_view bytes, std::vector<std::string>& words);

// All other messages are notes (job/wire/note.h).
using job::DecodeNote;
using job::EncodeNote;
using job::EncodeNoteHead;
using job::FrameStream;
using job::kNoteBytes;
using job::kNoteFrameBytes;
using job::Note;

std::string EncodeAgentHello(const AgentHello& hello);
std::string EncodeStartOrder(const StartOrder& order);

// Decode a message. Return false for any payload that is not exactly a message
// of this type. If an AGENT_HELLO has another version, only the version is
// filled in.
bool DecodeAgentHello(std::string_view payload, AgentHello& hello);
bool DecodeStartOrder(std::string_view payload, StartOrder& order);

// The frames that each side accepts at each stage.
const job::FrameLimits& LimitsBeforeAgentHello();  // launcher
const job::FrameLimits& LimitsAfterAgentHello();   // launcher
const job::FrameLimits& LimitsBeforeStart();       // agent
const job::FrameLimits& LimitsAfterStart();        // agent

// The maximum number of bytes in one kRankOutput and in one kInput.
inline constexpr size_t kMaxOutputBytes = 2 << 20;
inline constexpr size_t kMaxInputBytes = 16 << 10;

constexpr uint32_t RelayWindow(uint32_t hosts) {
  return hosts < kMaxRelayWindow / kRelayWindow ? hosts * kRelayWindow
                                                : kMaxRelayWindow;
}

// The maximum number of bytes in one kRelaySaid, and in the reason of one
// kRelayEnded.
inline constexpr size_t kMaxSaidBytes = 4 << 10;

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_REMOTE_AGENT_MESSAGES_H_
