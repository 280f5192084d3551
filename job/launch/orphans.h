// Descendants that outlived their parents. The launcher is their reaper
// (PR_SET_CHILD_SUBREAPER), so they become its children, in whatever session or
// process group they hid.
#ifndef JOB_LAUNCH_ORPHANS_H_
#define JOB_LAUNCH_ORPHANS_H_

#include <sys/types.h>

#include <vector>

#include "absl/container/flat_hash_set.h"

namespace gasnet::job {

class Orphans {
 public:
  // From now on orphans come to us. Children that are there already are not
  // ours to kill.
  Orphans();

  // Reaps those that have ended, for which somebody may have to live long.
  // Processes that we have `started` ourselves are not reaped here.
  void Reap(const absl::flat_hash_set<pid_t>& started) const;

  // Kills and reaps every other child, and those that come to us by it. One
  // that we may not kill (it runs as another user) is left to itself.
  void KillAll();

 private:
  bool IsOrphan(pid_t child) const;

  std::vector<pid_t> others_;
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_ORPHANS_H_
