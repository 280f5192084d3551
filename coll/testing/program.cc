#include "coll/testing/program.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace gasnet::coll::testing {

Program::Program(World& world)
    : world_(world),
      next_(world.nodes()),
      begun_(world.nodes()),
      blocks_(world.nodes()) {
  world.client = [this](Rank rank) { return Turn(rank); };
  world.is_synced = [this](size_t op, Rank rank) {
    if (op >= calls_.size()) return false;
    const Calls& calls = *calls_[op];
    const auto at =
        std::find(calls.team->ranks.begin(), calls.team->ranks.end(), rank);
    const NodeCall* const call =
        calls.of[static_cast<size_t>(at - calls.team->ranks.begin())].get();
    return call == nullptr ||
           (call->handle != nullptr && call->handle->IsSynced());
  };
}

SimTeam& Program::AddTeam(std::vector<Rank> ranks,
                          std::vector<uint32_t> images) {
  auto team = std::make_unique<SimTeam>();
  team->id = static_cast<uint16_t>(teams_.size());
  team->ranks = std::move(ranks);
  team->images = std::move(images);
  team->at.resize(world_.nodes());
  items_.push_back({.team = team.get()});
  open_ += team->ranks.size();
  teams_.push_back(std::move(team));
  return *teams_.back();
}

void Program::Add(std::unique_ptr<Calls> calls) {
  items_.push_back({.calls = calls.get()});
  open_ += calls->of.size();
  calls_.push_back(std::move(calls));
}

void Program::Run(size_t random_steps) {
  for (; random_steps > 0 && !IsOver(); --random_steps) world_.Step();
  // In a random turn a client may do nothing, but rarely many times in a row.
  // So many idle rounds in a row mean that an operation hangs.
  constexpr unsigned kPatience = 60;
  for (unsigned idle = 0; !IsOver() || world_.UnderWay() > 0;) {
    idle = world_.Round() ? 0 : idle + 1;
    if (idle <= kPatience) continue;
    for (const auto& calls : calls_) {
      for (Rank i = 0; i < calls->of.size(); ++i) {
        if (calls->of[i] == nullptr) continue;
        world_.Complain(absl::StrCat("hangs on rank ", calls->team->ranks[i],
                                     calls->of[i]->begun ? ", begun: " : ": ",
                                     calls->wish.Name()));
      }
    }
    return;
  }
  // Runs some more rounds, because a synced operation may not be retired yet.
  for (unsigned idle = 0; idle < 3;) idle = world_.Round() ? 0 : idle + 1;
  for (Rank rank = 0; rank < world_.nodes(); ++rank) {
    if (!world_.node(rank).IsIdle()) {
      world_.Complain(absl::StrCat("rank ", rank, " never retires"));
    }
  }
  world_.memory().CheckAll();
}

bool Program::Turn(Rank rank) {
  const bool begins = world_.random()() % 2 == 0;
  if (begins && !(blocks_[rank] && !begun_[rank].empty())) {
    return BeginNext(rank);
  }
  return SyncSome(rank);
}

bool Program::BeginNext(Rank rank) {
  size_t& next = next_[rank];
  for (; next < items_.size(); ++next) {
    const SimTeam& team = items_[next].team != nullptr
                              ? *items_[next].team
                              : *items_[next].calls->team;
    const auto at = std::find(team.ranks.begin(), team.ranks.end(), rank);
    if (at == team.ranks.end()) continue;
    const auto index = static_cast<Rank>(at - team.ranks.begin());
    const Item item = items_[next++];
    if (item.team != nullptr) {
      item.team->at[rank] = &world_.AddTeam(
          rank, item.team->id, item.team->ranks, item.team->images);
      --open_;
      return true;
    }
    Calls& calls = *item.calls;
    const auto number = static_cast<size_t>(
        std::find_if(calls_.begin(), calls_.end(),
                     [&](const auto& it) { return it.get() == &calls; }) -
        calls_.begin());
    NodeCall& call = *calls.of[index];
    world_.memory().Enter(number, rank);
    call.begun = true;
    blocks_[rank] = world_.random()() % 8 == 0;
    call.handle = world_.Begin(rank, *calls.team->at[rank], call.request);
    if (call.handle == nullptr) {
      SyncOne(calls, index, number);
    } else {
      begun_[rank].push_back(number);
    }
    return true;
  }
  return false;
}

bool Program::SyncSome(Rank rank) {
  std::vector<size_t>& begun = begun_[rank];
  if (begun.empty()) return false;
  const size_t at = world_.random()() % begun.size();
  const size_t number = begun[at];
  Calls& calls = *calls_[number];
  const auto& ranks = calls.team->ranks;
  const auto index = static_cast<Rank>(
      std::find(ranks.begin(), ranks.end(), rank) - ranks.begin());
  if (!calls.of[index]->handle->IsSynced()) return false;
  begun.erase(begun.begin() + static_cast<std::ptrdiff_t>(at));
  SyncOne(calls, index, number);
  return true;
}

void Program::SyncOne(Calls& calls, Rank index, size_t number) {
  const Rank rank = calls.team->ranks[index];
  NodeCall& call = *calls.of[index];
  if (call.request.kind == CollectiveKind::kBarrier) {
    if (call.handle == nullptr && HasVote(call.request) &&
        calls.of.size() > 1) {
      world_.Complain("a barrier whose result nobody can ask for");
    } else if (call.handle != nullptr &&
               call.handle->vote.mismatch != calls.vote.mismatch) {
      world_.Complain(absl::StrCat("rank ", rank, " got another vote"));
    }
  }
  if (call.handle != nullptr) world_.node(rank).Release(*call.handle);
  call.synced = true;
  world_.memory().Synced(number, rank);
  // The node's lists may be freed now, since is_synced does not read them any
  // more.
  calls.of[index].reset();
  --open_;
}

}  // namespace gasnet::coll::testing
