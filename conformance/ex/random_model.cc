// Random operations of both interfaces, compared with a model of the memory:
// puts and gets of every form, their leaves, access regions, atomics, strided
// puts and collectives. All are under way at once, through teams and pairs.
// Each process owns cells of every segment and has a model of their contents.
#include <gasnet_vis.h>
#include <string.h>

#include <algorithm>
#include <memory>
#include <type_traits>
#include <vector>

#include "conformance/ex/atomic_data.h"
#include "conformance/ex/random_collectives.h"

namespace conformance {
namespace {

// bytes of a cell; only one transfer at a time uses a cell
constexpr size_t kCell = 20011;
constexpr size_t kCells = 20;
constexpr size_t kStretch = kCell * kCells;
// bytes for the targets of atomics, before the cells
constexpr size_t kWords = 4096;
constexpr int kRounds = 120;

// Two more ways to name a peer, besides the team of all: the reversed team, and
// a pair.
struct Names {
  gex_TM_t reversed;
  gex_TM_t pair;
};

struct Peer {
  gex_TM_t tm;
  gex_Rank_t rank;
};

class Model {
 public:
  explicit Model(const Names& names)
      : names_(names),
        random_(ex.rank),
        model_(std::make_unique<char[]>(ex.size * kStretch)),
        buffers_(std::make_unique<char[]>(kStretch)),
        added_(ex.size) {
    memset(BaseOf(ex.rank), 0, kWords + ex.size * kStretch);
    gex_AD_Create(&ad_, ex.tm, GEX_DT_I64,
                  GEX_OP_ADD | GEX_OP_FADD | GEX_OP_SET | GEX_OP_GET, 0);
    gex_Event_Wait(gex_Coll_BarrierNB(ex.tm, 0));
  }

  Random& random() { return random_; }

  void Round() {
    target_ = static_cast<gex_Rank_t>(random_.Below(ex.size));
    events_.clear();
    gets_.clear();
    const bool has_region = random_.Below(2) == 0;
    const size_t from = random_.Below(kCells);
    const size_t to = from + random_.Below(kCells - from);
    for (size_t cell = 0; cell < kCells; ++cell) {
      if (has_region && cell == from) gex_NBI_BeginAccessRegion(0);
      Start(cell);
      if (has_region && cell == to) CloseRegion();
      if (random_.Below(8) == 0) CHECK_OK(gasnet_AMPoll());
    }
    Atomics();
    Sync();
    for (const Get& get : gets_) {
      CHECK_EQ(memcmp(get.buffer, get.expected, get.bytes), 0);
    }
    for (const Fetch& fetch : fetches_) CHECK_EQ(*fetch.result, fetch.expected);
    fetches_.clear();
  }

  // Checks all cells and sums. Called after all additions; begins with a
  // barrier.
  void CheckAll() {
    gex_Event_Wait(gex_Coll_BarrierNB(ex.tm, 0));
    for (gex_Rank_t peer = 0; peer < ex.size; ++peer) {
      CHECK_EQ(gex_RMA_GetBlocking(ex.tm, buffers_.get(), peer, There(peer, 0),
                                   kStretch, 0),
               0);
      CHECK_EQ(memcmp(buffers_.get(), Expected(peer, 0), kStretch), 0);
    }
    std::vector<int64_t> sums(ex.size);
    gex_Event_Wait(gex_Coll_ReduceToAllNB(ex.tm, sums.data(), added_.data(),
                                          GEX_DT_I64, 8, ex.size, GEX_OP_ADD,
                                          nullptr, nullptr, 0));
    for (gex_Rank_t peer = 0; peer < ex.size; ++peer) {
      int64_t sum = 0;
      gex_Event_Wait(
          gex_AD_OpNB_I64(ad_, &sum, peer, Shared(peer), GEX_OP_GET, 0, 0, 0));
      CHECK_EQ(sum, sums[peer]);
    }
    gex_Event_Wait(gex_Coll_BarrierNB(ex.tm, 0));
    gex_AD_Destroy(ad_);
  }

