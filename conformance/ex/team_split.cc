// Splits of teams (GASNet-EX, sections 9.1, 9.2, 9.4 and 9.6):
//
// - the color determines the members
// - the key determines the ranks; equal keys keep the parent's order
// - a team's properties, translations of ranks, and messages to its ranks
// - the destruction of a team
#include <string.h>

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "conformance/ex/ex_rma.h"

namespace conformance {
namespace {

constexpr int kHandler = 206;
constexpr int kRounds = 25;

std::atomic<uint32_t> handled{0};
std::atomic<int64_t> sum_of_sources{0};

void Count(gex_Token_t token, gex_AM_Arg_t from) {
  gex_Token_Info_t info;
  gex_Token_Info(token, &info, GEX_TI_SRCRANK);
  CHECK_EQ(info.gex_srcrank, static_cast<gex_Rank_t>(from));
  sum_of_sources += from;
  ++handled;
}

gex_AM_Entry_t table[] = {{kHandler, reinterpret_cast<gex_AM_Fn_t>(Count),
                           GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 1, nullptr,
                           "Count"}};

// The arguments of one member of the parent. Every process can compute the
// arguments of all members.
struct Choice {
  bool joins;
  int color;
  int key;
};

using Members = std::vector<gex_Rank_t>;  // jobranks, indexed by rank

Members Model(const Members& parent, const std::vector<Choice>& choices,
              int color) {
  // pairs of key and rank in the parent
  std::vector<std::pair<int, gex_Rank_t>> chosen;
  for (gex_Rank_t rank = 0; rank < parent.size(); ++rank) {
    if (choices[rank].joins && choices[rank].color == color) {
      chosen.emplace_back(choices[rank].key, rank);
    }
  }
  std::sort(chosen.begin(), chosen.end());
  Members members;
  for (const auto& [key, rank] : chosen) members.push_back(parent[rank]);
  return members;
}

void CheckTranslations(gex_TM_t tm, const Members& members) {
  for (gex_Rank_t rank = 0; rank < members.size(); ++rank) {
    CHECK_EQ(gex_TM_TranslateRankToJobrank(tm, rank), members[rank]);
    CHECK_EQ(gex_TM_TranslateJobrankToRank(tm, members[rank]), rank);
    const gex_EP_Location_t at = gex_TM_TranslateRankToEP(tm, rank, 0);
    CHECK_EQ(at.gex_rank, members[rank]);
    CHECK_EQ(at.gex_ep_index, 0);
  }
  for (gex_Rank_t jobrank = 0; jobrank < ex.size; ++jobrank) {
    if (std::find(members.begin(), members.end(), jobrank) == members.end()) {
      CHECK_EQ(gex_TM_TranslateJobrankToRank(tm, jobrank), GEX_RANK_INVALID);
    }
  }
}

// Puts to, gets from and sends a message to each member, by its rank in the
// team.
void UseRanks(gex_TM_t tm, const Members& members, uint64_t key) {
  const gex_Rank_t mine = gex_TM_QueryRank(tm);
  handled = 0;
  sum_of_sources = 0;
  gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
  int64_t expected = 0;
  for (gex_Rank_t rank = 0; rank < members.size(); ++rank) {
    uint64_t* const words = reinterpret_cast<uint64_t*>(BaseOf(members[rank]));
    const uint64_t word = key + mine * 10 + rank;
    CHECK_EQ(gex_RMA_PutBlocking(tm, rank, words + mine, &word, 8, 0), 0);
    CHECK_EQ(gex_RMA_GetBlockingVal(tm, rank, words + mine, 8, 0), word);
    CHECK_EQ(gex_AM_RequestShort1(tm, rank, kHandler, 0,
                                  static_cast<gex_AM_Arg_t>(ex.rank)),
             0);
    CHECK_EQ(
        gex_AM_MaxRequestMedium(tm, rank, GEX_EVENT_NOW, 0, 1),
        gex_AM_MaxRequestMedium(ex.tm, members[rank], GEX_EVENT_NOW, 0, 1));
    void* address = nullptr;
    gex_Event_Wait(
        gex_EP_QueryBoundSegmentNB(tm, rank, &address, nullptr, nullptr, 0));
    CHECK_EQ(address, BaseOf(members[rank]));
    expected += members[rank];
  }
  GASNET_BLOCKUNTIL(handled == members.size());
  CHECK_EQ(sum_of_sources, expected);
  gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
  const uint64_t* const own = reinterpret_cast<uint64_t*>(BaseOf(ex.rank));
  for (gex_Rank_t rank = 0; rank < members.size(); ++rank) {
    CHECK_EQ(own[rank], key + rank * 10 + mine);
  }
  gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
}

void CheckTeam(gex_TM_t tm, const Members& members, uint64_t key) {
  CHECK(tm != GEX_TM_INVALID);
  CHECK(tm != ex.tm);
  CHECK_EQ(gex_TM_QuerySize(tm), members.size());
  CHECK_EQ(members[gex_TM_QueryRank(tm)], ex.rank);
  CHECK(gex_TM_QueryClient(tm) == ex.client);
  CHECK(gex_TM_QueryEP(tm) == ex.ep);
  CHECK(gex_TM_QueryCData(tm) == nullptr);
  gex_TM_SetCData(tm, &ex);
  CHECK(gex_TM_QueryCData(tm) == &ex);
  CHECK(gex_TM_QueryCData(ex.tm) == nullptr);
  CheckTranslations(tm, members);
  UseRanks(tm, members, key);
}

// The scratch space of a team, at the end of the segment. A team that is split
// from another team has its own part.
struct Scratch {
  void* address;
  size_t bytes;
};

// Splits a team by the choices of all its members, and checks the new teams.
// Then splits the new team of this process, up to `depth` times.
void Test(Random& random, gex_TM_t parent, const Members& parents, int depth,
          char* scratch) {
  std::vector<Choice> choices;
  const bool has_scratch = random.Below(2) == 0;
  const int colors = 1 + static_cast<int>(random.Below(3));
  const int keys = 1 + static_cast<int>(random.Below(4));
  for (size_t i = 0; i < parents.size(); ++i) {
    choices.push_back({random.Below(8) != 0,
                       static_cast<int>(random.Below(colors)) * 1000003,
                       static_cast<int>(random.Below(keys)) - keys / 2});
  }
  const gex_Rank_t mine = gex_TM_QueryRank(parent);
  const Choice& choice = choices[mine];
  gex_TM_t tm = GEX_TM_INVALID;
  gex_TM_t* const wanted = choice.joins ? &tm : nullptr;

  // All members query the size first. The query makes no team.
  const size_t recommended =
      gex_TM_Split(wanted, parent, choice.color, choice.key, nullptr, 0,
                   GEX_FLAG_TM_SCRATCH_SIZE_RECOMMENDED);
  CHECK(tm == GEX_TM_INVALID);
  CHECK_EQ(recommended > 0, choice.joins);
  const Scratch lent = {scratch, recommended};
  if (has_scratch) {
    gex_TM_Split(wanted, parent, choice.color, choice.key, lent.address,
                 lent.bytes, 0);
  } else {
    gex_TM_Split(wanted, parent, choice.color, choice.key, nullptr, 0,
                 GEX_FLAG_TM_NO_SCRATCH);
  }
  if (!choice.joins) {
    CHECK(tm == GEX_TM_INVALID);
    return;
  }
  const Members members = Model(parents, choices, choice.color);
  CheckTeam(tm, members, random.Next() % 1000000);

  // Checks that the recommended size is the same on all members.
  uint64_t sizes[2] = {recommended, ~uint64_t{recommended}};
  uint64_t most[2];
  gex_Event_Wait(gex_Coll_ReduceToAllNB(tm, most, sizes, GEX_DT_U64, 8, 2,
                                        GEX_OP_MAX, nullptr, nullptr, 0));
  CHECK_EQ(most[0], sizes[0]);
  CHECK_EQ(most[1], sizes[1]);

  if (depth > 0) {
    Test(random, tm, members, depth - 1, scratch + recommended);
  }
  gex_Memvec_t given = {&given, 1};
  const int result = gex_TM_Destroy(tm, &given, 0);
  CHECK_EQ(result != 0, has_scratch);
  if (has_scratch) {
    CHECK_EQ(given.gex_addr, lent.address);
    CHECK_EQ(given.gex_len, lent.bytes);
  }
}

// Runs rounds of random splits. Members of a team must agree on choices. So
// they draw the same random numbers until a split separates them.
void Rounds(char* scratch) {
  Members all;
  for (gex_Rank_t rank = 0; rank < ex.size; ++rank) all.push_back(rank);
  for (int round = 0; round < kRounds; ++round) {
    Random random(round);
    Test(random, ex.tm, all, 2, scratch);
    gex_Event_Wait(gex_Coll_BarrierNB(ex.tm, 0));
  }
}

size_t AskSize() {
  gex_TM_t tm;
  return gex_TM_Split(&tm, ex.tm, 0, 0, nullptr, 0,
                      GEX_FLAG_TM_SCRATCH_SIZE_RECOMMENDED);
}

// Makes a team of all members of the parent: all give the same color. The keys
// reverse the order of ranks.
void Reverse() {
  gex_TM_t tm = GEX_TM_INVALID;
  gex_TM_Split(&tm, ex.tm, 2147483647, -static_cast<int>(ex.rank), nullptr, 0,
               GEX_FLAG_TM_NO_SCRATCH);
  CHECK_EQ(gex_TM_QueryRank(tm), ex.size - 1 - ex.rank);
  CHECK_EQ(gex_TM_QuerySize(tm), ex.size);
  gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
  CHECK_EQ(gex_TM_Destroy(tm, nullptr, GEX_FLAG_GLOBALLY_QUIESCED), 0);
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;  // NOLINT(google-build-using-namespace)
  // Splits are three deep. So the segment has three times the scratch space
  // that the reference recommends.
  constexpr size_t kScratch = size_t{4} << 20;
  StartExJob(&argc, &argv, GASNET_PAGESIZE + 3 * kScratch, table, 1);
  CHECK(AskSize() <= kScratch);
  Members all;
  for (gex_Rank_t rank = 0; rank < ex.size; ++rank) all.push_back(rank);
  CheckTranslations(ex.tm, all);
  Reverse();
  Rounds(BaseOf(ex.rank) + GASNET_PAGESIZE);
  return FinishJob();
}
