// Descendants that outlived their parents. The launcher is their reaper
// (PR_SET_CHILD_SUBREAPER). Such descendants become the launcher's children,
// whatever their session or process group.
#ifndef JOB_LAUNCH_ORPHANS_H_
#define JOB_LAUNCH_ORPHANS_H_

#include <sys/types.h>

#include <vector>

#include "absl/container/flat_hash_set.h"

namespace gasnet::job {

class Orphans {
 public:
  // Makes this process the reaper of its orphaned descendants. Exempts the
  // children that exist now from KillAll.
  Orphans();

  // Reaps orphans that have ended, so that zombies do not pile up in a
  // long-lived launcher. Does not reap processes in `started`.
  void Reap(const absl::flat_hash_set<pid_t>& started) const;

  // Kills and reaps every child that is not exempt, and the orphans of these
  // children. Skips processes that it may not kill, such as those of another
  // user.
  void KillAll();

 private:
  bool IsOrphan(pid_t child) const;

  std::vector<pid_t> others_;
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_ORPHANS_H_
