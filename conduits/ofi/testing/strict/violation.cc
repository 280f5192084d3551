#include "conduits/ofi/testing/strict/violation.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace gasnet::ofi::strict {

void Violation(const char* format, ...) {
  std::array<char, 512> line = {"strict: "};
  const size_t begun = std::strlen(line.data());
  const size_t room = line.size() - begun - 1;
  va_list arguments;
  va_start(arguments, format);
  const int said = vsnprintf(&line[begun], room, format, arguments);
  va_end(arguments);
  size_t size = begun + std::min<size_t>(said < 0 ? 0 : said, room - 1);
  line[size++] = '\n';
  // At once, so that it does not mix with what other processes say.
  static_cast<void>(!write(STDERR_FILENO, line.data(), size));
  std::abort();
}

}  // namespace gasnet::ofi::strict
