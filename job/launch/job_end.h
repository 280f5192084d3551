// The end of a job. The object passes reasons to end to ExitPolicy, and reports
// them to the user. It carries out the phases of the policy at the ranks. It
// records the ranks that have left and those that have ended. Used by one
// thread.
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
  // `grace_nanos` is the grace time (GASNET_EXITTIMEOUT) in nanoseconds.
  JobEnd(const JobHosts& hosts, JobOutput& output, int64_t grace_nanos);

  // The policy, for callers whose events need no message.
  ExitPolicy& policy() { return policy_; }
  const ExitPolicy& policy() const { return policy_; }

  // SetLeft records that a rank has called gasnet_exit. SetEnded records that
  // its process has ended. Both return true if the rank had left before.
  // Neither prints a message.
  bool SetLeft(uint32_t rank);
  bool SetEnded(uint32_t rank);
  bool HasLeft(uint32_t rank) const { return ranks_[rank].left; }
  bool HasEnded(uint32_t rank) const { return ranks_[rank].ended; }

  // Report a reason to end the job.
  void Failed(int code, const std::string& why);
  void Crashed(uint32_t rank, int wait_status);
  // Takes note that a rank that had joined has ended without gasnet_exit.
  // `note` describes the rank's end. ExitPolicy::Returned explains `ends_job`.
  void Returned(int code, bool ends_job, const std::string& note);
  // Takes note that a host has failed. All ranks of the host that had not ended
  // are lost. `why` may be empty.
  void HostFailed(uint32_t host, int code, const std::string& why);
  // Takes note that the output cannot be written any more. Later calls do
  // nothing.
  void StdoutFailed(int error);

  // Carries out the policy's present phase. Does nothing if this has been done.
  void Follow();
  // Sends END to a rank that has not left. Call it only once IsTold is true.
  void SendEnd(uint32_t rank);

  // Returns true if the ranks were notified that the job ends.
  bool IsTold() const { return frame_ != nullptr; }
  // True if a rank crashed before the ranks were notified, or if a host failed
  // at any time.
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
  // Describes the end of the first rank that returned with a reason to end the
  // job. Empty once it has been reported.
  std::string returned_note_;
  bool has_crashed_ = false;
  bool has_stdout_failed_ = false;
  bool has_killed_ = false;
  Host::Frame frame_;  // The END frame.
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_JOB_END_H_
