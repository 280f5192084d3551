// Runs the handlers of a frame's records.
#ifndef CORE_AM_DELIVER_RECORDS_H_
#define CORE_AM_DELIVER_RECORDS_H_

#include <cstddef>
#include <cstring>
#include <span>

#include "core/am/dispatcher.h"
#include "core/am/message.h"
#include "core/am/records.h"

namespace gasnet::am {

// Copies the payload of a Long to its destination, unless it is there already.
[[gnu::always_inline]] inline void PlacePayload(const Record& record) {
  if (record.category == Category::kLong && record.nbytes > 0 &&
      !record.payload_sent) {
    std::memcpy(reinterpret_cast<void*>(record.address), record.payload,
                record.nbytes);
  }
}

// Returns the message in a record. The payload of a Medium stays in the frame.
[[gnu::always_inline]] inline Incoming MessageOf(Rank source, Lane lane,
                                                 const Record& record) {
  return {.source = source,
          .lane = lane,
          .category = record.category,
          .handler = record.handler,
          .num_args = record.num_args,
          .args = record.args,
          .payload = record.category == Category::kLong
                         ? reinterpret_cast<void*>(record.address)
                         : record.payload,
          .nbytes = record.nbytes,
          .endpoint = record.endpoint,
          .across = record.across};
}

// Runs the handlers of all records from `begin` on, for any endpoint. The frame
// must have passed CheckRecords. When this function returns, the frame belongs
// to the caller again.
inline void DeliverRecords(Rank source, Lane lane, std::span<std::byte> frame,
                           size_t begin, Dispatcher& dispatcher) {
  RecordReader reader(frame, begin);
  for (Record record; reader.Next(record) == RecordReader::Result::kRecord;) {
    PlacePayload(record);
    dispatcher.Route(MessageOf(source, lane, record));
  }
}

}  // namespace gasnet::am

#endif  // CORE_AM_DELIVER_RECORDS_H_
