#include "core/observe/output.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/log.h"

namespace gasnet::observe {

std::string Output::PathFor(std::string_view path, Rank rank) {
  return absl::StrReplaceAll(path, {{"%", absl::StrCat(rank)}});
}

absl::Status Output::Open(std::string_view path, Rank rank, bool append) {
  if (path == "stdout") {
    fd_ = STDOUT_FILENO;
    return absl::OkStatus();
  }
  if (path == "stderr" || path == "-") {
    fd_ = STDERR_FILENO;
    return absl::OkStatus();
  }
  const std::string name = PathFor(path, rank);
  const bool empties = name != path && !append;
  file_ = UniqueFd(
      open(name.c_str(),
           O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (empties ? O_TRUNC : 0),
           0666));
  if (file_.get() < 0) {
    return absl::ErrnoToStatus(errno, absl::StrCat("cannot open ", name));
  }
  fd_ = file_.get();
  return absl::OkStatus();
}

void Output::Print(const char* format, ...) {
  va_list args;
  va_start(args, format);
  PrintV(format, args);
  va_end(args);
}

void Output::PrintV(const char* format, va_list args) {
  if (buffer_.size() - used_ < kLongest) Flush();
  const int length = vsnprintf(buffer_.data() + used_, kLongest, format, args);
  if (length > 0) {
    used_ += std::min(static_cast<size_t>(length), kLongest - 1);
  }
}

void Output::Flush() {
  size_t written = 0;
  while (written < used_ && !failed_) {
    const ssize_t bytes = write(fd_, buffer_.data() + written, used_ - written);
    if (bytes >= 0) {
      written += static_cast<size_t>(bytes);
    } else if (errno != EINTR) {
      failed_ = true;
      Warn("GASNET_STATSFILE: cannot write: %s", strerror(errno));
    }
  }
  used_ = 0;
}

}  // namespace gasnet::observe
