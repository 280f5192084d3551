// The end of a job. Reasons for it go to ExitPolicy and, with a message, to the
// user. The requests of the policy's phases go to the ranks. Keeps the ranks
// that have left and those that have ended. One thread.
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
  // The grace is GASNET_EXITTIMEOUT's.
  JobEnd(const JobHosts& hosts, JobOutput& output, int64_t grace_nanos);

  // The policy, for events that need no message.
  ExitPolicy& policy() { return policy_; }
  const ExitPolicy& policy() const { return policy_; }

  // These note that a rank has left: it called gasnet_exit, or its process has
  // ended. They report it to nobody, and return true if it had left before.
  bool SetLeft(uint32_t rank);
  bool SetEnded(uint32_t rank);
  bool HasLeft(uint32_t rank) const { return ranks_[rank].left; }
  bool HasEnded(uint32_t rank) const { return ranks_[rank].ended; }

  // Reasons to end.
  void Failed(int code, const std::string& why);
  void Crashed(uint32_t rank, int wait_status);
  // A rank that had joined has ended without gasnet_exit; `note` describes
  // that. ends_job: see ExitPolicy::Returned.
  void Returned(int code, bool ends_job, const std::string& note);
  // A host has failed, and so have its ranks that had not ended. `why` may be
  // empty.
  void HostFailed(uint32_t host, int code, const std::string& why);
  // Nobody can read the output any more; counts once.
  void StdoutFailed(int error);

  // Does what the phase asks for, unless it is done.
  void Follow();
  // Sends the END to a rank that has not left. Only once IsTold.
  void SendEnd(uint32_t rank);

  // Returns true if the ranks have been told that the job ends.
  bool IsTold() const { return frame_ != nullptr; }
  // True if a rank has crashed before that, or a host has failed at any time.
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
  // A note on the first rank that returned with a code other than 0, until it
  // is reported.
  std::string returned_note_;
  bool has_crashed_ = false;
  bool has_stdout_failed_ = false;
  bool has_killed_ = false;
  Host::Frame frame_;  // The END.
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_JOB_END_H_
