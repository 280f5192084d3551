#include "job/statistics/xml.h"

#include <string>

#include "gtest/gtest.h"

namespace gasnet::job {
namespace {

TEST(XmlTest, AnyTextIsWellFormed) {
  EXPECT_EQ(XmlText("rank 3, plain-text_ok."), "rank 3, plain-text_ok.");
  EXPECT_EQ(XmlText("<a href=\"x\">'&'</a>"),
            "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;");
  EXPECT_EQ(XmlText(std::string("\0\n\x7f\xc3\xa4", 5)), "?????");
}

TEST(XmlTest, ABoxHasATitleAndAnOpacityIfTheyAreGiven) {
  EXPECT_EQ(
      SvgBox({1, 2, 3, 4}, "cell", ""),
      "<rect class=\"cell\" x=\"1\" y=\"2\" width=\"3\" height=\"4\"/>\n");
  EXPECT_EQ(SvgBox({1, 2, 3, 4}, "cell", "a<b", 0.125),
            "<rect class=\"cell\" x=\"1\" y=\"2\" width=\"3\" height=\"4\" "
            "opacity=\"0.12\"><title>a&lt;b</title></rect>\n");
}

TEST(XmlTest, TextHasAttributesIfTheyAreGiven) {
  EXPECT_EQ(SvgText(1, 2, "a&b"), "<text x=\"1\" y=\"2\">a&amp;b</text>\n");
  EXPECT_EQ(SvgText(1, 2, "a", "class=\"c\""),
            "<text x=\"1\" y=\"2\" class=\"c\">a</text>\n");
}

}  // namespace
}  // namespace gasnet::job
