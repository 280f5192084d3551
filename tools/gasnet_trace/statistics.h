// Sums over slices of a trace, and tables of these sums.
#ifndef TOOLS_GASNET_TRACE_STATISTICS_H_
#define TOOLS_GASNET_TRACE_STATISTICS_H_

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>

#include "tools/gasnet_trace/nesting.h"

namespace gasnet::trace {

// The sums over all slices with the same name.
class SliceStatistics {
 public:
  // Counts a slice. Adds the slice's time only if its beginning and its end are
  // both known.
  void Add(const Slice& slice);
  // Counts something of `bytes` bytes, with its time if the time is known.
  void Add(uint64_t bytes, std::optional<int64_t> nanos);
  void Add(const SliceStatistics& other);

  uint64_t count() const { return count_; }
  double total() const { return total_; }
  // Returns six columns: the count, the bytes, and the least, mean, most and
  // total time.
  std::string Columns() const;

 private:
  uint64_t count_ = 0;
  uint64_t bytes_ = 0;
  uint64_t timed_ = 0;
  int64_t least_ = std::numeric_limits<int64_t>::max();
  int64_t most_ = 0;
  double total_ = 0;  // nanoseconds
};

using Table = std::map<std::string, SliceStatistics>;

// Returns a table with a heading. The names with the most time come first.
// Returns an empty string for an empty table. Names may contain any bytes.
std::string TableText(const char* heading, const Table& table);

}  // namespace gasnet::trace

#endif  // TOOLS_GASNET_TRACE_STATISTICS_H_
