// Tests the registration cache: single operations, and random operations
// compared with a simple model.
#include "conduits/portals/md_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <random>
#include <vector>

namespace gasnet::portals_conduit {
namespace {

using Number = MdCache::Number;
using Range = MdCache::Range;

constexpr uint64_t kPage = 4096;
constexpr uint64_t kAny = UINT64_MAX / kPage * kPage;

MdCache::Limits LimitsOf(uint32_t regions, uint64_t pages,
                         uint64_t region_pages) {
  return {.regions = regions,
          .bytes = pages * kPage,
          .region_bytes = region_pages * kPage,
          .page = kPage};
}

TEST(MdCacheTest, ARangeIsOfWholePages) {
  const MdCache cache(LimitsOf(4, 64, 8));
  EXPECT_EQ(cache.RangeFor(3 * kPage + 5, 1, kAny),
            (Range{3 * kPage, 4 * kPage}));
  EXPECT_EQ(cache.RangeFor(3 * kPage, kPage, kAny),
            (Range{3 * kPage, 4 * kPage}));
  EXPECT_EQ(cache.RangeFor(4 * kPage - 1, 2, kAny),
            (Range{3 * kPage, 5 * kPage}));
}

TEST(MdCacheTest, ARangeEndsAtTheLargestRegion) {
  MdCache cache(LimitsOf(4, 64, 8));
  EXPECT_EQ(cache.RangeFor(5, UINT64_MAX, kAny), (Range{0, 8 * kPage}));
  EXPECT_EQ(cache.RangeFor(5, 8 * kPage, kAny), (Range{0, 8 * kPage}));
  EXPECT_EQ(cache.RangeFor(5, UINT64_MAX, 2 * kPage), (Range{0, 2 * kPage}));
  cache.Shorten(kPage);
  EXPECT_EQ(cache.RangeFor(5, UINT64_MAX, kAny), (Range{0, kPage}));
}

TEST(MdCacheTest, ARangeEndsWhereTheNextRegionBegins) {
  MdCache cache(LimitsOf(4, 64, 8));
  cache.Add({3 * kPage, 4 * kPage});
  EXPECT_EQ(cache.RangeFor(kPage, 8 * kPage, kAny), (Range{kPage, 3 * kPage}));
}

TEST(MdCacheTest, LimitsAreOfWholePages) {
  const auto region_bytes = [](uint64_t bytes, uint64_t region) {
    return MdCache({.regions = 1,
                    .bytes = bytes,
                    .region_bytes = region,
                    .page = kPage})
        .limits()
        .region_bytes;
  };
  EXPECT_EQ(region_bytes(100 * kPage, 0), kPage);
  EXPECT_EQ(region_bytes(100 * kPage, 2 * kPage + 1), 2 * kPage);
  EXPECT_EQ(region_bytes(3 * kPage + 7, 8 * kPage), 3 * kPage);
  EXPECT_EQ(region_bytes(0, 8 * kPage), kPage);
}

TEST(MdCacheTest, RoomIsOfRegionsAndOfBytes) {
  MdCache cache(LimitsOf(2, 5, 4));
  EXPECT_TRUE(cache.HasRoom(4 * kPage));
  cache.Add({0, 4 * kPage});
  EXPECT_FALSE(cache.HasRoom(2 * kPage));
  EXPECT_TRUE(cache.HasRoom(kPage));
  cache.Add({4 * kPage, 5 * kPage});
  EXPECT_FALSE(cache.HasRoom(0));
}

TEST(MdCacheTest, TheVictimIsTheOneThatIsIdleForTheLongest) {
  MdCache cache(LimitsOf(3, 64, 8));
  const Number first = cache.Add({0, kPage});
  const Number second = cache.Add({kPage, 2 * kPage});
  EXPECT_FALSE(cache.Victim());
  EXPECT_TRUE(cache.End(second));
  EXPECT_TRUE(cache.End(first));
  EXPECT_EQ(cache.Victim(), second);
  EXPECT_EQ(cache.Find(kPage), second);
  EXPECT_EQ(cache.Victim(), first);
  EXPECT_TRUE(cache.End(second));
  EXPECT_EQ(cache.Victim(), first);
  cache.Remove(first);
  EXPECT_EQ(cache.Victim(), second);
  EXPECT_FALSE(cache.Find(0));
}

TEST(MdCacheTest, ARegionIsIdleWhenItsLastUserEnds) {
  MdCache cache(LimitsOf(1, 64, 8));
  const Number region = cache.Add({0, kPage});
  EXPECT_EQ(cache.Find(kPage - 1), region);
  EXPECT_FALSE(cache.End(region));
  EXPECT_TRUE(cache.IsInUse());
  EXPECT_FALSE(cache.Victim());
  EXPECT_TRUE(cache.End(region));
  EXPECT_FALSE(cache.IsInUse());
}

// A simple model of the cache: the region of each page, and the order in which
// regions became idle.
class Model {
 public:
  explicit Model(uint32_t seed) : random_(seed) {}

