#include "ex/teams.h"

#include "coll/collectives.h"
#include "coll/split.h"

namespace gasnet::ex {

static_assert(Teams::kNone == coll::SplitWish::kNone);

void Teams::Start() {
  all_ = std::make_unique<Team>(coll::Collectives::Mine().All(),
                                Client::Mine().endpoint(), 0, gex_Memvec_t{});
}

Team* Teams::Split(Team& parent, const char* call, int64_t color, int64_t key,
                   gex_Flags_t flags, gex_Memvec_t scratch) {
  coll::Team* const made =
      coll::Collectives::Mine().Split(parent.collective, call, color, key);
  if (made == nullptr) return nullptr;
  auto team = std::make_unique<Team>(*made, parent.endpoint, flags, scratch);
  Team* const result = team.get();
  const absl::MutexLock lock(&mutex_);
  split_[HandleOf(*result)] = std::move(team);
  return result;
}

void Teams::End(Team& team) {
  coll::Collectives::Mine().End(team.collective);
  const absl::MutexLock lock(&mutex_);
  split_.erase(HandleOf(team));
}

}  // namespace gasnet::ex
