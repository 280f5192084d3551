// Checks the records of a frame that has arrived. All records are checked
// before any handler runs. Checked records satisfy the promises of
// am::Incoming.
#ifndef CORE_AM_CHECK_RECORDS_H_
#define CORE_AM_CHECK_RECORDS_H_

#include <array>
#include <cstddef>
#include <span>

#include "core/am/message.h"
#include "core/am/records.h"
#include "core/segment.h"

namespace gasnet::am {

// The limits that records must keep on this rank.
struct RecordLimits {
  // The segments that Longs may write to, by this rank's endpoint.
  std::array<Segment, kMaxEndpoints> segments;
  size_t max_medium = 0;  // bytes
};

// Returns the number of records in the frame from offset `begin` on. Returns 0
// if there are none or any record is malformed; the caller then drops the whole
// frame. Ends the job if a Long would leave the segment. The network must have
// authenticated the frame: only a rank of this job may end the job.
unsigned CheckRecords(Rank source, std::span<std::byte> frame, size_t begin,
                      const RecordLimits& limits);

// Ends the job if the Long leaves the segment of its endpoint. This is a
// mistake of the client and must be reported.
void CheckLong(Rank source, const Record& record,
               const std::array<Segment, kMaxEndpoints>& segments);

}  // namespace gasnet::am

#endif  // CORE_AM_CHECK_RECORDS_H_
