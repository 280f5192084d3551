// The place of this process in its job: what the launcher has given it, and
// what joining has made of that. The job (job.h) owns it, and between two lives
// of the job nobody but the process.
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
  std::vector<std::string> environment;   // that the job was spawned with
  std::vector<std::string> own_settings;  // own_settings.h, when it joined
  uint32_t life = 0;  // how often the process has left the job and come back
  UniqueFd host_memory;
  // Neither in a job of one.
  std::optional<Secret> secret;
  std::unique_ptr<ControlLink> link;
};

}  // namespace gasnet::job

#endif  // JOB_RANK_START_H_
