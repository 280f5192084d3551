// The end of a job. It passes reasons to ExitPolicy and, with a message, to the
// user, and the requests of the policy's phases to the ranks. It keeps which
// ranks have left and which have ended. One thread.
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
  // The grace time is that of GASNET_EXITTIMEOUT.
  JobEnd(const JobHosts& hosts, JobOutput& output, int64_t grace_nanos);

  // The policy, for events that need no message.
  ExitPolicy& policy() { return policy_; }
  const ExitPolicy& policy() const { return policy_; }

  // Note that a rank has left: it called gasnet_exit, or its process has ended.
  // They report nothing. Return true if it had left before.
  bool SetLeft(uint32_t rank);
  bool SetEnded(uint32_t rank);
  bool HasLeft(uint32_t rank) const { return ranks_[rank].left; }
  bool HasEnded(uint32_t rank) const { return ranks_[rank].ended; }

  // Reports a reason to end.
  void Failed(int code, const std::string& why);
  void Crashed(uint32_t rank, int wait_status);
  // A rank that had joined ended without gasnet_exit, as `note` describes.
  // ends_job: see ExitPolicy::Returned.
  void Returned(int code, bool ends_job, const std::string& note);
  // A host has failed, and so have those of its ranks that had not ended. `why`
  // may be empty.
  void HostFailed(uint32_t host, int code, const std::string& why);
  // The output has no reader any more. Later calls do nothing.
  void StdoutFailed(int error);

  // Carries out the policy's phase, unless that is done.
  void Follow();
  // Sends END to a rank that has not left. Legal only once IsTold.
  void SendEnd(uint32_t rank);

  // Returns true if the ranks were notified that the job ends.
  bool IsTold() const { return frame_ != nullptr; }
  // True if a rank crashed before that notice, or a host failed at any time.
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
  Host::Frame frame_;  // The END frame.
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_JOB_END_H_
