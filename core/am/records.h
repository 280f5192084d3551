// The format of the messages in a frame: one record for each message, back to
// back. A network carries a frame as a whole. Every network with contiguous
// frames uses this format. The functions are pure, and accept bytes of any
// value: no field is used before it is checked against the bytes that arrived.
//
//      0  category, optionally with kPayloadSent; handler
//      2  16 bits, from the lowest: 5 for the number of arguments, 5 for the
//         index of the target's endpoint, 5 for the XOR of that index and
//         the index of the sender's endpoint, and a bit that is 0
//      4  length of the payload, 32 bits
//      8  [Long] address at the target, 64 bits
//         arguments
//         payload, from a multiple of 16 bytes; absent if the payload of a
//         Long was put ahead of the record (kPayloadSent)
//
// Offsets are from the beginning of the frame, which is aligned to 16 bytes. A
// record begins at a multiple of 8. A network has its own header in front of
// the first record. A byte of kPadding in place of a record means that the rest
// of the frame is padding. Numbers are little-endian. Arguments are in the
// ranks' byte order.
//
// All other values of a record's first byte belong to the network. The reader
// refuses these values, so the network handles them first. A network may have
// extended records, such as fragments (fragment.h). EncodeHead, ReadStart and
// ReadRest process the parts that extended and plain records share.
#ifndef CORE_AM_RECORDS_H_
#define CORE_AM_RECORDS_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/am/message.h"

namespace gasnet::am {

// The number of bytes of a record in front of its address and arguments.
inline constexpr size_t kRecordStartBytes = 8;
inline constexpr std::byte kPadding{8};
inline constexpr std::byte kPayloadSent{32};

// The parts of a record, as offsets in the frame.
struct RecordLayout {
  size_t args_at;
  size_t payload_at;
  size_t end;  // where the next record begins

  // Returns the layout of a record that begins at `begin` and carries `carried`
  // bytes of payload.
  static constexpr RecordLayout Of(size_t begin, Category category,
                                   unsigned num_args, size_t carried) {
    const size_t address = category == Category::kLong ? 8 : 0;
    const size_t args_at = begin + kRecordStartBytes + address;
    const size_t args_end = args_at + size_t{4} * num_args;
    const size_t payload_at =
        carried > 0 ? (args_end + 15) / 16 * 16 : args_end;
    return {args_at, payload_at, (payload_at + carried + 7) / 8 * 8};
  }
  // Returns the layout of a record that carries the whole message.
  static constexpr RecordLayout Of(size_t begin, const Message& message) {
    return Of(begin, message.category, message.num_args,
              message.category == Category::kShort || message.payload_sent
                  ? 0
                  : message.nbytes);
  }
};

// Writes the whole message at `begin`, or only its header if the payload has
// already been put to the target. Returns the end of the record.
size_t EncodeMessage(std::byte* frame, size_t begin, const Message& message);
// Writes a record that will carry `carried` bytes of payload, but not the
// payload itself. Returns the offset of the payload.
size_t EncodeHead(std::byte* frame, size_t begin, const Message& message,
                  size_t carried);

// A received record. Its pointers point into the frame.
struct Record {
  Category category;
  uint8_t handler;
  uint8_t num_args;
  EndpointIndex endpoint;  // index of the target's endpoint, < kMaxEndpoints
  EndpointIndex across;    // `endpoint` XOR the index of the sender's endpoint
  bool payload_sent;       // a Long whose payload is not in the frame
  uint32_t nbytes;         // length of the message's payload
  uintptr_t address;       // at the target, for a Long
  const int32_t* args;
  std::byte* payload;
};

// Reads the first kRecordStartBytes bytes of a record. Returns false if they
// are invalid. `own` is the set of bits of the first byte that the network has
// handled, and that are therefore allowed. It contains no bits of a plain
// record's first byte and none of kPadding.
bool ReadStart(const std::byte* at, Record& record,
               std::byte own = std::byte{0});
// Reads the rest of the record at `begin`, after ReadStart(). The record
// carries `carried` bytes of payload. Returns the offset of the payload's end,
// or 0 if the payload does not end within the frame.
size_t ReadRest(std::span<std::byte> frame, size_t begin, size_t carried,
                Record& record);

// Reads the records of a frame one by one.
class RecordReader {
 public:
  enum class Result : uint8_t { kRecord, kEnd, kMalformed };

  // Creates a reader of the records from the offset `begin` on. The frame is
  // aligned, and may be shorter than `begin`.
  RecordReader(std::span<std::byte> frame, size_t begin)
      : frame_(frame), at_(begin) {}

  Result Next(Record& record);
  // Returns the offset of the record that Next() reads.
  size_t at() const { return at_; }

 private:
  std::span<std::byte> frame_;
  size_t at_;
};

}  // namespace gasnet::am

#endif  // CORE_AM_RECORDS_H_
