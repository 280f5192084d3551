// Tests images: threads of a node that take part in collectives by themselves.
// Each node has one to four images. The tests are
//
// - every operation with one address for each call, and with lists, on the
//   job and on a team of its nodes in another order;
// - handles that each image syncs by itself;
// - barriers of images;
// - an operation that takes one call for each node instead of each image.
#include <string.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr size_t kMax = 5000;
constexpr size_t kSizes[] = {0, 8, 40, 57, 1000, kMax};
constexpr int kModes[] = {
    GASNET_COLL_IN_NOSYNC | GASNET_COLL_OUT_NOSYNC,
    GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_MYSYNC,
    GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC,
    GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_ALLSYNC,
    GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_MYSYNC,
};

gasnet_image_t ImagesOf(gasnet_node_t node) { return (node + 1) % 4 + 1; }

// The numbering of a team's images. The team has all nodes of the job, in
// ascending or descending order.
class Layout {
 public:
  explicit Layout(bool backwards) : backwards_(backwards) {}

  gasnet_node_t NodeAt(gasnet_node_t index) const {
    return backwards_ ? gasnet_nodes() - 1 - index : index;
  }
  gasnet_image_t First(gasnet_node_t node) const {
    gasnet_image_t first = 0;
    for (gasnet_node_t i = 0; NodeAt(i) != node; ++i) {
      first += ImagesOf(NodeAt(i));
    }
    return first;
  }
  gasnet_image_t Total() const {
    gasnet_image_t total = 0;
    for (gasnet_node_t i = 0; i < gasnet_nodes(); ++i) total += ImagesOf(i);
    return total;
  }

 private:
  const bool backwards_;
};

void Concatenate(void* results, size_t result_count, const void* left,
                 size_t /*left_count*/, const void* right, size_t elem_size,
                 int /*flags*/, int /*arg*/) {
  CHECK_EQ(elem_size, 16);
  // An element is a string of digits. Its first word is the number of digits.
  // Its second word is the value of the digits in base 31.
  for (size_t i = 0; i < result_count; ++i) {
    uint64_t a[2], b[2];
    memcpy(a, static_cast<const char*>(left) + 16 * i, 16);
    memcpy(b, static_cast<const char*>(right) + 16 * i, 16);
    for (uint64_t digits = 0; digits < b[0]; ++digits) a[1] *= 31;
    a[1] += b[1];
    a[0] += b[0];
    memcpy(static_cast<char*>(results) + 16 * i, a, 16);
  }
}

// Memory that the images of this node share.
struct Shared {
  std::vector<std::vector<char>> dst, src;  // indexed by image of the node
  std::vector<void*> dst_list, src_list;
  std::atomic<unsigned> entered{0};
};

class Image {
 public:
  Image(Shared& shared, gasnet_image_t thread, gasnet_team_handle_t team,
        const Layout& layout)
      : shared_(shared),
        thread_(thread),
        team_(team),
        total_(layout.Total()),
        me_(layout.First(gasnet_mynode()) + thread),
        dst_(shared.dst[thread]),
        src_(shared.src[thread]) {}

  void Run() {
    unsigned round = 0;
    for (const size_t size : kSizes) {
      for (const int mode : kModes) {
        root_ = round++ % total_;
        flags_ = mode | GASNET_COLL_LOCAL;
        Movements(size, false);
        Movements(std::min(size, kMax / 2), true);
        Reduce(size / 16);
      }
    }
    InFlight();
    Barriers();
  }

 private:
  char* dst() { return dst_.data(); }
  char* src() { return src_.data(); }
  void* const* dsts() { return shared_.dst_list.data(); }
  void* const* srcs() { return shared_.src_list.data(); }

  static uint32_t Key(gasnet_image_t from, gasnet_image_t to) {
    return from * 131 + to + 5;
  }

