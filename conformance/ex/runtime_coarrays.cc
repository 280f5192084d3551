// A client that works like a runtime for coarrays. Images are processes; argc
// and argv are NULL. The teams form a tree. A heap in the segment has each
// team's coarrays at the same offset on all members. The teams' scratch space
// also lies in this heap.
//
// Images put, get, move sections with strides, post and await events, take
// locks, synchronise in pairs and call collective subroutines. The client's
// reduction functions get their operands in the order of images.
#include <gasnet_coll.h>
#include <gasnet_ratomic.h>
#include <gasnet_vis.h>
#include <string.h>

#include <algorithm>
#include <string>
#include <vector>

#include "conformance/ex/ex_harness.h"

namespace conformance {
namespace {

constexpr size_t kHeap = 1 << 20;

gex_AD_t words;  // domain of 64-bit words: events, locks and syncs

void Await(gex_Event_t event) { gex_Event_Wait(event); }

// --- Teams and coarrays ---

class Team {
 public:
  // Makes the team of all images.
  Team(gex_TM_t all, size_t offset) : tm_(all), next_(offset) {}

  // Executes "form team". Images that give the same number form a team, in the
  // order of new_index.
  Team Form(int number, int new_index) {
    const size_t bytes = gex_TM_Split(&tm_, tm_, number, new_index, nullptr, 0,
                                      GEX_FLAG_TM_SCRATCH_SIZE_RECOMMENDED);
    CHECK(bytes > 0);
    const size_t scratch = Take(bytes);
    gex_TM_t formed = GEX_TM_INVALID;
    gex_TM_Split(&formed, tm_, number, new_index, SegmentOf(Me()) + scratch,
                 bytes, 0);
    CHECK(formed != GEX_TM_INVALID);
    Team child(formed, next_);
    child.scratch_ = {SegmentOf(Me()) + scratch, bytes};
    return child;
  }
  // Executes "end team".
  void End() {
    gex_Memvec_t scratch = {nullptr, 0};
    CHECK(gex_TM_Destroy(tm_, &scratch, 0) != 0);
    CHECK(scratch.gex_addr == scratch_.gex_addr);
    CHECK_EQ(scratch.gex_len, scratch_.gex_len);
  }

  gex_TM_t tm() const { return tm_; }
  // Images are counted from 1.
  int this_image() const { return static_cast<int>(gex_TM_QueryRank(tm_)) + 1; }
  int num_images() const { return static_cast<int>(gex_TM_QuerySize(tm_)); }
  gex_Rank_t Jobrank(int image) const {
    return gex_TM_TranslateRankToJobrank(tm_,
                                         static_cast<gex_Rank_t>(image - 1));
  }

  // Executes "allocate". The team's first image chooses the offset, and all
  // images of the team use it. Images may use the memory once all have finished
  // their work in other teams.
  size_t Allocate(size_t bytes) {
    uint64_t offset = Take(bytes);
    Await(gex_Coll_BroadcastNB(tm_, 0, &offset, &offset, sizeof offset, 0));
    CHECK(offset + bytes <= kHeap);
    SyncAll();
    return offset;
  }
  char* At(int image, size_t offset) const {
    return SegmentOf(Jobrank(image)) + offset;
  }
  gex_Rank_t RankOf(int image) const {
    return static_cast<gex_Rank_t>(image - 1);
  }
  void SyncAll() { Await(gex_Coll_BarrierNB(tm_, 0)); }

 private:
  size_t Take(size_t bytes) {
    const size_t offset = next_;
    next_ += (bytes + 63) / 64 * 64;
    return offset;
  }

