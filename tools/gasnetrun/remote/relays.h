// The agent's part in a tree of hosts: runs the ssh processes to other hosts
// that the launcher names, and forwards their standard input and output between
// them and the launcher. The agent does not look at the bytes.
//
// The states of each relay:
//
//   - running: its ssh has been started.
//   - ended: its end has been reported, after all its output. The process stays
//     a zombie until CleanUp, so that its process id is not reused.
//
// The launcher cannot know in time that a relay has ended, so its notes about
// an ended one are ignored. One thread.
#ifndef TOOLS_GASNETRUN_REMOTE_RELAYS_H_
#define TOOLS_GASNETRUN_REMOTE_RELAYS_H_

#include <cstdint>
#include <functional>
#include <memory>

#include "absl/container/flat_hash_map.h"
#include "job/launch/event_loop.h"
#include "job/launch/offspring.h"
#include "job/wire/frame.h"
#include "tools/gasnetrun/remote/agent_messages.h"

namespace gasnet::gasnetrun {

class Relays {
 public:
  // Sends a note to the launcher.
  using Sender = std::function<void(job::FrameType type, const Note& note)>;

  // Runs at most `limit` relays in all. `offspring` must have room for them.
  Relays(uint32_t limit, job::EventLoop& loop, job::Offspring& offspring,
         Sender send);
  ~Relays();

  // Handles the launcher's note about a relay. Returns false for a note that no
  // correct launcher sends.
  [[nodiscard]] bool TakeNote(job::FrameType type, const Note& note);

  // Reads their standard error, which no window bounds, or leaves it in the
  // pipes.
  void SetReading(bool on);

  // Checks all relays, when a child of this process has ended.
  void PollAll();
  // Reports the relays that have ended, after an event.
  void Advance();

  // Kills and removes all of them.
  void CleanUp();

 private:
  class Relay;

  bool Start(const Note& note);

  const uint32_t limit_;
  job::EventLoop& loop_;
  job::Offspring& offspring_;
  const Sender send_;
  bool is_reading_ = true;
  absl::flat_hash_map<uint32_t, std::unique_ptr<Relay>> relays_;
};

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_REMOTE_RELAYS_H_
