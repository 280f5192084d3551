// The file of GASNET_STATSFILE. Text collects in a buffer of fixed size. The
// buffer is written when it is full, and by Flush. After Open, no function here
// allocates memory or takes a lock. So a report may be written at the end of
// the process, on any thread.
#ifndef CORE_OBSERVE_OUTPUT_H_
#define CORE_OBSERVE_OUTPUT_H_

#include <array>
#include <cstdarg>
#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "base/unique_fd.h"
#include "core/rank.h"

namespace gasnet::observe {

class Output {
 public:
  // Returns the path with each % replaced by the rank.
  static std::string PathFor(std::string_view path, Rank rank);

  // Opens the file: stdout, stderr or - (stderr), or a path. A path with % is
  // this rank's own, and its file is emptied first unless `append`. Several
  // ranks append to a path without %.
  absl::Status Open(std::string_view path, Rank rank, bool append = false);
  bool IsOpen() const { return fd_ >= 0; }

  // Adds text. A line that is longer than the buffer is cut.
  void Print(const char* format, ...) __attribute__((format(printf, 2, 3)));
  void PrintV(const char* format, va_list args);
  // Writes all collected text. Reports the first failure, such as a full disk,
  // and drops all later text.
  void Flush();

 private:
  static constexpr size_t kLongest = 4096;

  int fd_ = -1;
  UniqueFd file_;  // not used for stdout and stderr
  bool failed_ = false;
  size_t used_ = 0;
  std::array<char, size_t{1} << 16> buffer_;
};

}  // namespace gasnet::observe

#endif  // CORE_OBSERVE_OUTPUT_H_
