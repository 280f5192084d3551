// The checks of a frame's records when it has arrived, before a handler of any
// of them runs: all are as am::Incoming promises.
#ifndef CORE_AM_CHECK_RECORDS_H_
#define CORE_AM_CHECK_RECORDS_H_

#include <array>
#include <cstddef>
#include <span>

#include "core/am/message.h"
#include "core/am/records.h"
#include "core/segment.h"

namespace gasnet::am {

// The limits of this rank.
struct RecordLimits {
  // Where Longs to each of its endpoints may go.
  std::array<Segment, kMaxEndpoints> segments;
  size_t max_medium = 0;  // bytes
};

// How many records the frame has from `begin` on; 0 where any is malformed, or
// none is there: then nothing of it may be used. Ends the job where a Long
// would leave the segment; so before this, the network knows that a rank of the
// job has sent the frame.
unsigned CheckRecords(Rank source, std::span<std::byte> frame, size_t begin,
                      const RecordLimits& limits);

// A client's mistake, of which it must hear: ends the job where the Long would
// go outside of the segment of the endpoint that it is for.
void CheckLong(Rank source, const Record& record,
               const std::array<Segment, kMaxEndpoints>& segments);

}  // namespace gasnet::am

#endif  // CORE_AM_CHECK_RECORDS_H_
