// The end of a job. Reasons for it come in, for ExitPolicy and, with a message,
// for the user; what the policy's phases ask for goes out to the ranks. Keeps
// which ranks have left and which have ended. One thread.
#ifndef JOB_LAUNCH_JOB_END_H_
#define JOB_LAUNCH_JOB_END_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "job/launch/exit_policy.h"
#include "job/launch/job_hosts.h"
#include "job/launch/job_output.h"

namespace gasnet::job {

class JobEnd {
 public:
  // The grace is that of GASNET_EXITTIMEOUT.
  JobEnd(const JobHosts& hosts, JobOutput& output, int64_t grace_nanos);

  // Tell the policy itself of what needs no message.
  ExitPolicy& policy() { return policy_; }
  const ExitPolicy& policy() const { return policy_; }

  // A rank has left: it called gasnet_exit, or its process has ended. These
  // tell nobody, and answer whether it had left before.
  bool SetLeft(uint32_t rank);
  bool SetEnded(uint32_t rank);
  bool HasLeft(uint32_t rank) const { return ranks_[rank].left; }
  bool HasEnded(uint32_t rank) const { return ranks_[rank].ended; }

  // Reasons to end.
  void Failed(int code, const std::string& why);
  void Crashed(uint32_t rank, int wait_status);
  // A rank that had joined has ended without gasnet_exit, as `note` says.
  void Returned(int code, const std::string& note);
  // A host has failed, and with it its ranks that had not ended; `why` may be
  // empty.
  void HostFailed(uint32_t host, int code, const std::string& why);
  // Nobody can read what is written any more; counts once.
  void StdoutFailed(int error);

  // Does what the phase asks for, if that is yet to be done.
  void Follow();
  // To one that has not left, once IsTold.
  void SendEnd(uint32_t rank);

  // The ranks have been told that the job ends.
  bool IsTold() const { return frame_ != nullptr; }
  // A rank has crashed before that, or a host has failed at any time.
  bool has_crashed() const { return has_crashed_; }

 private:
  struct RankState {
    bool left = false;
    bool ended = false;
  };

  void KillAll();
  std::string NamesOfRunning() const;

  const JobHosts& hosts_;
  JobOutput& output_;
  ExitPolicy policy_;
  std::vector<RankState> ranks_;
  // The first that returned with a code other than 0, until that is told.
  std::string returned_note_;
  bool has_crashed_ = false;
  bool has_stdout_failed_ = false;
  bool has_killed_ = false;
  Host::Frame frame_;  // The END.
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_JOB_END_H_
