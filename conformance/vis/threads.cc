// Several threads transfer pieces at once. Each thread has its own part of the
// next node's memory, its own shapes, explicit handles and access regions.
// Plain puts and gets are mixed in.
#include <gasnet_vis.h>

#include <vector>

#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr int kThreads = 4;
constexpr int kRounds = 40;
constexpr size_t kColumns = 37;
constexpr size_t kRows = 53;
constexpr size_t kWords = kColumns * kRows;
constexpr size_t kPart = kWords * sizeof(uint32_t);

class Worker {
 public:
  explicit Worker(int thread)
      : peer_((gasnet_mynode() + 1) % gasnet_nodes()),
        there_(SharedMemory(peer_) + static_cast<size_t>(thread) * kPart),
        random_(static_cast<uint64_t>(thread)),
        matrix_(kWords),
        back_(kWords),
        words_(kWords) {
    for (size_t i = 0; i < kWords; ++i) {
      words_[i] = there_ + i * sizeof(uint32_t);
    }
  }

  void Round() {
    for (uint32_t& word : matrix_) word = static_cast<uint32_t>(random_.Next());
    PutTransposed();
    LetOthersRun();
    GetBack();
    for (size_t row = 0; row < kRows; ++row) {
      for (size_t column = 0; column < kColumns; ++column) {
        CHECK_EQ(back_[column * kRows + row], matrix_[row * kColumns + column]);
      }
    }
  }

 private:
  // Puts the matrix so that its rows become columns at the target. Puts one
  // half in an access region, and the other half by an explicit handle.
  void PutTransposed() {
    constexpr size_t kHalf = kRows / 2;
    const size_t to[] = {kRows * sizeof(uint32_t), sizeof(uint32_t)};
    const size_t from[] = {sizeof(uint32_t), kColumns * sizeof(uint32_t)};
    const size_t first[] = {sizeof(uint32_t), kColumns, kHalf};
    const size_t rest[] = {sizeof(uint32_t), kColumns, kRows - kHalf};
    gasnet_begin_nbi_accessregion();
    gasnet_puts_nbi_bulk(peer_, there_, to, matrix_.data(), from, first, 2);
    LetOthersRun();
    const gasnet_handle_t region = gasnet_end_nbi_accessregion();
    const gasnet_handle_t other =
        gasnet_puts_nb_bulk(peer_, there_ + kHalf * sizeof(uint32_t), to,
                            &matrix_[kHalf * kColumns], from, rest, 2);
    LetOthersRun();
    gasnet_wait_syncnb(other);
    gasnet_wait_syncnb(region);
  }

  // Gets the first half of the words one by one, and the second half in one
  // transfer.
  void GetBack() {
    constexpr size_t kFirst = kWords / 2;
    void* const here = back_.data();
    gasnet_geti_nbi_bulk(1, &here, kFirst * sizeof(uint32_t), peer_, kFirst,
                         words_.data(), sizeof(uint32_t));
    gasnet_get_nbi_bulk(&back_[kFirst], peer_, words_[kFirst],
                        (kWords - kFirst) * sizeof(uint32_t));
    LetOthersRun();
    // `here` is a list of one entry on the stack. The get may read the list
    // until this wait.
    gasnet_wait_syncnbi_gets();
  }

  const gasnet_node_t peer_;
  char* const there_;
  Random random_;
  std::vector<uint32_t> matrix_;
  std::vector<uint32_t> back_;
  std::vector<void*> words_;
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::kThreads;
  conformance::StartJob(&argc, &argv, nullptr, 0,
                        kThreads * conformance::kPart);
  conformance::RunThreads(kThreads, [](int thread) {
    conformance::Worker worker(thread);
    for (int i = 0; i < conformance::kRounds; ++i) worker.Round();
  });
  return conformance::FinishJob();
}
