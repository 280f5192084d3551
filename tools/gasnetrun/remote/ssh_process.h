// An ssh that is a child of this process. This class passes on the standard
// error of the ssh line by line. Used by one thread.
#ifndef TOOLS_GASNETRUN_REMOTE_SSH_PROCESS_H_
#define TOOLS_GASNETRUN_REMOTE_SSH_PROCESS_H_

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "base/unique_fd.h"
#include "job/launch/event_loop.h"
#include "job/launch/line_splitter.h"
#include "job/launch/offspring.h"
#include "tools/gasnetrun/remote/ssh.h"

namespace gasnet::gasnetrun {

class SshProcess : public Ssh {
 public:
  SshProcess(job::EventLoop& loop, job::Offspring& offspring,
             LineTaker on_line);
  ~SshProcess() override;

  // Starts the program words[0]. Searches PATH for it.
  absl::Status Start(const std::vector<std::string>& words) override;

  std::optional<int> Poll() override;
  void Kill() override;
  // Reaps the ended process.
  void Reap() override;
  bool IsThere() const override { return pid_ > 0; }

  // Reads lines if `on` is true. Otherwise leaves the lines in the pipe.
  void SetReading(bool on);
  // Stops reading lines for good. Called when the ssh has ended: other
  // processes may still hold the pipe.
  void CloseErrors();

 private:
  void Watch();
  bool ReadLines();
  void ReportLines(std::string_view lines);

  job::EventLoop& loop_;
  job::Offspring& offspring_;
  const LineTaker on_line_;
  pid_t pid_ = 0;
  UniqueFd errors_;
  job::LineSplitter splitter_;
};

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_REMOTE_SSH_PROCESS_H_
