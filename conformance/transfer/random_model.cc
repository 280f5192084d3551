// Random transfers of all kinds, compared with a model of the memory (chapter
// 3). Each node owns a part of every node's memory, and keeps a model of its
// contents. A few dozen transfers of a node are in flight at once.
#include <string.h>

#include <memory>

#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr size_t kCell = 100003;  // only one transfer at a time accesses a cell
constexpr size_t kCells = 24;
constexpr size_t kStretch = kCell * kCells;
constexpr int kRounds = 60;

class Model {
 public:
  Model()
      : random_(gasnet_mynode()),
        model_(std::make_unique<char[]>(gasnet_nodes() * kStretch)),
        buffers_(std::make_unique<char[]>(kStretch)) {
    for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
      gasnet_memset(peer, There(peer, 0), 0, kStretch);
    }
  }

  // Starts a transfer on every cell of one peer's part, some with explicit
  // handles and some without. Completes them all, and checks the fetched data.
  void Round() {
    peer_ = static_cast<gasnet_node_t>(random_.Below(gasnet_nodes()));
    for (size_t cell = 0; cell < kCells; ++cell) Start(cell);
    gasnet_wait_syncnb_all(handles_, kCells);
    gasnet_wait_syncnbi_all();
    for (const Get& get : gets_) {
      if (get.bytes == 0) continue;
      CHECK_EQ(memcmp(get.buffer, get.expected, get.bytes), 0);
    }
  }

  void CheckAll() {
    for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
      gasnet_get_bulk(buffers_.get(), peer, There(peer, 0), kStretch);
      CHECK_EQ(memcmp(buffers_.get(), Expected(peer, 0), kStretch), 0);
    }
  }

 private:
  struct Get {
    const char* buffer;
    const char* expected;
    size_t bytes;
  };

  char* There(gasnet_node_t peer, size_t offset) {
    return SharedMemory(peer) + gasnet_mynode() * kStretch + offset;
  }
  char* Expected(gasnet_node_t peer, size_t offset) {
    return &model_[peer * kStretch + offset];
  }

  // Starts one bulk transfer on one cell, of any size at any alignment.
  void Start(size_t cell) {
    const size_t bytes = Size();
    const size_t offset = cell * kCell + random_.Below(kCell - bytes + 1);
    char* const buffer = &buffers_[cell * kCell];
    handles_[cell] = GASNET_INVALID_HANDLE;
    gets_[cell] = {buffer, Expected(peer_, offset), 0};
    const int kind = static_cast<int>(random_.Below(9));
    if (kind < 3) {
      StartPut(kind, cell, offset, buffer, bytes);
    } else if (kind < 6) {
      gets_[cell].bytes = bytes;
      StartGet(kind - 3, cell, offset, buffer, bytes);
    } else {
      StartMemset(kind - 6, cell, offset, bytes);
    }
  }

  // Returns a random size. Half of the sizes are small. Some exceed what one
  // message can hold.
  size_t Size() {
    const uint64_t class_of_size = random_.Below(16);
    if (class_of_size < 8) return random_.Below(33);
    return random_.Below(class_of_size < 15 ? 3001 : kCell + 1);
  }

  void StartPut(int form, size_t cell, size_t offset, char* buffer,
                size_t bytes) {
    FillPattern(buffer, bytes, static_cast<uint32_t>(random_.Next()));
    memcpy(Expected(peer_, offset), buffer, bytes);
    void* const there = There(peer_, offset);
    if (form == 0) gasnet_put_bulk(peer_, there, buffer, bytes);
    if (form == 1) {
      handles_[cell] = gasnet_put_nb_bulk(peer_, there, buffer, bytes);
    }
    if (form == 2) gasnet_put_nbi_bulk(peer_, there, buffer, bytes);
  }

  void StartGet(int form, size_t cell, size_t offset, char* buffer,
                size_t bytes) {
    void* const there = There(peer_, offset);
    if (form == 0) gasnet_get_bulk(buffer, peer_, there, bytes);
    if (form == 1) {
      handles_[cell] = gasnet_get_nb_bulk(buffer, peer_, there, bytes);
    }
    if (form == 2) gasnet_get_nbi_bulk(buffer, peer_, there, bytes);
  }

  void StartMemset(int form, size_t cell, size_t offset, size_t bytes) {
    const int value = static_cast<int>(random_.Below(256));
    memset(Expected(peer_, offset), value, bytes);
    void* const there = There(peer_, offset);
    if (form == 0) gasnet_memset(peer_, there, value, bytes);
    if (form == 1)
      handles_[cell] = gasnet_memset_nb(peer_, there, value, bytes);
    if (form == 2) gasnet_memset_nbi(peer_, there, value, bytes);
  }

  Random random_;
  std::unique_ptr<char[]> model_;    // contents of this node's parts, by node
  std::unique_ptr<char[]> buffers_;  // one buffer for each cell
  gasnet_node_t peer_ = 0;
  gasnet_handle_t handles_[kCells];
  Get gets_[kCells];
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::InitJob(&argc, &argv);
  conformance::AttachJob(nullptr, 0, gasnet_nodes() * conformance::kStretch);
  conformance::Model model;
  for (int round = 0; round < conformance::kRounds; ++round) model.Round();
  model.CheckAll();
  return conformance::FinishJob();
}
