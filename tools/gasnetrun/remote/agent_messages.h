// The messages between a launcher and its agent on another host, over the
// standard input and output of the agent. The frames are those of
// job/wire/frame.h; an agent writes kAgentPreamble before its first one, since
// a login shell may have printed something of its own.
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
// At any time after START the agent may be asked to run the ssh to another
// host, whose agent then talks to the launcher through a relay (relays.h):
//
//                                <-      RELAY_START
//   RELAY_DATA RELAY_TAKEN       <->
//   RELAY_SAID                   ->
//                                <-      RELAY_KILL
//   RELAY_ENDED                  ->
//
// An agent that cannot go on says AGENT_FAILED and ends. Both sides send BEAT
// when they have said nothing for a while.
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

// Increased with any change that the other side would misread. The version has
// the same place in all versions.
inline constexpr uint32_t kAgentVersion = 4;
inline constexpr std::string_view kAgentPreamble = "\n=gasnetrun-agent=\n";

struct AgentHello {
  uint32_t version = kAgentVersion;
  uint32_t cpus = 1;  // CPUs that the host's ranks may use together.
};

// The order to run ranks, and how.
struct StartOrder {
  std::string secret;  // Secret::kBytes.
  uint32_t host = 0;   // The number of the host.
  std::vector<uint32_t> host_of;
  uint32_t relays = 0;          // The number of ssh to other hosts to run.
  uint32_t silence_millis = 0;  // The launcher's longest silence.
  uint32_t mask = 0;            // umask.
  Binding binding = Binding::kNone;
  bool tag_output = false;
  std::array<bool, 2> to_terminal = {false, false};
  std::string program;
  std::string fingerprint;  // The program's (fingerprint.h); empty: any.
  std::string directory;
  std::string remote_path;  // Another place to look for both; may be empty.
  std::vector<std::string> arguments;
  std::vector<std::string> environment;
};

// Encodes the words of an ssh command, as the bytes of a kRelayStart.
std::string EncodeWords(const std::vector<std::string>& words);
// Returns false for no words, or no list.
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

// These return false for anything that is not exactly such a message. From an
// AGENT_HELLO of another version only the version is filled in.
bool DecodeAgentHello(std::string_view payload, AgentHello& hello);
bool DecodeStartOrder(std::string_view payload, StartOrder& order);

// The limits of the frames that each side accepts, and when.
const job::FrameLimits& LimitsBeforeAgentHello();  // launcher
const job::FrameLimits& LimitsAfterAgentHello();   // launcher
const job::FrameLimits& LimitsBeforeStart();       // agent
const job::FrameLimits& LimitsAfterStart();        // agent

// The most bytes that one kRankOutput and one kInput carry.
inline constexpr size_t kMaxOutputBytes = 2 << 20;
inline constexpr size_t kMaxInputBytes = 16 << 10;

constexpr uint32_t RelayWindow(uint32_t hosts) {
  return hosts < kMaxRelayWindow / kRelayWindow ? hosts * kRelayWindow
                                                : kMaxRelayWindow;
}

// The most bytes that one kRelaySaid and the reason in kRelayEnded carry.
inline constexpr size_t kMaxSaidBytes = 4 << 10;

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_REMOTE_AGENT_MESSAGES_H_