 private:
  struct Get {
    const char* buffer;
    const char* expected;
    size_t bytes;
  };
  struct Fetch {
    std::unique_ptr<int64_t> result;
    int64_t expected;
  };

  char* There(gex_Rank_t peer, size_t offset) {
    return BaseOf(peer) + kWords + ex.rank * kStretch + offset;
  }
  char* Expected(gex_Rank_t peer, size_t offset) {
    return &model_[peer * kStretch + offset];
  }
  // Shared returns the word of a peer that all processes add to. Own returns
  // the word of a peer that only this process uses.
  void* Shared(gex_Rank_t peer) { return BaseOf(peer); }
  void* Own(gex_Rank_t peer) { return BaseOf(peer) + 64 + ex.rank * 8; }

  Peer Name() {
    switch (random_.Below(3)) {
      case 0:
        return {names_.reversed, ex.size - 1 - target_};
      case 1:
        return {names_.pair, target_};
      default:
        return {ex.tm, target_};
    }
  }

  void Add(gex_Event_t event) {
    CHECK(event != GEX_EVENT_NO_OP);
    events_.push_back(event);
  }

  void CloseRegion() {
    const gex_Event_t region = gex_NBI_EndAccessRegion(0);
    Add(region);
    if (random_.Below(2) == 0) {
      Add(gex_Event_QueryLeaf(region, GEX_EC_PUT));
      Add(gex_Event_QueryLeaf(region, GEX_EC_GET));
    }
  }

  // Returns a random size. Half of the sizes are small, and some are larger
  // than any message.
  size_t Size() {
    const uint64_t kind = random_.Below(8);
    return random_.Below(kind < 4 ? 33 : kind < 7 ? 3001 : kCell + 1);
  }

  void Start(size_t cell) {
    const size_t bytes = Size();
    const size_t offset = cell * kCell + random_.Below(kCell - bytes + 1);
    char* const buffer = &buffers_[cell * kCell];
    const uint64_t kind = random_.Below(4);
    if (kind == 0) {
      StartGet(offset, buffer, bytes);
    } else if (kind == 1) {
      StartOther(offset, buffer, bytes);
    } else {
      StartPut(offset, buffer, bytes);
    }
  }

  void Remember(size_t offset, char* buffer, size_t bytes) {
    FillPattern(buffer, bytes, static_cast<uint32_t>(random_.Next()));
    memcpy(Expected(target_, offset), buffer, bytes);
  }

  // Calls start(flags) until it succeeds. Half of the time, flags is
  // GEX_FLAG_IMMEDIATE. Then a call may fail.
  template <class Start>
  auto Begin(Start start) {
    const gex_Flags_t flags = random_.Below(2) == 0 ? GEX_FLAG_IMMEDIATE : 0;
    for (;;) {
      const auto result = start(flags);
      if constexpr (std::is_same_v<decltype(result), const int>) {
        if (result == 0) return;
      } else {
        if (result != GEX_EVENT_NO_OP) return result;
      }
      CHECK(flags != 0);
      CHECK_OK(gasnet_AMPoll());
    }
  }

