#include "job/wire/wire.h"

#include <string>

#include "gtest/gtest.h"

namespace gasnet::job {
namespace {

TEST(WireTest, ReadsWhatWasWritten) {
  WireWriter out;
  out.U32(0xfedcba98);
  out.Text("");
  out.Text(std::string("a\0b", 3));
  out.Raw("xyz");
  const std::string bytes = out.Take();
  WireReader in(bytes);
  EXPECT_EQ(in.U32(), 0xfedcba98);
  EXPECT_EQ(in.Text(0), "");
  EXPECT_EQ(in.Text(3), std::string_view("a\0b", 3));
  EXPECT_FALSE(in.Complete());
  EXPECT_EQ(in.Raw(3), "xyz");
  EXPECT_TRUE(in.Complete());
}

TEST(WireTest, IsLittleEndian) {
  WireWriter out;
  out.U32(0x01020304);
  EXPECT_EQ(out.Take(), "\x04\x03\x02\x01");
}

TEST(WireTest, FailsForGoodBeyondTheEnd) {
  WireReader in("abcde");
  EXPECT_NE(in.U32(), 0u);
  EXPECT_EQ(in.U32(), 0u);
  EXPECT_FALSE(in.ok());
  EXPECT_EQ(in.Raw(1), "");
  EXPECT_EQ(in.remaining(), 0u);
}

TEST(WireTest, TextMayBeNoLongerThanItsLimitOrTheInput) {
  WireWriter out;
  out.Text("four");
  const std::string bytes = out.Take();
  WireReader limited(bytes);
  EXPECT_EQ(limited.Text(3), "");
  EXPECT_FALSE(limited.ok());
  WireReader cut(std::string_view(bytes).substr(0, bytes.size() - 1));
  EXPECT_EQ(cut.Text(100), "");
  EXPECT_FALSE(cut.ok());
}

}  // namespace
}  // namespace gasnet::job
