// Random transfers in pieces, by all eighteen functions of gasnet_vis.h. They
// are compared with a model of the memory that moves one byte after the other.
// Each node owns a part of every node's memory. All functions work at once, and
// each has its own cell. The bytes between pieces must not change.
#include <gasnet_vis.h>
#include <string.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr size_t kCell = 60007;
constexpr size_t kWays = 3;   // blocking, explicit, implicit
constexpr size_t kForms = 3;  // vector, indexed, strided
constexpr size_t kFunctions = 2 * kWays * kForms;
constexpr size_t kStretch = kCell * kFunctions;
constexpr int kRounds = 25;
// value for fields that must no longer be read
constexpr size_t kSpoilt = size_t{1} << 40;

// The offsets of all bytes of one side, within a cell. They are in the order in
// which the transfer moves the bytes (the stream).
using Stream = std::vector<size_t>;

struct Vector {
  std::vector<gasnet_memvec_t> list;

  Stream stream(const char* cell) const {
    Stream all;
    for (const gasnet_memvec_t& piece : list) {
      const auto at =
          static_cast<size_t>(static_cast<const char*>(piece.addr) - cell);
      for (size_t i = 0; i < piece.len; ++i) all.push_back(at + i);
    }
    return all;
  }
};

struct Indexed {
  std::vector<void*> list;
  size_t length;

  Stream stream(const char* cell) const {
    Stream all;
    for (const void* const place : list) {
      const auto at =
          static_cast<size_t>(static_cast<const char*>(place) - cell);
      for (size_t i = 0; i < length; ++i) all.push_back(at + i);
    }
    return all;
  }
};

// Returns the stream that the strides of one side describe.
Stream StridedStream(const std::vector<size_t>& count,
                     const std::vector<size_t>& strides) {
  Stream starts = {0};
  for (size_t level = count.size() - 1; level > 0; --level) {
    Stream inner;
    for (const size_t start : starts) {
      for (size_t i = 0; i < count[level]; ++i) {
        inner.push_back(start + i * strides[level - 1]);
      }
    }
    starts = std::move(inner);
  }
  Stream all;
  for (const size_t start : starts) {
    for (size_t i = 0; i < count[0]; ++i) all.push_back(start + i);
  }
  return all;
}