  void Step() {
    switch (random_() % 4) {
      case 0:
      case 1:
        return Take();
      case 2:
        return EndOne();
      default:
        return RemoveOne();
    }
  }

  void Check() {
    uint64_t bytes = 0;
    size_t used = 0;
    for (const auto& [number, region] : regions_) {
      bytes += region.pages.size() * kPage;
      used += region.users > 0 ? 1 : 0;
    }
    ASSERT_EQ(cache_.size(), regions_.size());
    ASSERT_EQ(cache_.bytes(), bytes);
    ASSERT_LE(bytes, kPages * kPage);
    ASSERT_LE(regions_.size(), kRegions);
    ASSERT_EQ(cache_.IsInUse(), used > 0);
    ASSERT_EQ(cache_.Victim(), Longest());
  }

 private:
  struct Region {
    std::vector<uint64_t> pages;
    unsigned users = 0;
  };
  static constexpr uint32_t kRegions = 6;
  static constexpr uint64_t kPages = 16;
  static constexpr uint64_t kRegionPages = 5;
  static constexpr uint64_t kSpace = 40;  // number of pages

  std::optional<Number> Longest() const {
    if (idle_.empty()) return std::nullopt;
    return idle_.front();
  }

  void Take() {
    const uint64_t address = random_() % (kSpace * kPage);
    const uint64_t nbytes = 1 + random_() % (7 * kPage);
    const auto owner = owners_.find(address / kPage);
    const std::optional<Number> found = cache_.Find(address);
    ASSERT_EQ(found.has_value(), owner != owners_.end());
    if (!found) return Bind(address, nbytes);
    ASSERT_EQ(*found, owner->second);
    if (regions_[*found].users++ == 0) std::erase(idle_, *found);
  }

  void Bind(uint64_t address, uint64_t nbytes) {
    const Range range = cache_.RangeFor(address, nbytes, kAny);
    uint64_t end = address / kPage;
    while (end < address / kPage + kRegionPages && !owners_.contains(end) &&
           end * kPage < address + nbytes) {
      ++end;
    }
    ASSERT_EQ(range, (Range{address / kPage * kPage, end * kPage}));
    const bool has_room = regions_.size() < kRegions &&
                          owners_.size() + range.bytes() / kPage <= kPages;
    ASSERT_EQ(cache_.HasRoom(range.bytes()), has_room);
    if (!has_room) return;
    const Number number = cache_.Add(range);
    ASSERT_LT(number, kRegions);
    ASSERT_FALSE(regions_.contains(number));
    ASSERT_EQ(cache_.RangeOf(number), range);
    Region& region = regions_[number];
    region.users = 1;
    for (uint64_t page = range.start / kPage; page < end; ++page) {
      region.pages.push_back(page);
      owners_[page] = number;
    }
  }

  void EndOne() {
    std::vector<Number> used;
    for (const auto& [number, region] : regions_) {
      if (region.users > 0) used.push_back(number);
    }
    if (used.empty()) return;
    const Number number = used[random_() % used.size()];
    const bool is_last = --regions_[number].users == 0;
    ASSERT_EQ(cache_.End(number), is_last);
    if (is_last) idle_.push_back(number);
  }

  // Removes any idle region, not only the victim. In the conduit the victim
  // stays if Portals does not release it.
  void RemoveOne() {
    if (idle_.empty()) return;
    const Number number = idle_[random_() % idle_.size()];
    std::erase(idle_, number);
    for (const uint64_t page : regions_[number].pages) owners_.erase(page);
    regions_.erase(number);
    cache_.Remove(number);
  }

  std::mt19937 random_;
  MdCache cache_{LimitsOf(kRegions, kPages, kRegionPages)};
  std::map<uint64_t, Number> owners_;  // region of each page
  std::map<Number, Region> regions_;
  std::deque<Number> idle_;  // longest idle first
};

TEST(MdCacheTest, DoesWhatTheModelDoes) {
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    Model model(seed);
    for (int step = 0; step < 20'000; ++step) {
      model.Step();
      model.Check();
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace gasnet::portals_conduit