  gex_TM_t tm_;
  size_t next_;
  gex_Memvec_t scratch_ = {nullptr, 0};
};

// --- Access to words of other images ---

uint64_t Fetch(const Team& team, int image, size_t offset, gex_OP_t op,
               uint64_t first, uint64_t second = 0) {
  uint64_t result = 0;
  Await(gex_AD_OpNB_U64(
      words, &result, team.Jobrank(image), team.At(image, offset), op, first,
      second, GEX_FLAG_RANK_IS_JOBRANK | GEX_FLAG_AD_ACQ | GEX_FLAG_AD_REL));
  return result;
}
void EventPost(const Team& team, int image, size_t offset) {
  Fetch(team, image, offset, GEX_OP_FADD, 1);
}
void EventWait(const Team& team, size_t offset, uint64_t until) {
  const int me = team.this_image();
  while (Fetch(team, me, offset, GEX_OP_GET, 0) < until) {
    CHECK_OK(gasnet_AMPoll());
  }
  Fetch(team, me, offset, GEX_OP_FSUB, until);
}
void Lock(const Team& team, int image, size_t offset) {
  const auto mine = static_cast<uint64_t>(team.this_image());
  while (Fetch(team, image, offset, GEX_OP_FCAS, 0, mine) != 0) {
    CHECK_OK(gasnet_AMPoll());
  }
}
void Unlock(const Team& team, int image, size_t offset) {
  CHECK_EQ(Fetch(team, image, offset, GEX_OP_SWAP, 0), team.this_image());
}

// --- Work of a program in a team ---

void TestMoves(Team& team) {
  constexpr size_t kElements = 1200;
  const size_t array = team.Allocate(kElements * sizeof(double));
  const int me = team.this_image();
  const int next = me % team.num_images() + 1;
  std::vector<double> out(kElements), in(kElements);
  for (size_t i = 0; i < kElements; ++i) out[i] = me * 10000.0 + i;
  gex_Event_t source;
  const gex_Event_t put =
      gex_RMA_PutNB(team.tm(), team.RankOf(next), team.At(next, array),
                    out.data(), kElements * sizeof(double), &source, 0);
  Await(source);
  std::fill(out.begin(), out.end(), -1.0);
  Await(put);
  team.SyncAll();
  const int previous = (me + team.num_images() - 2) % team.num_images() + 1;
  // Reads the section a(1200:1:-1)[me]. The elements come in reverse order.
  const ptrdiff_t back = -static_cast<ptrdiff_t>(sizeof(double));
  const ptrdiff_t forth = sizeof(double);
  const size_t count = kElements;
  CHECK_EQ(gex_VIS_StridedGetBlocking(
               team.tm(), in.data(), &forth, team.RankOf(me),
               team.At(me, array) + (kElements - 1) * sizeof(double), &back,
               sizeof(double), &count, 1, 0),
           0);
  for (size_t i = 0; i < kElements; ++i) {
    CHECK(in[i] == previous * 10000.0 + (kElements - 1 - i));
  }
  team.SyncAll();
}

void TestEventsAndLocks(Team& team) {
  constexpr int kTimes = 20;
  const size_t event = team.Allocate(sizeof(uint64_t));
  const size_t lock = team.Allocate(sizeof(uint64_t));
  const size_t sum = team.Allocate(sizeof(int64_t));
  const int me = team.this_image();
  memset(team.At(me, event), 0, 8);
  memset(team.At(me, lock), 0, 8);
  memset(team.At(me, sum), 0, 8);
  team.SyncAll();
  for (int i = 0; i < kTimes; ++i) {
    EventPost(team, me % team.num_images() + 1, event);
    // The lock protects this word. The critical section gets it, and puts the
    // increased value.
    Lock(team, 1, lock);
    const gex_RMA_Value_t value = gex_RMA_GetBlockingVal(
        team.tm(), 0, team.At(1, sum), sizeof(int64_t), 0);
    CHECK_EQ(gex_RMA_PutBlockingVal(team.tm(), 0, team.At(1, sum), value + 1,
                                    sizeof(int64_t), 0),
             0);
    Unlock(team, 1, lock);
  }
  EventWait(team, event, kTimes);
  team.SyncAll();
  CHECK_EQ(gex_RMA_GetBlockingVal(team.tm(), 0, team.At(1, sum), 8, 0),
           kTimes * team.num_images());
  team.SyncAll();
}

// Elements are texts of 30 characters, not numbers. The reduction appends the
// letter of each image.
constexpr size_t kText = 30;
struct Appending {
  size_t length;
};
void Append(const void* left, void* right_and_out, size_t count,
            const void* data) {
  const size_t length = static_cast<const Appending*>(data)->length;
  for (size_t i = 0; i < count; ++i) {
    const char* const a = static_cast<const char*>(left) + i * length;
    char* const b = static_cast<char*>(right_and_out) + i * length;
    std::string both =
        std::string(a, strnlen(a, length)) + std::string(b, strnlen(b, length));
    both.resize(length, '\0');
    memcpy(b, both.data(), length);
  }
}

void TestSubroutines(Team& team) {
  const int me = team.this_image();
  const int images = team.num_images();
  std::vector<int32_t> sums(500, me);
  Await(gex_Coll_ReduceToAllNB(team.tm(), sums.data(), sums.data(), GEX_DT_I32,
                               4, sums.size(), GEX_OP_ADD, nullptr, nullptr,
                               0));
  for (const int32_t sum : sums) CHECK_EQ(sum, images * (images + 1) / 2);
  double largest = me * 1.5;
  double result = 0;
  Await(gex_Coll_ReduceToOneNB(team.tm(), 0, &result, &largest, GEX_DT_DBL, 8,
                               1, GEX_OP_MAX, nullptr, nullptr, 0));
  if (me == 1) CHECK(result == images * 1.5);
  Appending appending = {kText};
  std::vector<char> texts(3 * kText);
  for (int i = 0; i < 3; ++i) texts[i * kText] = static_cast<char>('a' + me);
  Await(gex_Coll_ReduceToAllNB(team.tm(), texts.data(), texts.data(),
                               GEX_DT_USER, kText, 3, GEX_OP_USER, Append,
                               &appending, 0));
  for (int i = 0; i < 3; ++i) {
    for (int image = 1; image <= images; ++image) {
      CHECK_EQ(texts[i * kText + image - 1], 'a' + image);
    }
    CHECK_EQ(texts[i * kText + images], 0);
  }
}

void TestTeam(Team& team) {
  TestMoves(team);
  TestEventsAndLocks(team);
  TestSubroutines(team);
}

}  // namespace
}  // namespace conformance

int main(int, char**) {
  using namespace conformance;
  JoinEx(nullptr, nullptr, nullptr, 0);
  CHECK(gasnet_getMaxGlobalSegmentSize() >= kHeap);
  CHECK_OK(gex_Segment_Attach(&segment, conformance::tm, kHeap));
  FindSegments();
  gex_AD_Create(
      &words, conformance::tm, GEX_DT_U64,
      GEX_OP_FADD | GEX_OP_FSUB | GEX_OP_GET | GEX_OP_FCAS | GEX_OP_SWAP, 0);
  Team initial(conformance::tm, 0);
  TestTeam(initial);
  for (int round = 0; round < 3; ++round) {
    // These teams have half of the images, in reverse order. Each is then
    // divided into pairs, or single images.
    Team half = initial.Form(initial.this_image() % 2, -initial.this_image());
    TestTeam(half);
    Team pair = half.Form((half.this_image() - 1) / 2, 0);
    TestTeam(pair);
    TestTeam(half);
    pair.End();
    half.End();
  }
  TestTeam(initial);
  gex_AD_Destroy(words);
  return FinishJob();
}
