// Checks the records of a frame that has arrived, before a handler of any of
// them runs. Checked records are as am::Incoming promises.
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
  // The memory that Longs to each of its endpoints may go to.
  std::array<Segment, kMaxEndpoints> segments;
  size_t max_medium = 0;  // bytes
};

// Returns the number of records in the frame from `begin` on. Returns 0 if
// there is none or any is malformed; then nothing of the frame may be used.
// Ends the job if a Long would leave the segment, so the network must know
// before that a rank of the job has sent the frame.
unsigned CheckRecords(Rank source, std::span<std::byte> frame, size_t begin,
                      const RecordLimits& limits);

// Ends the job if the Long would go outside of the segment of the endpoint that
// it is for: a mistake of the client, which must hear of it.
void CheckLong(Rank source, const Record& record,
               const std::array<Segment, kMaxEndpoints>& segments);

}  // namespace gasnet::am

#endif  // CORE_AM_CHECK_RECORDS_H_
