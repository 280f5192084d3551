// Collectives of all kinds under way at once, of one team and of teams that
// overlap. They are begun in one order and synced in any order. One root is far
// ahead of its members, and one waits for members that enter late (GASNet-EX,
// section 16.1).
#include <sched.h>
#include <string.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "conformance/ex/coll_data.h"
#include "conformance/out_of_band.h"

namespace conformance {
namespace {

enum { kBegun };  // out-of-band word: the root has begun all broadcasts

constexpr int kRounds = 40;
constexpr int kInFlight = 24;
constexpr size_t kMax = 3000;  // maximum number of elements of a collective

enum class Kind { kBarrier, kBroadcast, kToOne, kToAll };

// A team as all processes know it: by the jobranks of its members. A member
// also has the team's handle.
struct Team {
  gex_TM_t tm = GEX_TM_INVALID;  // invalid if this process is no member
  std::vector<gex_Rank_t> members;
};

void Unite(const void* arg1, void* arg2, size_t count, const void*) {
  const int32_t* left = static_cast<const int32_t*>(arg1);
  int32_t* right = static_cast<int32_t*>(arg2);
  for (size_t i = 0; i < count; ++i) right[i] ^= left[i];
}

class Operation {
 public:
  Operation(Random& random, const std::vector<Team>& teams)
      : team_(&teams[random.Below(teams.size())]),
        kind_(static_cast<Kind>(random.Below(4))),
        root_(static_cast<gex_Rank_t>(random.Below(team_->members.size()))),
        count_(1 + random.Below(random.Below(3) == 0 ? kMax : 20)),
        is_user_(random.Below(3) == 0),
        in_place_(random.Below(2) == 0),
        key_(static_cast<uint32_t>(random.Next())) {}

  bool is_mine() const { return team_->tm != GEX_TM_INVALID; }

  gex_Event_t Start() {
    const bool is_root = gex_TM_QueryRank(team_->tm) == root_;
    source_ = std::make_unique<int32_t[]>(count_);
    result_ = std::make_unique<int32_t[]>(count_);
    for (size_t i = 0; i < count_; ++i) source_[i] = Value(ex.rank, i);
    gets_ = kind_ == Kind::kBroadcast || kind_ == Kind::kToAll || is_root;
    const bool may_be_in_place = kind_ != Kind::kBroadcast || is_root;
    to_ = in_place_ && may_be_in_place ? source_.get() : result_.get();
    const gex_OP_t op = is_user_ ? GEX_OP_USER : GEX_OP_XOR;
    switch (kind_) {
      case Kind::kBarrier:
        gets_ = false;
        return gex_Coll_BarrierNB(team_->tm, 0);
      case Kind::kBroadcast:
        return gex_Coll_BroadcastNB(team_->tm, root_, to_, source_.get(),
                                    count_ * 4, 0);
      case Kind::kToOne:
        return gex_Coll_ReduceToOneNB(team_->tm, root_, is_root ? to_ : nullptr,
                                      source_.get(), GEX_DT_I32, 4, count_, op,
                                      is_user_ ? Unite : nullptr, nullptr, 0);
      case Kind::kToAll:
        return gex_Coll_ReduceToAllNB(team_->tm, to_, source_.get(), GEX_DT_I32,
                                      4, count_, op, is_user_ ? Unite : nullptr,
                                      nullptr, 0);
    }
    return GEX_EVENT_INVALID;
  }

  // Checks the result once the event is synced, and spoils memory that may be
  // reused.
  void Check() {
    for (size_t i = 0; gets_ && i < count_; ++i) CHECK_EQ(to_[i], Expected(i));
    memset(source_.get(), 0xDD, count_ * 4);
    memset(result_.get(), 0xDD, count_ * 4);
  }

 private:
  int32_t Value(gex_Rank_t jobrank, size_t i) const {
    return static_cast<int32_t>((key_ + jobrank * 0x10001u + i) * 2654435761u);
  }
  int32_t Expected(size_t i) const {
    if (kind_ == Kind::kBroadcast) return Value(team_->members[root_], i);
    int32_t all = 0;
    for (gex_Rank_t member : team_->members) all ^= Value(member, i);
    return all;
  }

