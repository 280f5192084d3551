// The hosts of a job, indexed by number. The object owns the hosts. It finds
// the host of each rank, names ranks in messages, and sends frames to all
// ranks. Used by one thread.
#ifndef JOB_LAUNCH_JOB_HOSTS_H_
#define JOB_LAUNCH_JOB_HOSTS_H_

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "job/launch/host.h"
#include "job/launch/job_plan.h"

namespace gasnet::job {

using Hosts = std::vector<std::unique_ptr<Host>>;

class JobHosts {
 public:
  // The plan must outlive this object.
  explicit JobHosts(const JobPlan& plan) : plan_(plan), pids_(plan.size) {}

  // Sets the hosts. Must precede all other calls except HostOf.
  void Set(Hosts hosts) { hosts_ = std::move(hosts); }

  Hosts::const_iterator begin() const { return hosts_.begin(); }
  Hosts::const_iterator end() const { return hosts_.end(); }

  uint32_t ranks() const { return plan_.size; }
  uint32_t HostOf(uint32_t rank) const {
    return plan_.host_of.empty() ? 0 : plan_.host_of[rank];
  }
  Host& Of(uint32_t rank) const { return *hosts_[HostOf(rank)]; }

  // Notes that the process of `rank` has started.
  void SetPid(uint32_t rank, pid_t pid) { pids_[rank] = pid; }
  bool HasStarted(uint32_t rank) const { return pids_[rank] != 0; }
  std::string Name(uint32_t rank) const;

  // Sends a frame to every rank that has joined.
  void SendToAll(std::string frame) const;

 private:
  const JobPlan& plan_;
  Hosts hosts_;
  std::vector<pid_t> pids_;  // Indexed by rank. 0: not started or not reported.
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_JOB_HOSTS_H_
