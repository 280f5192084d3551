#include "core/further_segments.h"

#include <gtest/gtest.h>

namespace gasnet {
namespace {

TEST(FurtherSegmentsTest, ContainsWhatIsBoundAlone) {
  FurtherSegments segments;
  EXPECT_FALSE(segments.Contains(1000, 0));
  segments.Bind(1, {1000, 100});
  segments.Bind(31, {1100, 50});
  EXPECT_TRUE(segments.Contains(1000, 100));
  EXPECT_TRUE(segments.Contains(1100, 50));
  EXPECT_FALSE(segments.Contains(999, 2));
  // A range across two segments is in neither.
  EXPECT_FALSE(segments.Contains(1050, 100));
  EXPECT_FALSE(segments.Contains(1100, SIZE_MAX));
  EXPECT_EQ(segments.BoundTo(31).base, 1100);
  segments.Bind(1, {});
  EXPECT_FALSE(segments.Contains(1000, 1));
  EXPECT_EQ(segments.BoundTo(1).size, 0);
}

TEST(FurtherSegmentsTest, KnowsWhatWasPublishedLast) {
  FurtherSegments segments;
  EXPECT_EQ(segments.Published(3, 1).size, 0);
  segments.Publish(3, 1, {10, 20});
  segments.Publish(3, 2, {30, 40});
  segments.Publish(4, 1, {50, 60});
  EXPECT_EQ(segments.Published(3, 1).base, 10);
  EXPECT_EQ(segments.Published(3, 2).base, 30);
  EXPECT_EQ(segments.Published(4, 1).size, 60);
  EXPECT_EQ(segments.Published(1, 3).size, 0);
  segments.Publish(3, 1, {70, 80});
  EXPECT_EQ(segments.Published(3, 1).base, 70);
  segments.Publish(3, 1, {});
  EXPECT_EQ(segments.Published(3, 1).size, 0);
  EXPECT_EQ(segments.Published(3, 2).size, 40);
}

}  // namespace
}  // namespace gasnet