  const Team* team_;
  Kind kind_;
  gex_Rank_t root_;
  size_t count_;
  bool is_user_;
  bool in_place_;
  uint32_t key_;
  std::unique_ptr<int32_t[]> source_;
  std::unique_ptr<int32_t[]> result_;
  int32_t* to_ = nullptr;
  bool gets_ = false;
};

// Makes five teams: all processes in reverse order, the processes of each
// parity, all but the first, all but the last in reverse order, and all.
std::vector<Team> MakeTeams() {
  std::vector<Team> teams;
  const auto add = [&](auto color, bool is_reversed) {
    const int mine = color(ex.rank);
    const int key = is_reversed ? -static_cast<int>(ex.rank) : 0;
    gex_TM_t tm = GEX_TM_INVALID;
    gex_TM_Split(mine < 0 ? nullptr : &tm, ex.tm, std::max(mine, 0), key,
                 nullptr, 0, GEX_FLAG_TM_NO_SCRATCH);
    for (int which = 0; which < 2; ++which) {
      Team team;
      for (gex_Rank_t rank = 0; rank < ex.size; ++rank) {
        if (color(rank) == which) team.members.push_back(rank);
      }
      if (is_reversed) std::reverse(team.members.begin(), team.members.end());
      if (which == mine) team.tm = tm;
      if (!team.members.empty()) teams.push_back(team);
    }
  };
  const gex_Rank_t last = ex.size - 1;
  add([](gex_Rank_t) { return 0; }, true);
  add([](gex_Rank_t rank) { return static_cast<int>(rank % 2); }, false);
  add([](gex_Rank_t rank) { return rank == 0 ? -1 : 0; }, false);
  add([=](gex_Rank_t rank) { return rank == last ? -1 : 0; }, true);
  Team all;
  all.tm = ex.tm;
  for (gex_Rank_t rank = 0; rank < ex.size; ++rank) all.members.push_back(rank);
  teams.push_back(all);
  return teams;
}

// SyncInOrder syncs all events one by one in a random order. SyncSome syncs
// them as an array.
void SyncInOrder(Random& own, std::vector<gex_Event_t>& events,
                 std::vector<Operation*>& operations) {
  while (!events.empty()) {
    const size_t which = own.Below(events.size());
    if (own.Below(2) == 0) {
      gex_Event_Wait(events[which]);
    } else {
      while (gex_Event_Test(events[which]) != 0) CHECK_OK(gasnet_AMPoll());
    }
    operations[which]->Check();
    events.erase(events.begin() + static_cast<ptrdiff_t>(which));
    operations.erase(operations.begin() + static_cast<ptrdiff_t>(which));
  }
}
void SyncSome(std::vector<gex_Event_t>& events,
              std::vector<Operation*>& operations) {
  std::vector<bool> checked(events.size());
  size_t left = events.size();
  while (left > 0) {
    gex_Event_WaitSome(events.data(), events.size(), 0);
    for (size_t i = 0; i < events.size(); ++i) {
      if (events[i] != GEX_EVENT_INVALID || checked[i]) continue;
      operations[i]->Check();
      checked[i] = true;
      --left;
    }
  }
}

void Round(const std::vector<Team>& teams, Random& common, Random& own) {
  std::vector<Operation> all;
  for (int i = 0; i < kInFlight; ++i) all.emplace_back(common, teams);
  std::vector<gex_Event_t> events;
  std::vector<Operation*> mine;
  for (Operation& operation : all) {
    if (!operation.is_mine()) continue;
    if (own.Below(6) == 0) CHECK_OK(gasnet_AMPoll());
    events.push_back(operation.Start());
    CHECK(events.back() != GEX_EVENT_NO_OP);
    mine.push_back(&operation);
  }
  switch (own.Below(3)) {
    case 0:
      return SyncInOrder(own, events, mine);
    case 1:
      return SyncSome(events, mine);
    default:
      gex_Event_WaitAll(events.data(), events.size(), 0);
      for (Operation* operation : mine) operation->Check();
  }
}

// Lets the root begin many broadcasts without waiting for the other members.
// The root reports out of band when it has begun the last broadcast. Only then
// do the others begin the first. All messages of these broadcasts have room.
void FarAhead() {
  constexpr int kMany = 20;
  const auto values = std::make_unique<int[]>(kMany);
  std::vector<gex_Event_t> events;
  while (ex.rank != 0 && OutOfBand(kBegun) == 0) sched_yield();
  for (int i = 0; i < kMany; ++i) {
    values[i] = ex.rank == 0 ? i * 3 : -1;
    events.push_back(
        gex_Coll_BroadcastNB(ex.tm, 0, &values[i], &values[i], 4, 0));
  }
  if (ex.rank == 0) OutOfBand(kBegun) = 1;
  gex_Event_WaitAll(events.data(), events.size(), 0);
  for (int i = 0; i < kMany; ++i) CHECK_EQ(values[i], i * 3);
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;  // NOLINT(google-build-using-namespace)
  StartExJob(&argc, &argv, 1);
  const std::vector<Team> teams = MakeTeams();
  Random common(0);
  Random own(ex.rank + 1);
  for (int round = 0; round < kRounds; ++round) Round(teams, common, own);
  FarAhead();
  for (const Team& team : teams) {
    if (team.tm != GEX_TM_INVALID && team.tm != ex.tm) {
      gex_TM_Destroy(team.tm, nullptr, 0);
    }
  }
  return FinishJob();
}
