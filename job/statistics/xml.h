// Makes pieces of an SVG.
#ifndef JOB_STATISTICS_XML_H_
#define JOB_STATISTICS_XML_H_

#include <string>
#include <string_view>

namespace gasnet::job {

// Returns the text in a form for use between tags and in attributes. A
// character that is not printable ASCII becomes '?'.
std::string XmlText(std::string_view text);

struct Box {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
};

// Returns a rectangle of the class `css_class`. An empty `title` and an opacity
// of 1 are left out.
std::string SvgBox(const Box& box, std::string_view css_class,
                   std::string_view title, double opacity = 1);

// Returns text at a position. `attributes` has more attributes, or is empty.
std::string SvgText(int x, int y, std::string_view text,
                    std::string_view attributes = "");

}  // namespace gasnet::job

#endif  // JOB_STATISTICS_XML_H_
