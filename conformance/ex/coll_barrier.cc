// The barrier of a team:
//
// - No member leaves before all have entered.
// - Several barriers are under way, of one team and of teams that overlap.
// - Barriers complete by tests and by waits of their events.
// - Arrays keep events that are not complete (GASNet-EX, sections 10.1
//   and 16.2).
#include <sched.h>

#include <initializer_list>
#include <vector>

#include "conformance/ex/ex_rma.h"
#include "conformance/out_of_band.h"

namespace conformance {
namespace {

constexpr int kRounds = 60;
constexpr int kDepth = 4;  // barriers of one team under way
constexpr int kTeams = 3;
enum { kMessage = 200 };
// Out-of-band words: the number of finished checks of a barrier, and the number
// of messages that were sent.
constexpr int kLooked = 60;
constexpr int kSent = 61;

// Returns an out-of-band word. It counts the entries of all members of a team
// into one of the team's barriers.
std::atomic<uint32_t>& Entered(int team, int which) {
  return OutOfBand(team * kDepth * 2 + which);
}

struct Team {
  gex_TM_t tm;
  // index of the team's words; each team has its own index
  int words;
};

using Pass = void (*)(gex_Event_t event);
void Wait(gex_Event_t event) { gex_Event_Wait(event); }
void Test(gex_Event_t event) {
  while (gex_Event_Test(event) != 0) CHECK_OK(gasnet_AMPoll());
}
void WaitSome(gex_Event_t event) { gex_Event_WaitSome(&event, 1, 0); }
void TestAll(gex_Event_t event) {
  while (gex_Event_TestAll(&event, 1, 0) != 0) CHECK_OK(gasnet_AMPoll());
}
void OfFirstInterface(gex_Event_t event) { gasnet_wait_syncnb(event); }
constexpr Pass kPasses[] = {Wait, Test, WaitSome, TestAll, OfFirstInterface};

// Checks that every member has entered the barrier `round` times.
void CheckEntered(const Team& team, int which, uint32_t round) {
  CHECK(Entered(team.words, which) >= round * gex_TM_QuerySize(team.tm));
}

// Begins barriers of all teams in one order, and syncs them in another.
void Round(const std::vector<Team>& teams, uint32_t round, Random& random) {
  gex_Event_t events[kTeams][kDepth];
  for (int which = 0; which < kDepth; ++which) {
    for (size_t t = 0; t < teams.size(); ++t) {
      if (random.Below(4) == 0) sched_yield();
      ++Entered(teams[t].words, which);
      events[t][which] = gex_Coll_BarrierNB(teams[t].tm, 0);
      CHECK(events[t][which] != GEX_EVENT_NO_OP);
    }
  }
  const Pass pass = kPasses[random.Below(COUNT_OF(kPasses))];
  const bool backwards = random.Below(2) == 0;
  for (int i = 0; i < kDepth; ++i) {
    const int which = backwards ? kDepth - 1 - i : i;
    for (size_t t = teams.size(); t > 0; --t) {
      pass(events[t - 1][which]);
      CheckEntered(teams[t - 1], which, round);
    }
  }
}

// Lets the last rank enter late. Until the last rank has entered, tests of an
// array must leave the barrier's event in it, and clear all other events.
void LateMember(uint32_t round) {
  if (ex.rank == ex.size - 1) {
    while (OutOfBand(kLooked) < round * (ex.size - 1)) sched_yield();
    gex_Event_Wait(gex_Coll_BarrierNB(ex.tm, 0));
    return;
  }
  const gex_Event_t barrier = gex_Coll_BarrierNB(ex.tm, 0);
  CHECK(gex_Event_Test(barrier) != 0);
  gex_Event_t leaf;
  gex_Event_t events[] = {
      barrier, GEX_EVENT_INVALID,
      gex_RMA_PutNBVal(ex.tm, ex.rank, BaseOf(ex.rank), round, 4, 0),
      GEX_EVENT_INVALID, GEX_EVENT_INVALID};
  events[4] =
      gex_RMA_PutNB(ex.tm, ex.rank, BaseOf(ex.rank) + 8, &round, 4, &leaf, 0);
  events[3] = leaf;
  const auto others_done = [&] {
    return events[2] == GEX_EVENT_INVALID && events[3] == GEX_EVENT_INVALID &&
           events[4] == GEX_EVENT_INVALID;
  };
  if (round % 2 == 0) {
    while (!others_done()) {
      gex_Event_WaitSome(events, 5, 0);
      CHECK(events[0] == barrier);
    }
  } else {
    while (!others_done()) {
      CHECK(gex_Event_TestAll(events, 5, 0) != 0);
      CHECK(events[0] == barrier);
      CHECK_OK(gasnet_AMPoll());
    }
  }
  for (int i = 0; i < 100; ++i) {
    CHECK(gex_Event_TestSome(events, 5, 0) != 0);
    CHECK(gex_Event_TestAll(events, 5, 0) != 0);
    CHECK(events[0] == barrier);
    CHECK_OK(gasnet_AMPoll());
  }
  ++OutOfBand(kLooked);
  gex_Event_WaitAll(events, 5, 0);
  CHECK(events[0] == GEX_EVENT_INVALID);
}

// Checks that a rank which enters every barrier last still serves messages. The
// other ranks send to it before they enter. If they share memory with it, their
// messages have arrived by then.
uint32_t handled = 0;
void OnMessage(gex_Token_t) { ++handled; }
gex_AM_Entry_t handlers[] = {
    {kMessage, reinterpret_cast<gex_AM_Fn_t>(OnMessage),
     GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 0, nullptr, "OnMessage"}};

void LastServes(uint32_t round) {
  const bool is_last = ex.rank == ex.size - 1;
  if (!is_last) {
    CHECK_EQ(gex_AM_RequestShort0(ex.tm, ex.size - 1, kMessage, 0), 0);
    ++OutOfBand(kSent);
  } else {
    while (OutOfBand(kSent) < round * (ex.size - 1)) sched_yield();
  }
  if (round % 2 == 0) {
    gex_Coll_BarrierBlocking(ex.tm, 0);
  } else {
    gex_Event_Wait(gex_Coll_BarrierNB(ex.tm, 0));
  }
  gex_Rank_t near = 0;
  gex_System_QueryNbrhdInfo(nullptr, &near, nullptr);
  // `handled` may be greater: other ranks may be a round ahead by now.
  if (is_last && near == ex.size) CHECK(handled >= round * (ex.size - 1));
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;  // NOLINT(google-build-using-namespace)
  StartExJob(&argc, &argv, 4096, handlers, COUNT_OF(handlers));
  std::vector<Team> teams = {{ex.tm, 0}};
  gex_TM_t tm = GEX_TM_INVALID;
  // One split is by parity; the other leaves out the last rank.
  gex_TM_Split(&tm, ex.tm, static_cast<int>(ex.rank % 2), 0, nullptr, 0,
               GEX_FLAG_TM_NO_SCRATCH);
  teams.push_back({tm, ex.rank % 2 == 0 ? 1 : 2});
  const bool is_last = ex.rank == ex.size - 1;
  gex_TM_Split(is_last ? nullptr : &tm, ex.tm, 0, -static_cast<int>(ex.rank),
               nullptr, 0, GEX_FLAG_TM_NO_SCRATCH);
  if (!is_last) teams.push_back({tm, 3});

  Random random(ex.rank);
  for (uint32_t round = 1; round <= kRounds; ++round) {
    Round(teams, round, random);
  }
  for (uint32_t round = 1; round <= 20; ++round) LateMember(round);
  for (uint32_t round = 1; round <= 20; ++round) LastServes(round);
  for (size_t t = 1; t < teams.size(); ++t) {
    CHECK_EQ(gex_TM_Destroy(teams[t].tm, nullptr, 0), 0);
  }
  gex_Coll_BarrierBlocking(ex.tm, 0);
  return FinishJob();
}
