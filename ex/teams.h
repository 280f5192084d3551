// The teams of this process. The team of all processes exists as long as the
// runtime. Splits create other teams, which the client destroys.
#ifndef EX_TEAMS_H_
#define EX_TEAMS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "core/endpoint_index.h"
#include "core/runtime/layer.h"
#include "core/runtime/runtime.h"
#include "ex/live_domains.h"
#include "ex/team.h"

namespace gasnet::ex {

class Teams final : public Layer {
 public:
  static constexpr LayerName kName = LayerName::kTeams;
  static Teams& Mine() { return runtime->layer<Teams>(); }

  // Makes the team of all processes. Called once collectives have started.
  void Start();

  // Returns the team of a handle, which must not be the handle of a TM-pair.
  ExTeam& Of(gex_TM_t tm) {
    return tm == &gasneti_tm_all ? *all_
                                 : *static_cast<ExTeam*>(gasneti_team_of(tm));
  }
  // Returns true if some of the team's members are not primordial endpoints.
  static bool IsFurther(gex_TM_t tm) {
    return (reinterpret_cast<uintptr_t>(tm) & GASNETI_FURTHER_TEAM) != 0;
  }
  static gex_TM_t HandleOf(ExTeam& team) {
    return team.indices.empty() ? &team : gasneti_further_team(&team);
  }

  // Split() divides the parent's members into teams: members with the same
  // color form a team, ordered by key, then by rank in the parent. Returns this
  // process's team, or null if its color is kNone. Collective over the parent.
  static constexpr int64_t kNone = -1;
  struct Wish {
    int64_t color = kNone;
    int64_t key = 0;
    gex_Flags_t flags = 0;
    gex_Memvec_t scratch{};
    // endpoint: this process's endpoint in the new team. indices: the indices
    // of all members' endpoints, by rank. If null and empty, the members'
    // endpoints in the parent join.
    gasneti_ep* endpoint = nullptr;
    std::vector<EndpointIndex> indices{};
  };
  ExTeam* Split(ExTeam& parent, const char* call, Wish wish)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Destroys a team that Split made. Called by each member.
  void End(ExTeam& team) ABSL_LOCKS_EXCLUDED(mutex_);

  // Returns true if the handle names an existing team that Split() created.
  bool IsSplit(gex_TM_t tm) ABSL_LOCKS_EXCLUDED(mutex_) {
    const absl::MutexLock lock(&mutex_);
    return split_.contains(tm);
  }

  // Returns the live atomic domains. Only debug builds record them.
  LiveDomains& domains() { return domains_; }

 private:
  std::unique_ptr<ExTeam> all_;
  LiveDomains domains_;
  absl::Mutex mutex_;
  absl::flat_hash_map<gex_TM_t, std::unique_ptr<ExTeam>> split_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace gasnet::ex

#endif  // EX_TEAMS_H_
