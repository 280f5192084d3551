#include "job/statistics/xml.h"

#include <stdio.h>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace gasnet::job {

std::string XmlText(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += absl::ascii_isprint(static_cast<unsigned char>(c)) ? c : '?';
    }
  }
  return out;
}

std::string SvgBox(const Box& box, std::string_view css_class,
                   std::string_view title, double opacity) {
  char shade[40] = "";
  if (opacity < 1) snprintf(shade, sizeof shade, " opacity=\"%.2f\"", opacity);
  const std::string rect = absl::StrCat(
      "<rect class=\"", std::string(css_class), "\" x=\"", box.x, "\" y=\"",
      box.y, "\" width=\"", box.width, "\" height=\"", box.height, "\"", shade);
  if (title.empty()) return rect + "/>\n";
  return absl::StrCat(rect, "><title>", XmlText(title), "</title></rect>\n");
}

std::string SvgText(int x, int y, std::string_view text,
                    std::string_view attributes) {
  return absl::StrCat("<text x=\"", x, "\" y=\"", y, "\"",
                      attributes.empty() ? "" : " ", std::string(attributes),
                      ">", XmlText(text), "</text>\n");
}

}  // namespace gasnet::job
