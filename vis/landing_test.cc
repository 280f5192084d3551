// Tests a get whose stream has more bytes than 32 bits can count.
#include "vis/landing.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gasnet::vis {
namespace {

constexpr size_t kGiB = size_t{1} << 30;

// Address space for more than 4 GiB. Only touched pages use memory.
class SparseMemory {
 public:
  static constexpr size_t kBytes = 10 * kGiB;

  SparseMemory()
      : data_(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
    EXPECT_NE(data_, MAP_FAILED);
  }
  ~SparseMemory() { munmap(data_, kBytes); }
  SparseMemory(const SparseMemory&) = delete;
  SparseMemory& operator=(const SparseMemory&) = delete;

  std::byte* at(size_t offset) const {
    return static_cast<std::byte*>(data_) + offset;
  }

 private:
  void* const data_;
};

class LandingTest : public ::testing::Test {
 protected:
  // Fills in the data of a reply: all bytes differ from 0.
  LandingTest() {
    for (size_t i = 0; i < data_.size(); ++i) {
      data_[i] = static_cast<std::byte>(i % 251 + 1);
    }
  }
  void Land(ScatterLanding* landing, uint64_t offset) {
    landing->Scatter(offset, data_.data(), data_.size());
    landing->GiveUp();
  }
  // Checks that `nbytes` of the data, from byte `first` on, have arrived at
  // `offset`. Also checks that the bytes before and after have not changed.
  void ExpectAt(size_t offset, size_t first, size_t nbytes) const {
    EXPECT_EQ(*memory_.at(offset - 1), std::byte{0});
    EXPECT_EQ(*memory_.at(offset + nbytes), std::byte{0});
    for (size_t i = 0; i < nbytes; ++i) {
      ASSERT_EQ(*memory_.at(offset + i), data_[first + i]) << first + i;
    }
  }

  SparseMemory memory_;
  std::array<std::byte, 3000> data_;
};

TEST_F(LandingTest, RunsOfAShapeBeyond4GiB) {
  constexpr size_t kRun = 1000, kRows = 3, kStep = kRun + 24;
  constexpr size_t kPlanes = 3 * kGiB / 2000;  // 4.5 GB
  const size_t to[] = {kStep, kRows * kStep}, from[] = {0, 0};
  const size_t count[] = {kRun, kRows, kPlanes};
  const Strided shape(WithoutSigns(memory_.at(0), to, nullptr, from, count, 2));
  ASSERT_GT(shape.nbytes(), 4 * kGiB);
  // The data are the last row of the last plane but one, and two rows of the
  // last plane.
  constexpr size_t kFirst = (kPlanes - 2) * kRows + 2;
  Land(ScatterLanding::Of(shape), uint64_t{kFirst} * kRun);
  for (size_t i = 0; i < 3; ++i) {
    ExpectAt((kFirst + i) * kStep, i * kRun, kRun);
  }
  EXPECT_EQ(*memory_.at(0), std::byte{0});
}

TEST_F(LandingTest, EntriesOfOneLengthBeyond4GiB) {
  constexpr size_t kLength = 5 * kGiB / 2;
  void* const list[] = {memory_.at(kLength + 64), memory_.at(32),
                        memory_.at(2 * kLength + 96)};
  Land(ScatterLanding::Of(IndexedList{list, 3, kLength}), 2 * kLength - 1000);
  ExpectAt(32 + kLength - 1000, 0, 1000);
  ExpectAt(2 * kLength + 96, 1000, 2000);
}

TEST_F(LandingTest, EntriesOfAnyLengthBeyond4GiB) {
  const VectorEntry list[] = {{memory_.at(32), 3 * kGiB},
                              {nullptr, 0},
                              {memory_.at(3 * kGiB + 64), 2 * kGiB},
                              {memory_.at(5 * kGiB + 96), 7},
                              {memory_.at(6 * kGiB), kGiB}};
  Land(ScatterLanding::Of(VectorList{list, 5}), 5 * kGiB - 100);
  ExpectAt(3 * kGiB + 64 + 2 * kGiB - 100, 0, 100);
  ExpectAt(5 * kGiB + 96, 100, 7);
  ExpectAt(6 * kGiB, 107, 2893);
}

}  // namespace
}  // namespace gasnet::vis