class Model {
 public:
  Model()
      : random_(gasnet_mynode()),
        model_(gasnet_nodes() * kStretch),
        own_(kStretch) {
    for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
      FillPattern(Expected(peer, 0), kStretch, peer);
      gasnet_put_bulk(peer, There(peer, 0), Expected(peer, 0), kStretch);
    }
  }

  // Runs each function once, on its own cell of one peer's memory.
  void Round() {
    peer_ = static_cast<gasnet_node_t>(random_.Below(gasnet_nodes()));
    FillPattern(own_.data(), kStretch, static_cast<uint32_t>(random_.Next()));
    wanted_ = own_;
    // The lists must stay valid until their transfers are synchronized.
    kept_vectors_.clear();
    kept_indexed_.clear();
    kept_vectors_.reserve(2 * kFunctions);
    kept_indexed_.reserve(2 * kFunctions);
    handles_.assign(kFunctions, GASNET_INVALID_HANDLE);
    for (size_t function = 0; function < kFunctions; ++function) {
      Start(function);
    }
    gasnet_wait_syncnb_all(handles_.data(), handles_.size());
    gasnet_wait_syncnbi_all();
    CHECK_EQ(memcmp(own_.data(), wanted_.data(), kStretch), 0);
  }

  void CheckAll() {
    for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
      gasnet_get_bulk(own_.data(), peer, There(peer, 0), kStretch);
      CHECK_EQ(memcmp(own_.data(), Expected(peer, 0), kStretch), 0);
    }
  }

 private:
  char* There(gasnet_node_t peer, size_t offset) {
    return SharedMemory(peer) + gasnet_mynode() * kStretch + offset;
  }
  char* Expected(gasnet_node_t peer, size_t offset) {
    return &model_[peer * kStretch + offset];
  }

  void Start(size_t function) {
    cell_ = function * kCell;
    puts_ = function % 2 == 0;
    way_ = function / 2 % kWays;
    handle_ = &handles_[function];
    switch (function / 2 / kWays) {
      case 0:
        return StartVector();
      case 1:
        return StartIndexed();
      default:
        return StartStrided();
    }
  }

  // Moves the data of a transfer in the model.
  void Move(const Stream& remote, const Stream& local) {
    CHECK_EQ(remote.size(), local.size());
    for (size_t i = 0; i < remote.size(); ++i) {
      char& there = *Expected(peer_, cell_ + remote[i]);
      if (puts_) {
        there = own_[cell_ + local[i]];
      } else {
        wanted_[cell_ + local[i]] = there;
      }
    }
  }

  // Returns pieces that do not overlap. Some of them are empty.
  Vector Pieces(char* base, size_t total) {
    const size_t longest = random_.Below(2) == 0 ? 20 : 3000;
    std::vector<size_t> lengths;
    for (size_t left = total; left > 0; left -= lengths.back()) {
      lengths.push_back(std::min<size_t>(left, random_.Below(longest + 1)));
    }
    const size_t gap = lengths.empty() ? 0 : (kCell - total) / lengths.size();
    Vector pieces;
    size_t at = 0;
    for (const size_t length : lengths) {
      at += random_.Below(2) == 0 ? 0 : random_.Below(gap + 1);
      pieces.list.push_back({base + at, length});
      at += length;
    }
    Shuffle(pieces.list);
    return pieces;
  }

  template <class T>
  void Shuffle(std::vector<T>& list) {
    if (random_.Below(3) == 0) return;
    for (size_t i = list.size(); i > 1; --i) {
      std::swap(list[i - 1], list[random_.Below(i)]);
    }
  }

  void StartVector() {
    const size_t total = random_.Below(20000);
    kept_vectors_.push_back(Pieces(There(peer_, cell_), total));
    kept_vectors_.push_back(Pieces(&own_[cell_], total));
    const Vector& remote = kept_vectors_[kept_vectors_.size() - 2];
    const Vector& local = kept_vectors_.back();
    Move(remote.stream(There(peer_, cell_)), local.stream(&own_[cell_]));
    const auto put = [&](auto call) {
      return call(peer_, remote.list.size(), remote.list.data(),
                  local.list.size(), local.list.data());
    };
    const auto get = [&](auto call) {
      return call(local.list.size(), local.list.data(), peer_,
                  remote.list.size(), remote.list.data());
    };
    if (puts_ && way_ == 0) put(&gasnet_putv_bulk);
    if (puts_ && way_ == 1) *handle_ = put(&gasnet_putv_nb_bulk);
    if (puts_ && way_ == 2) put(&gasnet_putv_nbi_bulk);
    if (!puts_ && way_ == 0) get(&gasnet_getv_bulk);
    if (!puts_ && way_ == 1) *handle_ = get(&gasnet_getv_nb_bulk);
    if (!puts_ && way_ == 2) get(&gasnet_getv_nbi_bulk);
    if (way_ == 0) Spoil(gasnet_memvec_t{nullptr, kSpoilt}, kept_vectors_);
  }

  Indexed Places(char* base, size_t length, size_t count) {
    std::vector<size_t> slots(kCell / length);
    std::iota(slots.begin(), slots.end(), 0);
    Shuffle(slots);
    Indexed places = {{}, length};
    for (size_t i = 0; i < count; ++i) {
      places.list.push_back(base + slots[i] * length);
    }
    return places;
  }

  void StartIndexed() {
    constexpr size_t kLengths[] = {1, 2, 3, 4, 6, 8, 12, 24, 96, 480, 4800};
    const size_t remote_length = kLengths[random_.Below(std::size(kLengths))];
    const size_t local_length =
        random_.Below(2) == 0 ? remote_length
                              : kLengths[random_.Below(std::size(kLengths))];
    const size_t unit = std::lcm(remote_length, local_length);
    const size_t total = unit * random_.Below(kCell / 2 / unit + 1);
    kept_indexed_.push_back(
        Places(There(peer_, cell_), remote_length, total / remote_length));
    kept_indexed_.push_back(
        Places(&own_[cell_], local_length, total / local_length));
    const Indexed& remote = kept_indexed_[kept_indexed_.size() - 2];
    const Indexed& local = kept_indexed_.back();
    Move(remote.stream(There(peer_, cell_)), local.stream(&own_[cell_]));
    const auto put = [&](auto call) {
      return call(peer_, remote.list.size(), remote.list.data(), remote.length,
                  local.list.size(), local.list.data(), local.length);
    };
    const auto get = [&](auto call) {
      return call(local.list.size(), local.list.data(), local.length, peer_,
                  remote.list.size(), remote.list.data(), remote.length);
    };
    if (puts_ && way_ == 0) put(&gasnet_puti_bulk);
    if (puts_ && way_ == 1) *handle_ = put(&gasnet_puti_nb_bulk);
    if (puts_ && way_ == 2) put(&gasnet_puti_nbi_bulk);
    if (!puts_ && way_ == 0) get(&gasnet_geti_bulk);
    if (!puts_ && way_ == 1) *handle_ = get(&gasnet_geti_nb_bulk);
    if (!puts_ && way_ == 2) get(&gasnet_geti_nbi_bulk);
    if (way_ == 0) Spoil(nullptr, kept_indexed_);
  }

  // Overwrites the lists of a transfer that is complete. A client may change
  // its lists at this time.
  template <class Entry, class Sides>
  static void Spoil(const Entry& entry, Sides& kept) {
    for (auto side = kept.end() - 2; side != kept.end(); ++side) {
      std::fill(side->list.begin(), side->list.end(), entry);
    }
  }

  // Random levels of a strided transfer, in any order. The levels of a source
  // may read the same data repeatedly.
  struct Levels {
    std::vector<size_t> count, to, from;
  };
  Levels AnyLevels() {
    constexpr size_t kRuns[] = {1, 4, 7, 8, 32, 100, 1000};
    struct Level {
      size_t count, to, from;
    };
    const size_t run = kRuns[random_.Below(std::size(kRuns))];
    size_t to_end = run, from_end = run;
    std::vector<Level> levels;
    for (size_t left = random_.Below(9); left > 0; --left) {
      const size_t count = 1 + random_.Below(random_.Below(4) == 0 ? 60 : 4);
      const size_t to = to_end + random_.Below(2) * random_.Below(30);
      size_t from = from_end + random_.Below(2) * random_.Below(30);
      if (random_.Below(8) == 0) from = 0;
      if (to * (count - 1) + to_end > kCell) break;
      if (from * (count - 1) + from_end > kCell) break;
      to_end += to * (count - 1);
      from_end += from * (count - 1);
      levels.push_back({count, to, from});
    }
    Shuffle(levels);
    Levels all = {{run}, {}, {}};
    for (const Level& level : levels) {
      all.count.push_back(level.count);
      all.to.push_back(level.to);
      all.from.push_back(level.from);
    }
    if (random_.Below(16) == 0) all.count[random_.Below(all.count.size())] = 0;
    return all;
  }

  void StartStrided() {
    Levels levels = AnyLevels();
    const Stream to = StridedStream(levels.count, levels.to);
    const Stream from = StridedStream(levels.count, levels.from);
    Move(puts_ ? to : from, puts_ ? from : to);
    const size_t depth = levels.to.size();
    char* const there = There(peer_, cell_);
    char* const here = &own_[cell_];
    const auto put = [&](auto call) {
      return call(peer_, there, levels.to.data(), here, levels.from.data(),
                  levels.count.data(), depth);
    };
    const auto get = [&](auto call) {
      return call(here, levels.to.data(), peer_, there, levels.from.data(),
                  levels.count.data(), depth);
    };
    if (puts_ && way_ == 0) put(&gasnet_puts_bulk);
    if (puts_ && way_ == 1) *handle_ = put(&gasnet_puts_nb_bulk);
    if (puts_ && way_ == 2) put(&gasnet_puts_nbi_bulk);
    if (!puts_ && way_ == 0) get(&gasnet_gets_bulk);
    if (!puts_ && way_ == 1) *handle_ = get(&gasnet_gets_nb_bulk);
    if (!puts_ && way_ == 2) get(&gasnet_gets_nbi_bulk);
    // Overwrites the arrays. The call has read them before it returned.
    for (auto* const array : {&levels.count, &levels.to, &levels.from}) {
      std::fill(array->begin(), array->end(), kSpoilt);
    }
  }

  Random random_;
  std::vector<char> model_;   // contents of this node's parts, by node
  std::vector<char> own_;     // the local sides of transfers
  std::vector<char> wanted_;  // correct contents of own_
  std::vector<Vector> kept_vectors_;
  std::vector<Indexed> kept_indexed_;
  std::vector<gasnet_handle_t> handles_;
  gasnet_node_t peer_ = 0;
  size_t cell_ = 0;
  bool puts_ = true;
  size_t way_ = 0;
  gasnet_handle_t* handle_ = nullptr;
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::InitJob(&argc, &argv);
  conformance::AttachJob(nullptr, 0, gasnet_nodes() * conformance::kStretch);
  auto model = std::make_unique<conformance::Model>();
  for (int round = 0; round < conformance::kRounds; ++round) model->Round();
  model->CheckAll();
  return conformance::FinishJob();
}