  void StartPut(size_t offset, char* buffer, size_t bytes) {
    Remember(offset, buffer, bytes);
    void* const there = There(target_, offset);
    const Peer peer = Name();
    gex_Event_t leaf = GEX_EVENT_NO_OP;
    switch (random_.Below(8)) {
      case 0:
        Begin([&](gex_Flags_t flags) {
          return gex_RMA_PutBlocking(peer.tm, peer.rank, there, buffer, bytes,
                                     flags);
        });
        break;
      case 1:
        Add(Begin([&](gex_Flags_t flags) {
          return gex_RMA_PutNB(peer.tm, peer.rank, there, buffer, bytes,
                               GEX_EVENT_DEFER, flags);
        }));
        break;
      case 2:
        Add(Begin([&](gex_Flags_t flags) {
          return gex_RMA_PutNB(peer.tm, peer.rank, there, buffer, bytes,
                               GEX_EVENT_NOW, flags);
        }));
        memset(buffer, 0xDD, bytes);
        break;
      case 3:
        Add(Begin([&](gex_Flags_t flags) {
          return gex_RMA_PutNB(peer.tm, peer.rank, there, buffer, bytes, &leaf,
                               flags);
        }));
        if (random_.Below(2) == 0) {
          gex_Event_Wait(leaf);
          memset(buffer, 0xDD, bytes);
        } else {
          Add(leaf);  // in the same array as its root
        }
        break;
      case 4:
        Begin([&](gex_Flags_t flags) {
          return gex_RMA_PutNBI(peer.tm, peer.rank, there, buffer, bytes,
                                GEX_EVENT_NOW, flags);
        });
        memset(buffer, 0xDD, bytes);
        break;
      case 5:
        Begin([&](gex_Flags_t flags) {
          return gex_RMA_PutNBI(peer.tm, peer.rank, there, buffer, bytes,
                                GEX_EVENT_GROUP, flags);
        });
        break;
      case 6:
        Add(gasnet_put_nb_bulk(target_, there, buffer, bytes));
        break;
      default:
        gasnet_put_nbi_bulk(target_, there, buffer, bytes);
    }
  }

  void StartGet(size_t offset, char* buffer, size_t bytes) {
    gets_.push_back({buffer, Expected(target_, offset), bytes});
    void* const there = There(target_, offset);
    const Peer peer = Name();
    switch (random_.Below(4)) {
      case 0:
        Begin([&](gex_Flags_t flags) {
          return gex_RMA_GetBlocking(peer.tm, buffer, peer.rank, there, bytes,
                                     flags);
        });
        break;
      case 1:
        Add(Begin([&](gex_Flags_t flags) {
          return gex_RMA_GetNB(peer.tm, buffer, peer.rank, there, bytes, flags);
        }));
        break;
      case 2:
        Begin([&](gex_Flags_t flags) {
          return gex_RMA_GetNBI(peer.tm, buffer, peer.rank, there, bytes,
                                flags);
        });
        break;
      default:
        Add(gasnet_get_nb_bulk(buffer, target_, there, bytes));
    }
  }

  // Starts a put of a value, a memset, or a put to every second byte.
  void StartOther(size_t offset, char* buffer, size_t bytes) {
    void* const there = There(target_, offset);
    const Peer peer = Name();
    const uint64_t kind = random_.Below(3);
    if (kind == 0 && bytes > 0) {
      const size_t few = std::min<size_t>(bytes, 1 + random_.Below(8));
      const gex_RMA_Value_t value = random_.Next();
      // relies on little endian
      memcpy(Expected(target_, offset), &value, few);
      if (random_.Below(2) == 0) {
        Add(Begin([&](gex_Flags_t flags) {
          return gex_RMA_PutNBVal(peer.tm, peer.rank, there, value, few, flags);
        }));
      } else {
        Begin([&](gex_Flags_t flags) {
          return gex_RMA_PutNBIVal(peer.tm, peer.rank, there, value, few,
                                   flags);
        });
      }
    } else if (kind == 1) {
      const int value = static_cast<int>(random_.Below(256));
      memset(Expected(target_, offset), value, bytes);
      Add(gasnet_memset_nb(target_, there, value, bytes));
    } else {
      const ptrdiff_t to_stride = 2;
      const ptrdiff_t from_stride = 1;
      const size_t count = bytes / 2;
      FillPattern(buffer, count, static_cast<uint32_t>(random_.Next()));
      for (size_t i = 0; i < count; ++i) {
        Expected(target_, offset)[2 * i] = buffer[i];
      }
      Add(Begin([&](gex_Flags_t flags) {
        return gex_VIS_StridedPutNB(peer.tm, peer.rank, there, &to_stride,
                                    buffer, &from_stride, 1, &count, 1, flags);
      }));
    }
  }

