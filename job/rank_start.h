// The state of a process in its job: data from the launcher, and results of
// joining. The job (job.h) owns it. The process owns it after it has left the
// job and before it rejoins.
#ifndef JOB_RANK_START_H_
#define JOB_RANK_START_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/unique_fd.h"
#include "job/membership.h"
#include "job/wire/secret.h"

namespace gasnet::job {

class ControlLink;

struct RankStart {
  Membership membership;
  // The environment with which the job was spawned.
  std::vector<std::string> environment;
  std::vector<std::string> own_settings;  // OwnSettings() as of the join.
  uint32_t life = 0;  // How often the process has left and rejoined.
  UniqueFd host_memory;
  // In a job of one rank, `secret` and `link` are empty.
  std::optional<Secret> secret;
  std::unique_ptr<ControlLink> link;
};

}  // namespace gasnet::job

#endif  // JOB_RANK_START_H_
