// Arrays of events: roots and their leaves in any order, with and without
// invalid entries. An event in an array becomes invalid when it is complete
// (GASNet-EX, section 10.1).
#include <string.h>

#include <algorithm>
#include <initializer_list>

#include "conformance/ex/ex_rma.h"

namespace conformance {
namespace {

constexpr int kPuts = 12;
// each put has a root, a leaf and an invalid event
constexpr int kEvents = 3 * kPuts;
constexpr size_t kLargest = 40000;
constexpr size_t kSlot = kLargest;
constexpr int kRounds = 40;

char sources[kPuts][kLargest];
char copy[kLargest];

char* Slot(gex_Rank_t owner, int put) {
  return BaseOf(owner) + (ex.rank * kPuts + put) * kSlot;
}

bool AllInvalid(const gex_Event_t* events, size_t count) {
  return std::all_of(events, events + count, [](gex_Event_t event) {
    return event == GEX_EVENT_INVALID;
  });
}

// The ways to sync an array until it holds only invalid events.
using SyncArray = void (*)(gex_Event_t* events, size_t count);

void WaitAll(gex_Event_t* events, size_t count) {
  gex_Event_WaitAll(events, count, 0);
}
void TestAll(gex_Event_t* events, size_t count) {
  while (gex_Event_TestAll(events, count, 0) != 0) CHECK_OK(gasnet_AMPoll());
}
void WaitSome(gex_Event_t* events, size_t count) {
  while (!AllInvalid(events, count)) {
    const auto left = [&] {
      return count - std::count(events, events + count, GEX_EVENT_INVALID);
    };
    const auto before = left();
    gex_Event_WaitSome(events, count, 0);
    CHECK(left() < before);
  }
}
void TestSome(gex_Event_t* events, size_t count) {
  while (!AllInvalid(events, count)) {
    if (gex_Event_TestSome(events, count, 0) != 0) CHECK_OK(gasnet_AMPoll());
  }
}
void ByTwos(gex_Event_t* events, size_t count) {
  // A root and its leaf may be adjacent. Once only the root is synced, its leaf
  // must not be used. So adjacent events are passed together.
  for (size_t at = 0; at < count; at += 2) {
    gex_Event_WaitAll(events + at, std::min<size_t>(2, count - at), 0);
  }
}

enum class Order { kRootsFirst, kLeavesFirst, kShuffled, kPairs };

class Round {
 public:
  Round(Random& random, gex_Rank_t peer) : random_(random), peer_(peer) {}

  void Run(Order order, SyncArray sync) {
    for (int put = 0; put < kPuts; ++put) Start(put);
    const size_t count = Arrange(order);
    sync(events_, count);
    CHECK(AllInvalid(events_, count));
    for (int put = 0; put < kPuts; ++put) Check(put);
  }

 private:
  void Start(int put) {
    bytes_[put] = random_.Below(4) == 0 ? random_.Below(kLargest + 1)
                                        : random_.Below(200);
    keys_[put] = static_cast<uint32_t>(random_.Next());
    FillPattern(sources[put], bytes_[put], keys_[put]);
    leaves_[put] = GEX_EVENT_NO_OP;
    roots_[put] = gex_RMA_PutNB(ex.tm, peer_, Slot(peer_, put), sources[put],
                                bytes_[put], &leaves_[put], 0);
    CHECK(roots_[put] != GEX_EVENT_NO_OP);
    CHECK(leaves_[put] != GEX_EVENT_NO_OP);
  }

  size_t Arrange(Order order) {
    size_t count = 0;
    const auto add = [&](gex_Event_t event) { events_[count++] = event; };
    if (order == Order::kPairs) {
      for (int put = 0; put < kPuts; ++put) {
        add(put % 2 == 0 ? roots_[put] : leaves_[put]);
        add(put % 2 == 0 ? leaves_[put] : roots_[put]);
      }
      return count;
    }
    for (int put = 0; put < kPuts; ++put) {
      add(order == Order::kLeavesFirst ? leaves_[put] : roots_[put]);
    }
    for (int put = 0; put < kPuts; ++put) add(GEX_EVENT_INVALID);
    for (int put = 0; put < kPuts; ++put) {
      add(order == Order::kLeavesFirst ? roots_[put] : leaves_[put]);
    }
    if (order == Order::kShuffled) {
      for (size_t i = count; i > 1; --i) {
        std::swap(events_[i - 1], events_[random_.Below(i)]);
      }
    }
    return count;
  }

  void Check(int put) {
    CHECK_EQ(gex_RMA_GetBlocking(ex.tm, copy, peer_, Slot(peer_, put),
                                 bytes_[put], 0),
             0);
    CHECK_PATTERN(copy, bytes_[put], keys_[put]);
  }

  Random& random_;
  gex_Rank_t peer_;
  size_t bytes_[kPuts];
  uint32_t keys_[kPuts];
  gex_Event_t roots_[kPuts];
  gex_Event_t leaves_[kPuts];
  gex_Event_t events_[kEvents];
};

void NothingToDo() {
  gex_Event_t events[3] = {};
  CHECK_EQ(gex_Event_Test(GEX_EVENT_INVALID), 0);
  gex_Event_Wait(GEX_EVENT_INVALID);
  CHECK(gex_Event_QueryLeaf(GEX_EVENT_INVALID, GEX_EC_LC) != GEX_EVENT_NO_OP);
  for (size_t count : {size_t{0}, size_t{3}}) {
    CHECK_EQ(gex_Event_TestSome(events, count, 0), 0);
    CHECK_EQ(gex_Event_TestAll(events, count, 0), 0);
    gex_Event_WaitSome(events, count, 0);
    gex_Event_WaitAll(events, count, 0);
    CHECK(AllInvalid(events, 3));
  }
  CHECK_EQ(gex_Event_TestAll(nullptr, 0, 0), 0);
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;  // NOLINT(google-build-using-namespace)
  StartExJob(&argc, &argv, 3 * kPuts * kSlot);
  NothingToDo();
  Random random(ex.rank);
  for (int round = 0; round < kRounds; ++round) {
    const gex_Rank_t peer = static_cast<gex_Rank_t>(random.Below(ex.size));
    for (Order order : {Order::kRootsFirst, Order::kLeavesFirst,
                        Order::kShuffled, Order::kPairs}) {
      for (SyncArray sync : {WaitAll, TestAll, WaitSome, TestSome}) {
        Round(random, peer).Run(order, sync);
      }
    }
    Round(random, peer).Run(Order::kPairs, ByTwos);
  }
  NothingToDo();
  return FinishJob();
}
