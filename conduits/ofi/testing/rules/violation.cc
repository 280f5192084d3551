#include "conduits/ofi/testing/rules/violation.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace gasnet::ofi::rules {

void Violation(const char* format, ...) {
  std::array<char, 512> line;
  const auto begun = static_cast<size_t>(
      snprintf(line.data(), line.size(), "%s: ", kProvider));
  const size_t room = line.size() - begun - 1;
  va_list arguments;
  va_start(arguments, format);
  const int said = vsnprintf(&line[begun], room, format, arguments);
  va_end(arguments);
  size_t size = begun + std::min<size_t>(said < 0 ? 0 : said, room - 1);
  line[size++] = '\n';
  // Writes the line with one call, to keep it apart from the output of other
  // processes.
  static_cast<void>(!write(STDERR_FILENO, line.data(), size));
  std::abort();
}

}  // namespace gasnet::ofi::rules