  // Fills the sources for all operations. The pattern of block `to` depends on
  // this image and on `to`.
  void Fill(size_t size) {
    Meet();
    memset(dst(), 0x5a, dst_.size());
    for (gasnet_image_t to = 0; to < total_; ++to) {
      FillPattern(src() + to * size, size, Key(me_, to));
    }
    Meet();
  }
  void Meet() {
    gasnet_coll_barrier(
        team_, 0, GASNET_BARRIERFLAG_ANONYMOUS | GASNET_BARRIERFLAG_IMAGES);
  }
  // Checks a block of this image's own destination. With NOSYNC, a synced
  // operation implies nothing about the destinations of other images.
  void CheckBlock(size_t index, size_t size, gasnet_image_t from,
                  gasnet_image_t to) {
    CHECK_PATTERN(dst() + index * size, size, Key(from, to));
  }
  void CheckEnd(size_t bytes) {
    CHECK_BYTES(dst() + bytes, dst_.size() - bytes, 0x5a);
  }

  void Movements(size_t size, bool lists) {
    const bool is_root = me_ == root_;
    char* const at_root = is_root ? dst() : nullptr;
    char* const from_root = is_root ? src() : nullptr;
    // Any image of a node may give the node's lists. The image that gives the
    // lists also gives the root's address, if the root is on this node.
    Shared& s = shared_;
    const gasnet_image_t first = me_ - thread_;
    const bool root_is_here = root_ >= first && root_ < first + s.dst.size();
    char* const list_dst = root_is_here ? s.dst[root_ - first].data() : nullptr;
    char* const list_src = root_is_here ? s.src[root_ - first].data() : nullptr;

    Fill(size);
    lists ? gasnet_coll_broadcastM(team_, dsts(), root_, list_src, size, flags_)
          : gasnet_coll_broadcast(team_, dst(), root_, from_root, size, flags_);
    CheckBlock(0, size, root_, 0);
    CheckEnd(size);

    Fill(size);
    lists ? gasnet_coll_scatterM(team_, dsts(), root_, list_src, size, flags_)
          : gasnet_coll_scatter(team_, dst(), root_, from_root, size, flags_);
    CheckBlock(0, size, root_, me_);
    CheckEnd(size);

    Fill(size);
    lists ? gasnet_coll_gatherM(team_, root_, list_dst, srcs(), size, flags_)
          : gasnet_coll_gather(team_, root_, at_root, src(), size, flags_);
    for (gasnet_image_t from = 0; is_root && from < total_; ++from) {
      CheckBlock(from, size, from, 0);
    }
    CheckEnd(is_root ? total_ * size : 0);

    Fill(size);
    lists ? gasnet_coll_gather_allM(team_, dsts(), srcs(), size, flags_)
          : gasnet_coll_gather_all(team_, dst(), src(), size, flags_);
    for (gasnet_image_t from = 0; from < total_; ++from) {
      CheckBlock(from, size, from, 0);
    }
    CheckEnd(total_ * size);

    Fill(size);
    lists ? gasnet_coll_exchangeM(team_, dsts(), srcs(), size, flags_)
          : gasnet_coll_exchange(team_, dst(), src(), size, flags_);
    for (gasnet_image_t from = 0; from < total_; ++from) {
      CheckBlock(from, size, from, me_);
    }
    CheckEnd(total_ * size);
  }

  // Reduces strings by concatenation. Each image contributes a string of one
  // digit to element i. The digit is the image's number plus i plus 1.
  void Reduce(size_t count) {
    Meet();
    for (size_t i = 0; i < count; ++i) {
      const uint64_t element[] = {1, me_ + 1 + i};
      memcpy(src() + 16 * i, element, sizeof(element));
    }
    Meet();
    gasnet_coll_reduce(team_, root_, me_ == root_ ? dst() : nullptr, src(), 0,
                       0, 16, count, 0, 0, flags_);
    for (size_t i = 0; me_ == root_ && i < count; ++i) {
      uint64_t expected[] = {total_, 0}, element[2];
      for (gasnet_image_t image = 0; image < total_; ++image) {
        expected[1] = expected[1] * 31 + image + 1 + i;
      }
      memcpy(element, dst() + 16 * i, sizeof(element));
      CHECK_EQ(element[0], expected[0]);
      CHECK_EQ(element[1], expected[1]);
    }
  }

