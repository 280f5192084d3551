// The ssh that leads to one host: its process, its standard input and output
// (which FrameStream takes), and what it says on standard error, line by line.
// Starts it and watches it; decides nothing.
#ifndef GASNET_TOOLS_GASNETRUN_REMOTE_SSH_PROCESS_H_
#define GASNET_TOOLS_GASNETRUN_REMOTE_SSH_PROCESS_H_

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "base/unique_fd.h"
#include "core/job/event_loop.h"
#include "core/job/line_splitter.h"
#include "core/job/offspring.h"

namespace gasnet::gasnetrun {

class SshProcess {
 public:
  // A line of standard error, without its end.
  using LineTaker = std::function<void(std::string_view)>;

  SshProcess(job::EventLoop& loop, LineTaker on_line);
  ~SshProcess();

  // `words`: the command, looked for in `search_path`.
  absl::Status Start(const std::vector<std::string>& words,
                     const std::string& search_path,
                     const std::vector<std::string>& environment,
                     job::Offspring& offspring);

  // To the agent and from it, once.
  UniqueFd TakeInput() { return std::move(input_); }
  UniqueFd TakeOutput() { return std::move(output_); }

  // How it ended, once it has; then all its lines have been told.
  std::optional<int> Poll();
  void Kill();
  // Removes what the kernel keeps of the ended process.
  void Reap();

  pid_t pid() const { return pid_; }

 private:
  bool ReadLines();
  void TellLines(std::string_view lines);

  job::EventLoop& loop_;
  const LineTaker on_line_;
  pid_t pid_ = 0;
  UniqueFd input_;
  UniqueFd output_;
  UniqueFd errors_;
  job::LineSplitter splitter_;
};

}  // namespace gasnet::gasnetrun

#endif  // GASNET_TOOLS_GASNETRUN_REMOTE_SSH_PROCESS_H_
