// An ssh that the agent of another host runs for this process. This class asks
// that agent to run the ssh. It forwards the ssh's standard input and output as
// notes over the stream to the agent. To the owner of this class, the ssh looks
// like a child of this process.
//
// Input from that agent is checked. No more of it is queued than RelayEnd
// allows. Used by one thread.
#ifndef TOOLS_GASNETRUN_REMOTE_RELAYED_SSH_H_
#define TOOLS_GASNETRUN_REMOTE_RELAYED_SSH_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "job/launch/event_loop.h"
#include "job/wire/frame.h"
#include "tools/gasnetrun/remote/agent_messages.h"
#include "tools/gasnetrun/remote/relay_end.h"
#include "tools/gasnetrun/remote/ssh.h"

namespace gasnet::gasnetrun {

class RelayedSsh : public Ssh {
 public:
  // Sends a note to the agent that runs the ssh.
  using Sender = std::function<void(job::FrameType type, const Note& note)>;

  // `number` identifies the relay to this process and to the agent. `hosts` is
  // the number of hosts that are reached through the ssh.
  RelayedSsh(uint32_t number, uint32_t hosts, job::EventLoop& loop, Sender send,
             LineTaker on_line);

  absl::Status Start(const std::vector<std::string>& words) override;

  // Returns the wait status of the ended ssh, but only once the owner can read
  // all output of the ssh.
  std::optional<int> Poll() override;
  void Kill() override;
  void Reap() override;
  bool IsThere() const override { return end_.has_value(); }

  // Handles a note of the agent about this relay. Returns false for a note that
  // a correct agent would not send.
  [[nodiscard]] bool TakeNote(job::FrameType type, const Note& note);
  // Returns true if all bytes that the owner has written have been sent to the
  // agent.
  bool HasSentAll() const { return !end_.has_value() || end_->HasSentAll(); }

 private:
  bool TakeEnd(const Note& note);

  const uint32_t number_;
  const uint32_t window_;
  job::EventLoop& loop_;
  const Sender send_;
  const LineTaker on_line_;
  std::optional<RelayEnd> end_;  // while the ssh exists
  std::optional<int> status_;    // once the ssh has ended
};

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_REMOTE_RELAYED_SSH_H_
