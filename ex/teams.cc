#include "ex/teams.h"

#include <algorithm>
#include <utility>

#include "coll/collectives.h"
#include "coll/split.h"

namespace gasnet::ex {

static_assert(Teams::kNone == coll::SplitWish::kNone);

void Teams::Start() {
  all_ = std::make_unique<ExTeam>(
      coll::Collectives::Mine().All(), Client::Mine().endpoint(),
      std::vector<EndpointIndex>{}, 0, gex_Memvec_t{});
}

ExTeam* Teams::Split(ExTeam& parent, const char* call, Wish wish) {
  coll::Team* const made = coll::Collectives::Mine().Split(
      parent.collective, call, wish.color, wish.key);
  if (made == nullptr) return nullptr;
  if (wish.endpoint == nullptr) {
    wish.endpoint = &parent.endpoint;
    for (const Rank node : made->ranks()) {
      wish.indices.push_back(parent.IndexOf(parent.RankOf(node)));
    }
  }
  if (std::ranges::all_of(wish.indices, [](auto i) { return i == 0; })) {
    wish.indices.clear();
  }
  auto team = std::make_unique<ExTeam>(
      *made, *wish.endpoint, std::move(wish.indices), wish.flags, wish.scratch);
  ExTeam* const result = team.get();
  const absl::MutexLock lock(&mutex_);
  split_[HandleOf(*result)] = std::move(team);
  return result;
}

void Teams::End(ExTeam& team) {
  coll::Collectives::Mine().End(team.collective);
  const absl::MutexLock lock(&mutex_);
  split_.erase(HandleOf(team));
}

}  // namespace gasnet::ex