  // Keeps several operations of each image in flight. Images sync them in
  // different orders.
  void InFlight() {
    constexpr size_t kCount = 40;
    Meet();
    std::vector<uint64_t> in(kCount), out(kCount);
    std::vector<gasnet_coll_handle_t> handles(kCount);
    for (size_t i = 0; i < kCount; ++i) {
      in[i] = i * 100 + me_;
      handles[i] = gasnet_coll_broadcast_nb(
          team_, &out[i], static_cast<gasnet_image_t>(i % total_), &in[i],
          sizeof(uint64_t),
          GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_MYSYNC | GASNET_COLL_LOCAL);
    }
    for (size_t i = 0; i < kCount; ++i) {
      const size_t which = me_ % 2 == 0 ? i : kCount - 1 - i;
      gasnet_coll_wait_sync(handles[which]);
      CHECK_EQ(out[which], which * 100 + which % total_);
    }
    Meet();
  }

  // Checks that no image leaves a barrier before all images have entered it.
  void Barriers() {
    constexpr int kFlags = GASNET_BARRIERFLAG_IMAGES;
    for (int round = 0; round < 30; ++round) {
      shared_.entered.fetch_add(1, std::memory_order_relaxed);
      gasnet_coll_barrier_notify(team_, round, kFlags);
      CHECK_OK(gasnet_coll_barrier_wait(team_, round, kFlags));
      CHECK_EQ(shared_.entered.load(std::memory_order_relaxed) >=
                   static_cast<unsigned>(round + 1) * shared_.dst.size(),
               1);
      CHECK_OK(gasnet_coll_barrier(team_, round, kFlags));
    }
  }

  Shared& shared_;
  const gasnet_image_t thread_;
  const gasnet_team_handle_t team_;
  const gasnet_image_t total_;
  const gasnet_image_t me_;
  gasnet_image_t root_ = 0;
  int flags_ = 0;
  std::vector<char>& dst_;
  std::vector<char>& src_;
};

void RunAll() {
  const gasnet_image_t images = ImagesOf(gasnet_mynode());
  const Layout forwards(false), backwards(true);
  Shared shared;
  const size_t bytes = forwards.Total() * kMax + 64;
  shared.dst.assign(images, std::vector<char>(bytes));
  shared.src.assign(images, std::vector<char>(bytes));
  for (auto& one : shared.dst) shared.dst_list.push_back(one.data());
  for (auto& one : shared.src) shared.src_list.push_back(one.data());
  std::vector<gasnet_image_t> all;
  for (gasnet_node_t node = 0; node < gasnet_nodes(); ++node) {
    all.push_back(ImagesOf(node));
  }
  RunThreads(static_cast<int>(images), [&](int thread) {
    const auto number = static_cast<gasnet_image_t>(thread);
    gasnet_coll_fn_entry_t functions[] = {{Concatenate, 0}};
    gasnet_coll_init(all.data(), forwards.First(gasnet_mynode()) + number,
                     functions, 1, 0);
    Image(shared, number, GASNET_TEAM_ALL, forwards).Run();
    const gasnet_team_handle_t team = gasnet_coll_team_split(
        GASNET_TEAM_ALL, 3, gasnet_nodes() - gasnet_mynode(), nullptr);
    shared.entered = 0;
    gasnet_coll_barrier(
        team, 0, GASNET_BARRIERFLAG_ANONYMOUS | GASNET_BARRIERFLAG_IMAGES);
    Image(shared, number, team, backwards).Run();
  });
  // This operation takes one call for each node, even if the node has several
  // images.
  const uint64_t mine = gasnet_mynode() + 1;
  uint64_t sum = 0;
  gasnet_all_reduce_all(
      &sum, &mine, 1, GASNET_ALL_UINT64, GASNET_ALL_SUM, 0,
      GASNET_ALL_IN_MYSYNC | GASNET_ALL_OUT_MYSYNC | GASNET_ALL_LOCAL);
  CHECK_EQ(sum, uint64_t{gasnet_nodes()} * (gasnet_nodes() + 1) / 2);
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::StartJob(&argc, &argv, nullptr, 0, GASNET_PAGESIZE);
  conformance::RunAll();
  return conformance::FinishJob();
}
