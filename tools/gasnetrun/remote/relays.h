// The agent's part in a tree of hosts. The launcher names hosts. The agent runs
// the ssh processes to these hosts. It forwards the standard input and output
// of each ssh from and to the launcher, and does not look at the bytes.
//
// The states of each relay:
//
//   - running: its ssh has been started.
//   - ended: its end has been reported, after all its output. The ssh process
//     stays a zombie until CleanUp, so that its process id is not reused.
//
// The launcher may send notes about a relay before it learns that the relay has
// ended. The agent ignores these notes. Used by one thread.
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

  // Runs at most `limit` relays in all. `offspring` must have room for `limit`
  // processes.
  Relays(uint32_t limit, job::EventLoop& loop, job::Offspring& offspring,
         Sender send);
  ~Relays();

  // Handles a note of the launcher about a relay. Returns false for a note that
  // a correct launcher would not send.
  [[nodiscard]] bool TakeNote(job::FrameType type, const Note& note);

  // Reads the relays' standard error if `on` is true, otherwise leaves it in
  // the pipes. No window bounds these bytes. So the agent stops reading them
  // under load.
  void SetReading(bool on);

  // Checks if relays have ended. Called when a child of this process has ended.
  void PollAll();
  // Reports the relays that have ended. Called after each event.
  void Advance();

  // Kills and removes all relays.
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
