// Transfers in pieces at the limits. There are more transfers in flight than 16
// bits can count, lists of a hundred thousand pieces, and local sides that span
// more memory than 32 bits can address.
#include <gasnet_vis.h>
#include <sys/mman.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr size_t kMany = 70001;  // more than 1 << 16
constexpr size_t kPieces = 100'000;
constexpr size_t kShared = 4 * kMany * sizeof(uint32_t);

gasnet_node_t Next() { return (gasnet_mynode() + 1) % gasnet_nodes(); }

// Returns the words of the next node's memory that only this node writes.
uint32_t* There() { return reinterpret_cast<uint32_t*>(SharedMemory(Next())); }

// Keeps many transfers in flight at once. Each one moves words 0 and 2 of four
// words.
void ManyUnderWay() {
  std::vector<uint32_t> from(4 * kMany), back(4 * kMany, 7);
  std::iota(from.begin(), from.end(), gasnet_mynode());
  std::vector<gasnet_handle_t> handles(kMany);
  const size_t stride = 2 * sizeof(uint32_t);
  const size_t count[] = {sizeof(uint32_t), 2};
  for (size_t i = 0; i < kMany; ++i) {
    handles[i] = gasnet_puts_nb_bulk(Next(), There() + 4 * i, &stride,
                                     &from[4 * i], &stride, count, 1);
  }
  gasnet_wait_syncnb_all(handles.data(), handles.size());
  for (size_t i = 0; i < kMany; ++i) {
    gasnet_gets_nbi_bulk(&back[4 * i], &stride, Next(), There() + 4 * i,
                         &stride, count, 1);
  }
  gasnet_wait_syncnbi_gets();
  for (size_t i = 0; i < 4 * kMany; ++i) {
    CHECK_EQ(back[i], i % 2 == 0 ? from[i] : 7);
  }
}

// Transfers every second remote word, and all local words from last to first.
void LongLists() {
  std::vector<uint32_t> from(kPieces), back(kPieces, 0);
  std::vector<void*> there, here, into;
  std::vector<gasnet_memvec_t> there_too, into_too;
  for (size_t i = 0; i < kPieces; ++i) {
    from[i] = static_cast<uint32_t>(i * 3 + gasnet_mynode());
    there.push_back(There() + 2 * i);
    here.push_back(&from[kPieces - 1 - i]);
    into.push_back(&back[kPieces - 1 - i]);
    there_too.push_back({there[i], sizeof(uint32_t)});
    into_too.push_back({into[i], sizeof(uint32_t)});
  }
  gasnet_puti_bulk(Next(), kPieces, there.data(), sizeof(uint32_t), kPieces,
                   here.data(), sizeof(uint32_t));
  gasnet_geti_bulk(kPieces, into.data(), sizeof(uint32_t), Next(), kPieces,
                   there.data(), sizeof(uint32_t));
  CHECK(back == from);
  std::fill(back.begin(), back.end(), 0);
  gasnet_getv_bulk(kPieces, into_too.data(), Next(), kPieces, there_too.data());
  CHECK(back == from);
  for (uint32_t& word : from) word += 5;
  std::vector<gasnet_memvec_t> here_too;
  for (void* const word : here) here_too.push_back({word, sizeof(uint32_t)});
  gasnet_putv_bulk(Next(), kPieces, there_too.data(), kPieces, here_too.data());
  gasnet_geti_bulk(kPieces, into.data(), sizeof(uint32_t), Next(), kPieces,
                   there.data(), sizeof(uint32_t));
  CHECK(back == from);
}

// Transfers words that are 1.5 GiB and 4 bytes apart. Only the pages that hold
// these words are ever touched.
void FarApart() {
  constexpr size_t kFar = (size_t{3} << 29) + 4;
  constexpr size_t kWords = 5;
  constexpr size_t kSpan = (kWords - 1) * kFar + sizeof(uint32_t);
  static_assert(kSpan > size_t{1} << 32);
  void* const memory = mmap(nullptr, kSpan, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  CHECK(memory != MAP_FAILED);
  const auto word = [&](size_t i) -> uint32_t& {
    return *reinterpret_cast<uint32_t*>(static_cast<char*>(memory) + i * kFar);
  };
  for (size_t i = 0; i < kWords; ++i) word(i) = static_cast<uint32_t>(i + 1);
  const size_t near = 2 * sizeof(uint32_t);
  const size_t count[] = {sizeof(uint32_t), kWords};
  gasnet_puts_bulk(Next(), There(), &near, memory, &kFar, count, 1);
  for (size_t i = 0; i < kWords; ++i) word(i) = 0;
  gasnet_gets_bulk(memory, &kFar, Next(), There(), &near, count, 1);
  for (size_t i = 0; i < kWords; ++i) CHECK_EQ(word(i), i + 1);
  CHECK_EQ(munmap(memory, kSpan), 0);
}

constexpr Case kCases[] = {
    {"many", ManyUnderWay},
    {"lists", LongLists},
    {"far", FarApart},
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::StartJob(&argc, &argv, nullptr, 0, conformance::kShared);
  conformance::RunCase(argc, argv, conformance::kCases,
                       COUNT_OF(conformance::kCases));
  return conformance::FinishJob();
}
