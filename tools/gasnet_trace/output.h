// Writes text to a stream, and remembers the first failure.
#ifndef TOOLS_GASNET_TRACE_OUTPUT_H_
#define TOOLS_GASNET_TRACE_OUTPUT_H_

#include <errno.h>
#include <stdio.h>

#include <string_view>

namespace gasnet::trace {

class TextWriter {
 public:
  // The stream must outlive this object.
  explicit TextWriter(FILE* stream) : stream_(stream) {}

  void Write(std::string_view text) {
    if (error_ != 0) return;
    if (fwrite(text.data(), 1, text.size(), stream_) != text.size()) {
      error_ = errno;
    }
  }

  // Writes the stream's buffer. Returns 0, or the error of the first failure.
  int Finish() {
    if (error_ == 0 && fflush(stream_) != 0) error_ = errno;
    return error_;
  }

 private:
  FILE* stream_;
  int error_ = 0;
};

}  // namespace gasnet::trace

#endif  // TOOLS_GASNET_TRACE_OUTPUT_H_
