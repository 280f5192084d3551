// Descendants that outlived their parents. The launcher is their reaper
// (PR_SET_CHILD_SUBREAPER), so they become its children, whatever their session
// or process group.
#ifndef JOB_LAUNCH_ORPHANS_H_
#define JOB_LAUNCH_ORPHANS_H_

#include <sys/types.h>

#include <vector>

#include "absl/container/flat_hash_set.h"

namespace gasnet::job {

class Orphans {
 public:
  // Makes orphans become children of this process. Exempts existing children
  // from KillAll.
  Orphans();

  // Reaps orphans that have ended, since a launcher may live for long. Does not
  // reap processes in `started`.
  void Reap(const absl::flat_hash_set<pid_t>& started) const;

  // Kills and reaps every other child, and the orphans that result. A process
  // that may not be killed (it runs as another user) is left alone.
  void KillAll();

 private:
  bool IsOrphan(pid_t child) const;

  std::vector<pid_t> others_;
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_ORPHANS_H_
