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

// Runs the handlers of all records from `begin` on, for any endpoint. The frame
// must have passed CheckRecords. Copies the payload of a Long to its
// destination first, unless the payload is there already. The payload of a
// Medium stays in the frame. When this function returns, the frame belongs to
// the caller again.
inline void DeliverRecords(Rank source, Lane lane, std::span<std::byte> frame,
                           size_t begin, Dispatcher& dispatcher) {
  RecordReader reader(frame, begin);
  for (Record record; reader.Next(record) == RecordReader::Result::kRecord;) {
    void* payload = record.payload;
    if (record.category == Category::kLong) {
      payload = reinterpret_cast<void*>(record.address);
      if (record.nbytes > 0 && !record.payload_sent) {
        std::memcpy(payload, record.payload, record.nbytes);
      }
    }
    dispatcher.Route({.source = source,
                      .lane = lane,
                      .category = record.category,
                      .handler = record.handler,
                      .num_args = record.num_args,
                      .args = record.args,
                      .payload = payload,
                      .nbytes = record.nbytes,
                      .endpoint = record.endpoint,
                      .across = record.across});
  }
}

}  // namespace gasnet::am

#endif  // CORE_AM_DELIVER_RECORDS_H_
