// Uses of endpoints and segments that a build with checks refuses (GASNet-EX,
// sections 6, 7, 9 and 23): destroyed objects, invalid indices, missing
// capabilities, and addresses outside of the published segment.
#include <gasnet_coll.h>
#include <gasnet_ratomic.h>
#include <gasnet_vis.h>

#include "conformance/ex/ex_harness.h"

namespace conformance {
namespace {

constexpr int kShort = 200;
constexpr size_t kBytes = 4096;

char memory[kBytes];
char word[8];
gex_EP_t reaches = GEX_EP_INVALID;  // capability RMA only
gex_EP_t speaks = GEX_EP_INVALID;   // capability AM only
gex_Segment_t its = GEX_SEGMENT_INVALID;

void Ignore(int) {}
void Ignore(gex_Event_t) {}

void Put(gex_TM_t tm, void* there) {
  Ignore(gex_RMA_PutBlocking(tm, 1, there, word, sizeof word, 0));
}
void* There() {
  void* address = nullptr;
  CHECK_EQ(
      gex_Segment_QueryBound(gex_TM_Pair(ep, 1), 1, &address, nullptr, nullptr),
      0);
  return address;
}

void PutOutside() {
  Put(gex_TM_Pair(ep, 1), static_cast<char*>(There()) + kBytes - 1);
}
void PutToPrimordial() { Put(gex_TM_Pair(ep, 1), SegmentOf(1)); }
void PutUnpublished() { Put(gex_TM_Pair(ep, 2), There()); }
void PutIncapable() { Put(gex_TM_Pair(speaks, 1), There()); }
void PutOfNone() {
  gex_EP_t none = GEX_EP_INVALID;
  CHECK_OK(gex_EP_Create(&none, client, GEX_EP_CAPABILITY_ALL, 0));
  const gex_TM_t pair = gex_TM_Pair(none, 1);
  gex_EP_Destroy(none, 0);
  Put(pair, There());
}
void PutToNone() { Put(gex_TM_Pair(ep, GASNET_MAXEPS), There()); }

void PiecesOutside() {
  const size_t count[] = {2};
  const ptrdiff_t far[] = {static_cast<ptrdiff_t>(kBytes)};
  const ptrdiff_t near[] = {4};
  Ignore(gex_VIS_StridedPutBlocking(gex_TM_Pair(ep, 1), 1, There(), far, word,
                                    near, 4, count, 1, 0));
}
void PiecesIncapable() {
  Ignore(gex_VIS_StridedPutBlocking(gex_TM_Pair(reaches, 1), 1, There(),
                                    nullptr, word, nullptr, 4, nullptr, 0, 0));
}
void SendIncapable() {
  Ignore(gex_AM_RequestShort0(gex_TM_Pair(reaches, 2), 1, kShort, 0));
}
void SendToIncapable() {
  Ignore(gex_AM_RequestShort0(gex_TM_Pair(speaks, 1), 0, kShort, 0));
}
void SendToNone() {
  Ignore(gex_AM_RequestShort0(gex_TM_Pair(speaks, 9), 0, kShort, 0));
}
void SendUnregistered() {
  Ignore(gex_AM_RequestShort0(gex_TM_Pair(ep, 2), 0, kShort, 0));
}
void LongOutside() {
  Ignore(gex_AM_RequestLong0(gex_TM_Pair(speaks, 1), 1, kShort, word, 8,
                             SegmentOf(1), GEX_EVENT_NOW, 0));
}

// of endpoints with index 1 and capability RMA only
gex_TM_t team = GEX_TM_INVALID;
void CollectIncapable() { Ignore(gex_Coll_BarrierNB(team, 0)); }
void CountIncapable() {
  gex_AD_t domain;
  gex_AD_Create(&domain, team, GEX_DT_U64, GEX_OP_INC, 0);
}
void TeamOfNone() {
  gex_EP_Location_t members[] = {{Me(), 17}};
  gex_TM_t made = GEX_TM_INVALID;
  gex_TM_Create(&made, 1, tm, members, 1, nullptr, 0, GEX_FLAG_TM_NO_SCRATCH);
}
void TeamOfTwo() {
  gex_EP_Location_t members[] = {{Me(), 0}, {Me(), 1}};
  gex_TM_t made[2];
  gex_TM_Create(made, 2, tm, members, 2, nullptr, 0, GEX_FLAG_TM_NO_SCRATCH);
}
void DestroyInTeam() { gex_EP_Destroy(reaches, 0); }
void DestroyPrimordial() { gex_EP_Destroy(ep, 0); }
void DestroyTwice() {
  gex_EP_Destroy(speaks, 0);
  gex_EP_Destroy(speaks, 0);
}
void DestroySegmentTwice() {
  gex_Segment_Destroy(its, 0);
  gex_Segment_Destroy(its, 0);
}
void BindDestroyed() {
  gex_Segment_Destroy(its, 0);
  Ignore(gex_EP_BindSegment(speaks, its, 0));
}
void RegisterDestroyed() {
  gex_EP_Destroy(speaks, 0);
  Ignore(gex_EP_RegisterHandlers(speaks, nullptr, 0));
}
void PublishTwice() {
  gex_EP_t both[] = {reaches, reaches};
  Ignore(gex_EP_PublishBoundSegment(tm, both, 2, 0));
}
void PublishOverPair() {
  Ignore(gex_EP_PublishBoundSegment(gex_TM_Pair(ep, 0), &reaches, 1, 0));
}

constexpr Case kCases[] = {
    {"put_outside", PutOutside},
    {"put_to_primordial", PutToPrimordial},
    {"put_unpublished", PutUnpublished},
    {"put_incapable", PutIncapable},
    {"put_of_none", PutOfNone},
    {"put_to_none", PutToNone},
    {"pieces_outside", PiecesOutside},
    {"pieces_incapable", PiecesIncapable},
    {"send_incapable", SendIncapable},
    {"send_to_incapable", SendToIncapable},
    {"send_to_none", SendToNone},
    {"send_unregistered", SendUnregistered},
    {"long_outside", LongOutside},
    {"collect_incapable", CollectIncapable},
    {"count_incapable", CountIncapable},
    {"team_of_none", TeamOfNone},
    {"team_of_two", TeamOfTwo},
    {"destroy_in_team", DestroyInTeam},
    {"destroy_primordial", DestroyPrimordial},
    {"destroy_twice", DestroyTwice},
    {"destroy_segment_twice", DestroySegmentTwice},
    {"bind_destroyed", BindDestroyed},
    {"register_destroyed", RegisterDestroyed},
    {"publish_twice", PublishTwice},
    {"publish_over_pair", PublishOverPair},
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  StartEx(&argc, &argv, nullptr, 0, kBytes);
  CHECK_OK(gex_EP_Create(&reaches, client, GEX_EP_CAPABILITY_RMA, 0));
  CHECK_OK(gex_EP_Create(&speaks, client, GEX_EP_CAPABILITY_AM, 0));
  CHECK_OK(gex_Segment_Create(&its, client, memory, kBytes, GEX_MK_HOST, 0));
  CHECK_OK(gex_EP_BindSegment(reaches, its, 0));
  CHECK_OK(gex_EP_PublishBoundSegment(conformance::tm, &reaches, 1, 0));
  Barrier();
  gex_EP_Location_t members[] = {{0, 1}, {1, 1}};
  gex_TM_Create(&team, 1, conformance::tm, members, 2, nullptr, 0,
                GEX_FLAG_TM_NO_SCRATCH);
  RunMisuse(argc, argv, kCases, COUNT_OF(kCases));
  return 1;
}
