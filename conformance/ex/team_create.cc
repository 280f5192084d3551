// Teams made of lists of members. Lists name members by ranks of the parent or
// by jobranks. Two teams are made at a time, some callers join no team, and
// scratch space is passed in every legal way (GASNet-EX, section 9.3).
#include <algorithm>
#include <initializer_list>
#include <vector>

#include "conformance/ex/ex_rma.h"

namespace conformance {
namespace {

constexpr size_t kScratch = size_t{4} << 20;
constexpr size_t kWords = 4096;  // bytes before the scratch space

using Members = std::vector<gex_Rank_t>;  // jobranks, indexed by rank

constexpr gex_Flags_t kModes[] = {
    GEX_FLAG_TM_NO_SCRATCH, GEX_FLAG_TM_LOCAL_SCRATCH,
    GEX_FLAG_TM_GLOBAL_SCRATCH, GEX_FLAG_TM_SYMMETRIC_SCRATCH};

char* ScratchOf(gex_Rank_t jobrank) { return BaseOf(jobrank) + kWords; }

// Returns true if the members' segments are at the same address. Only then may
// scratch space be symmetric.
bool AreAligned(const Members& members) {
  return std::all_of(members.begin(), members.end(), [&](gex_Rank_t member) {
    return BaseOf(member) == BaseOf(members[0]);
  });
}

void CheckTeam(gex_TM_t tm, const Members& members) {
  CHECK(tm != GEX_TM_INVALID);
  CHECK_EQ(gex_TM_QuerySize(tm), members.size());
  CHECK_EQ(members[gex_TM_QueryRank(tm)], ex.rank);
  CHECK(gex_TM_QueryEP(tm) == ex.ep);
  CHECK(gex_TM_QueryCData(tm) == nullptr);
  int64_t expected = 0;
  for (gex_Rank_t rank = 0; rank < members.size(); ++rank) {
    CHECK_EQ(gex_TM_TranslateRankToJobrank(tm, rank), members[rank]);
    CHECK_EQ(gex_TM_TranslateJobrankToRank(tm, members[rank]), rank);
    expected += int64_t{members[rank]} * 10 + 1;
  }
  int64_t sum = int64_t{ex.rank} * 10 + 1;
  gex_Event_Wait(gex_Coll_ReduceToAllNB(tm, &sum, &sum, GEX_DT_I64, 8, 1,
                                        GEX_OP_ADD, nullptr, nullptr, 0));
  CHECK_EQ(sum, expected);
  const gex_Rank_t next = (gex_TM_QueryRank(tm) + 1) % members.size();
  char* const there = BaseOf(members[next]);
  CHECK_EQ(gex_RMA_PutBlockingVal(tm, next, there, ex.rank, 4, 0), 0);
  gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
  const gex_Rank_t before =
      (gex_TM_QueryRank(tm) + members.size() - 1) % members.size();
  CHECK_EQ(*reinterpret_cast<uint32_t*>(BaseOf(ex.rank)), members[before]);
  gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
}

// Returns the locations of members in a parent, given the parent's jobranks.
std::vector<gex_EP_Location_t> Locations(const Members& members,
                                         const Members& parent,
                                         bool by_jobrank) {
  std::vector<gex_EP_Location_t> args;
  for (gex_Rank_t member : members) {
    const auto at = std::find(parent.begin(), parent.end(), member);
    const gex_Rank_t rank = static_cast<gex_Rank_t>(at - parent.begin());
    args.push_back({by_jobrank ? member : rank, 0});
  }
  return args;
}

// Tests a partition. Each caller passes the list in which it is a member, or no
// list.
void Test(gex_TM_t tm_parent, const Members& parent,
          const std::vector<Members>& teams, gex_Flags_t mode,
          bool by_jobrank) {
  const gex_Flags_t ranks = by_jobrank ? GEX_FLAG_RANK_IS_JOBRANK : 0;
  const auto mine =
      std::find_if(teams.begin(), teams.end(), [](const Members& members) {
        return std::find(members.begin(), members.end(), ex.rank) !=
               members.end();
      });
  if (mine == teams.end()) {
    const gex_Flags_t none = mode | ranks;
    CHECK_EQ(gex_TM_Create(nullptr, 0, tm_parent, nullptr, 0, nullptr, 0,
                           none | GEX_FLAG_TM_SCRATCH_SIZE_RECOMMENDED),
             0);
    gex_TM_Create(nullptr, 0, tm_parent, nullptr, 0, nullptr, 0, none);
    return;
  }
  std::vector<gex_EP_Location_t> args = Locations(*mine, parent, by_jobrank);
  gex_TM_t tm = GEX_TM_INVALID;
  const size_t bytes =
      gex_TM_Create(&tm, 1, tm_parent, args.data(), args.size(), nullptr, 0,
                    mode | ranks | GEX_FLAG_TM_SCRATCH_SIZE_RECOMMENDED);
  CHECK(tm == GEX_TM_INVALID);
  CHECK(bytes <= kScratch);
  std::vector<gex_Addr_t> scratch;
  if (mode == GEX_FLAG_TM_LOCAL_SCRATCH) scratch = {ScratchOf(ex.rank)};
  if (mode == GEX_FLAG_TM_SYMMETRIC_SCRATCH) scratch = {ScratchOf(ex.rank)};
  if (mode == GEX_FLAG_TM_GLOBAL_SCRATCH) {
    for (gex_Rank_t member : *mine) scratch.push_back(ScratchOf(member));
  }
  const size_t lent = std::max<size_t>(bytes, 64);
  gex_TM_Create(&tm, 1, tm_parent, args.data(), args.size(), scratch.data(),
                lent, mode | ranks);
  std::fill(args.begin(), args.end(), gex_EP_Location_t{99, 9});
  CheckTeam(tm, *mine);
  gex_Memvec_t given = {nullptr, 0};
  const bool has_scratch = mode != GEX_FLAG_TM_NO_SCRATCH;
  CHECK_EQ(gex_TM_Destroy(tm, &given, 0) != 0, has_scratch);
  if (has_scratch) {
    CHECK_EQ(given.gex_addr, ScratchOf(ex.rank));
    CHECK_EQ(given.gex_len, lent);
  }
}

Members All() {
  Members all;
  for (gex_Rank_t rank = 0; rank < ex.size; ++rank) all.push_back(rank);
  return all;
}

// Returns partitions into lists. The ranks are in order, in reverse order, or
// split by parity. Some ranks are in no list.
std::vector<std::vector<Members>> Partitions() {
  Members reversed = All();
  std::reverse(reversed.begin(), reversed.end());
  Members odd;
  Members even;
  for (gex_Rank_t rank : reversed) (rank % 2 == 0 ? even : odd).push_back(rank);
  std::vector<std::vector<Members>> partitions = {
      {All()}, {reversed}, {even, odd}, {even}, {odd}, {{ex.size - 1}}};
  if (ex.size > 2) partitions.push_back({{2, 0}, {1}});
  return partitions;
}

void TestAll(gex_TM_t tm, const Members& parent) {
  for (const std::vector<Members>& teams : Partitions()) {
    const bool aligned = std::all_of(teams.begin(), teams.end(), AreAligned);
    for (gex_Flags_t mode : kModes) {
      if (mode == GEX_FLAG_TM_SYMMETRIC_SCRATCH && !aligned) continue;
      for (bool by_jobrank : {false, true}) {
        Test(tm, parent, teams, mode, by_jobrank);
        gex_Event_Wait(gex_Coll_BarrierNB(ex.tm, 0));
      }
    }
  }
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;  // NOLINT(google-build-using-namespace)
  StartExJob(&argc, &argv, kWords + kScratch);
  TestAll(ex.tm, All());

  // In this parent, ranks differ from jobranks.
  gex_TM_t reversed = GEX_TM_INVALID;
  gex_TM_Split(&reversed, ex.tm, 0, -static_cast<int>(ex.rank), nullptr, 0,
               GEX_FLAG_TM_NO_SCRATCH);
  Members parent = All();
  std::reverse(parent.begin(), parent.end());
  TestAll(reversed, parent);
  gex_TM_Destroy(reversed, nullptr, 0);
  return FinishJob();
}