  void Atomics() {
    for (uint64_t left = random_.Below(6); left > 0; --left) {
      const int64_t amount = static_cast<int64_t>(random_.Below(100)) - 50;
      added_[target_] += amount;
      if (random_.Below(2) == 0) {
        Add(Begin([&](gex_Flags_t flags) {
          return gex_AD_OpNB_I64(ad_, nullptr, target_, Shared(target_),
                                 GEX_OP_ADD, amount, 0, flags);
        }));
      } else {
        Begin([&](gex_Flags_t flags) {
          return gex_AD_OpNBI_I64(ad_, nullptr, target_, Shared(target_),
                                  GEX_OP_ADD, amount, 0, flags);
        });
      }
    }
    // Operations under way have no order. So at most one operation on this
    // process's own word is started before a sync.
    Fetch fetch{std::make_unique<int64_t>(0), own_words_[target_]};
    own_words_[target_] += 3;
    Add(Begin([&](gex_Flags_t flags) {
      return gex_AD_OpNB_I64(ad_, fetch.result.get(), target_, Own(target_),
                             GEX_OP_FADD, 3, 0,
                             flags | GEX_FLAG_RANK_IS_JOBRANK);
    }));
    fetches_.push_back(std::move(fetch));
  }

  // Syncs everything, in one of several ways, with all events in one array.
  void Sync() {
    for (size_t i = events_.size(); i > 1; --i) {
      std::swap(events_[i - 1], events_[random_.Below(i)]);
    }
    const uint64_t way = random_.Below(4);
    if (way == 0) gex_NBI_Wait(GEX_EC_ALL, 0);
    if (way == 1) gasnet_wait_syncnb_all(events_.data(), events_.size());
    while (way == 2 && gex_Event_TestAll(events_.data(), events_.size(), 0)) {
      CHECK_OK(gasnet_AMPoll());
    }
    if (way == 3) gex_Event_WaitSome(events_.data(), events_.size(), 0);
    gex_Event_WaitAll(events_.data(), events_.size(), 0);
    if (way == 1) gasnet_wait_syncnbi_puts();
    while (gex_NBI_Test(GEX_EC_ALL, 0) != 0) CHECK_OK(gasnet_AMPoll());
  }

  Names names_;
  Random random_;
  std::unique_ptr<char[]> model_;    // expected cells of this process, by peer
  std::unique_ptr<char[]> buffers_;  // a local buffer for each cell
  // sum added to the shared word of each peer
  std::vector<int64_t> added_;
  int64_t own_words_[8] = {};  // expected own word of each peer
  gex_AD_t ad_ = GEX_AD_INVALID;
  gex_Rank_t target_ = 0;
  std::vector<gex_Event_t> events_;
  std::vector<Get> gets_;
  std::vector<Fetch> fetches_;
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;  // NOLINT(google-build-using-namespace)
  StartExJob(&argc, &argv, kWords + 3 * kStretch);
  gex_TM_t reversed = GEX_TM_INVALID;
  gex_TM_Split(&reversed, ex.tm, 0, -static_cast<int>(ex.rank), nullptr, 0,
               GEX_FLAG_TM_NO_SCRATCH);
  gex_TM_t part = GEX_TM_INVALID;
  gex_TM_Split(ex.rank == 0 ? nullptr : &part, ex.tm, 0, 0, nullptr, 0,
               GEX_FLAG_TM_NO_SCRATCH);
  Model model({reversed, gex_TM_Pair(ex.ep, 0)});
  RandomCollectives collectives(reversed, part);
  for (int round = 0; round < kRounds; ++round) {
    collectives.StartSome(model.random());
    model.Round();
  }
  collectives.SyncAll();
  model.CheckAll();
  gex_TM_Destroy(reversed, nullptr, 0);
  if (part != GEX_TM_INVALID) gex_TM_Destroy(part, nullptr, 0);
  return FinishJob();
}
