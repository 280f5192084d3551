// The trace file of one rank, checked.
//
// The file may be cut, damaged, of another version, or still being written.
// Open checks all values that say where data lies. So later reads stay within
// the file. Events are checked when they are read (ring_cursor.h). Text of the
// file may contain any bytes; printable.h makes it fit for output.
#ifndef TOOLS_GASNET_TRACE_RANK_TRACE_H_
#define TOOLS_GASNET_TRACE_RANK_TRACE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/unique_fd.h"
#include "core/observe/trace_format.h"

namespace gasnet::trace {

// The upper bound of all times in a trace, and of the offsets and errors of
// clocks: 36 years in nanoseconds. Sums of a few such values do not overflow.
inline constexpr int64_t kTimeLimit = int64_t{1} << 60;

class RankTrace {
 public:
  // Opens and checks a file. An error names the file, the value that is wrong,
  // and the accepted values.
  static absl::StatusOr<RankTrace> Open(const std::string& path);

  const std::string& path() const { return path_; }
  uint32_t rank() const { return header_.rank; }
  const observe::TraceHeader& header() const { return header_; }
  std::string HostName() const;
  std::string Conduit() const;
  std::string Program() const;

  // Return the name of a call or of a source file. A number that the trace does
  // not know gets a name too.
  std::string CallName(uint16_t id) const;
  std::string SourceName(uint16_t id) const;
  // Returns the name of a handler of the library. Returns the index of another
  // handler.
  std::string HandlerName(uint16_t index) const;
  // Returns true if the call sends an active message.
  bool IsMessage(uint16_t id) const;
  // Returns the time from which on messages may be missing, since the mask left
  // them out, or no time if none is missing. Reads the file, because the rank
  // may still change its mask. So the answer holds for all events that were
  // read before.
  std::optional<int64_t> MessagesUntil() const;

  int file() const { return file_.get(); }
  // Returns the offset of a ring in the file.
  uint64_t RingAt(uint32_t ring) const;

 private:
  RankTrace(std::string path, UniqueFd file);

  absl::Status ReadHeader(uint64_t size);
  absl::Status ReadTables();

  std::string path_;
  UniqueFd file_;
  observe::TraceHeader header_{};
  std::vector<observe::TraceCall> calls_;
  std::vector<observe::TraceSource> sources_;
  std::vector<observe::TraceHandler> handlers_;
};

}  // namespace gasnet::trace

#endif  // TOOLS_GASNET_TRACE_RANK_TRACE_H_
