// The ssh process that connects to the agent on one host. The ssh runs on this
// host (ssh_process.h), or the agent of another host runs it for this process
// (relayed_ssh.h). This class starts and watches the ssh, and decides nothing.
//
// States: created; there (Start); ended (Poll returns its status); gone (Reap).
#ifndef TOOLS_GASNETRUN_REMOTE_SSH_H_
#define TOOLS_GASNETRUN_REMOTE_SSH_H_

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "base/unique_fd.h"

namespace gasnet::gasnetrun {

class Ssh {
 public:
  // Receives a line of the ssh's standard error, without the newline.
  using LineTaker = std::function<void(std::string_view)>;

  virtual ~Ssh() = default;

  virtual absl::Status Start(const std::vector<std::string>& words) = 0;

  // TakeInput returns the stream to the agent, and TakeOutput the stream from
  // it. Call each function at most once.
  UniqueFd TakeInput() { return std::move(input_); }
  UniqueFd TakeOutput() { return std::move(output_); }

  // Returns the wait status of the ssh, once the ssh has ended and all its
  // lines have been reported.
  virtual std::optional<int> Poll() = 0;
  virtual void Kill() = 0;
  virtual void Reap() = 0;
  virtual bool IsThere() const = 0;

 protected:
  UniqueFd input_;
  UniqueFd output_;
};

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_REMOTE_SSH_H_
