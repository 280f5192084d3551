// The processes that share memory, and the processes of one host. Each list is
// sorted. The query returns this process's index in the list. Two processes
// have the same group number only if they are in the same group (GASNet-EX,
// section 5.4). The argument is the size of the largest neighbourhood, or 0 for
// no limit.
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

#include "conformance/ex/ex_harness.h"

namespace conformance {
namespace {

enum { kTell = 200 };

// A process's view of its neighbourhood, or of its host.
struct Group {
  gex_Rank_t groups;
  gex_Rank_t number;
  gex_Rank_t members;
  bool has[64];
};
struct View {
  Group neighbourhood;
  Group host;
};
std::unique_ptr<View[]> views;
std::atomic<int> told{0};

void OnTell(gex_Token_t token, void* buffer, size_t bytes) {
  CHECK_EQ(bytes, sizeof(View));
  gex_Token_Info_t info;
  gex_Token_Info(token, &info, GEX_TI_SRCRANK);
  memcpy(&views[info.gex_srcrank], buffer, bytes);
  ++told;
}

template <class Query>
Group Look(Query query) {
  Group group = {};
  gex_RankInfo_t* info;
  gex_Rank_t mine;
  query(&info, &group.members, &mine);
  CHECK(group.members >= 1 && mine < group.members);
  CHECK_EQ(info[mine].gex_jobrank, Me());
  for (gex_Rank_t i = 0; i < group.members; ++i) {
    CHECK(info[i].gex_jobrank < Size());
    CHECK(i == 0 || info[i - 1].gex_jobrank < info[i].gex_jobrank);
    group.has[info[i].gex_jobrank] = true;
  }
  // The second query returns the same table. Every result pointer may be null.
  gex_RankInfo_t* again;
  query(&again, nullptr, nullptr);
  CHECK(again == info);
  query(nullptr, nullptr, nullptr);
  return group;
}

void CheckGroups(Group View::*kind) {
  std::vector<bool> numbers(Size());
  for (gex_Rank_t a = 0; a < Size(); ++a) {
    const Group& one = views[a].*kind;
    CHECK_EQ(one.groups, (views[0].*kind).groups);
    CHECK(one.number < one.groups);
    numbers[one.number] = true;
    for (gex_Rank_t b = 0; b < Size(); ++b) {
      const Group& other = views[b].*kind;
      CHECK_EQ(one.number == other.number, one.has[b]);
      CHECK_EQ(one.has[b], other.has[a]);
    }
  }
  CHECK_EQ(std::count(numbers.begin(), numbers.end(), true),
           (views[0].*kind).groups);
}

void CheckSizes(gex_Rank_t most) {
  for (gex_Rank_t a = 0; a < Size(); ++a) {
    const Group& neighbourhood = views[a].neighbourhood;
    if (most != 0) CHECK(neighbourhood.members <= most);
#ifdef GASNET_PSHM
    // There may be more neighbourhoods than this, because a conduit may make
    // smaller ones.
    if (most == 2) CHECK(neighbourhood.groups >= (Size() + 1) / 2);
#endif
    // All processes run on this host, and a neighbourhood lies within one host.
    CHECK_EQ(views[a].host.members, Size());
    for (gex_Rank_t b = 0; b < Size(); ++b) {
      CHECK(!neighbourhood.has[b] || views[a].host.has[b]);
    }
  }
}

gex_AM_Entry_t handlers[] = {
    EX_HANDLER(kTell, OnTell, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQUEST, 0),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  // Handlers write to this memory. So it is allocated before the handlers are
  // registered.
  CHECK_OK(
      gex_Client_Init(&client, &ep, &conformance::tm, "NEAR", &argc, &argv, 0));
  CHECK(Size() <= 64);
  views = std::make_unique<View[]>(Size());
  CHECK_OK(gex_EP_RegisterHandlers(ep, handlers, COUNT_OF(handlers)));
  Barrier();
  View mine = {Look([](auto... out) { gex_System_QueryNbrhdInfo(out...); }),
               Look([](auto... out) { gex_System_QueryHostInfo(out...); })};
  gex_System_QueryMyPosition(&mine.neighbourhood.groups,
                             &mine.neighbourhood.number, &mine.host.groups,
                             &mine.host.number);
  gex_System_QueryMyPosition(nullptr, nullptr, nullptr, nullptr);
  for (gex_Rank_t peer = 0; peer < Size(); ++peer) {
    CHECK_EQ(gex_AM_RequestMedium0(conformance::tm, peer, kTell, &mine,
                                   sizeof mine, GEX_EVENT_NOW, 0),
             0);
  }
  GASNET_BLOCKUNTIL(told == static_cast<int>(Size()));
  CheckGroups(&View::neighbourhood);
  CheckGroups(&View::host);
  CheckSizes(static_cast<gex_Rank_t>(atoi(argv[1])));
  return FinishJob();
}
