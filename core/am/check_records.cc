#include "core/am/check_records.h"

#include "base/log.h"

namespace gasnet::am {
namespace {

[[noreturn, gnu::cold, gnu::noinline]] void RefuseLong(Rank source,
                                                       const Record& record,
                                                       const Segment& segment) {
  Fatal(
      "Long active message from rank %u: destination [%p, %p) is outside this "
      "rank's segment [%p, %p)",
      source, reinterpret_cast<void*>(record.address),
      reinterpret_cast<void*>(record.address + record.nbytes),
      reinterpret_cast<void*>(segment.base),
      reinterpret_cast<void*>(segment.base + segment.size));
}

}  // namespace

void CheckLong(Rank source, const Record& record,
               const std::array<Segment, kMaxEndpoints>& segments) {
  const Segment& segment = segments[record.endpoint];
  if (record.nbytes > 0 && !segment.Contains(record.address, record.nbytes))
      [[unlikely]] {
    RefuseLong(source, record, segment);
  }
}

unsigned CheckRecords(Rank source, std::span<std::byte> frame, size_t begin,
                      const RecordLimits& limits) {
  RecordReader reader(frame, begin);
  Record record;
  for (unsigned count = 0;; ++count) {
    switch (reader.Next(record)) {
      case RecordReader::Result::kMalformed:
        return 0;
      case RecordReader::Result::kEnd:
        return count;
      case RecordReader::Result::kRecord:
        break;
    }
    if (record.category == Category::kLong) {
      CheckLong(source, record, limits.segments);
    } else if (record.nbytes > limits.max_medium) [[unlikely]] {
      return 0;
    }
  }
}

}  // namespace gasnet::am
