// Records: the contents of packets between processes. Operations, or parts of
// operations, travel in the request lane, answers in the reply lane, and
// receipts in both. These functions access only their arguments. The bytes that
// they read may be arbitrary, so each length is checked against the length that
// has arrived.
//
// A packet contains records, one after the other. Each record begins at a
// multiple of 8 bytes. If a byte 8 (datagram::kPadding) is where a record
// should begin, the rest of the packet is padding. 8 bytes that begin with a 3
// are a word. A word only says that its sender waits. All numbers are
// little-endian.
//
//   receipts of quiet operations that are done
//    0  4
//    1  0
//    2  count, 16 bit; not 0
//    4  0
//    8  numbers of the operations, 64 bit each
//
//   an operation                        an answer
//    0  1                                0  2
//    1  kind                             1  ni_fail
//    2  flags                            2  list
//    3  kind of interface, 0 to 3        3  0
//    4  bytes in this record, 32 bit     4  bytes in this record, 32 bit
//    8  portal table index, 32 bit       8  number of the operation
//   12  pid of the target, 32 bit       16  mlength
//   16  match bits                      24  remote offset, as used
//   24  remote offset                   32  offset of its bytes
//   32  length                          40  bytes
//   40  header data
//   48  initiator, as PackPhysical or a rank
//   56  number of the operation
//   64  offset of its bytes
//   72  turn, 32 bit; 0: none
//   76  user, 32 bit
//   80  operation, datatype of atomics; bytes of an operand; 0 (5)
//   88  operand, then the bytes, each from a multiple of 8 on
#ifndef PORTALS_DATAGRAM_RECORD_H_
#define PORTALS_DATAGRAM_RECORD_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/round_up.h"
#include "portals/engine/operation.h"

namespace gasnet::portals4 {

inline constexpr size_t kOperationBytes = 88;
inline constexpr size_t kAnswerBytes = 40;
inline constexpr size_t kReceiptHeadBytes = 8;
inline constexpr size_t kOperandBytes = 32;  // The size of the largest item.

struct OperationRecord {
  // No more bytes follow, because the initiator could not read the rest of its
  // memory.
  static constexpr uint8_t kBroken = 1;
  // The operation needs an answer.
  static constexpr uint8_t kAsks = 2;
  // Only a failure needs an answer; for a success a receipt is enough.
  static constexpr uint8_t kQuiet = 4;

  OperationKind kind = OperationKind::kPut;
  uint8_t flags = 0;
  uint8_t interface_kind = 0;
  uint8_t operation = 0;
  uint8_t datatype = 0;
  uint8_t operand_bytes = 0;
  uint32_t pt = 0;
  uint32_t pid = 0;
  uint32_t turn = 0;
  uint32_t uid = 0;
  uint64_t match_bits = 0;
  uint64_t remote_offset = 0;
  uint64_t length = 0;
  uint64_t hdr_data = 0;
  uint64_t initiator = 0;
  uint64_t number = 0;
  uint64_t offset = 0;
  std::array<std::byte, kOperandBytes> operand = {};
  std::span<const std::byte> bytes;

  // Returns the number of bytes that travel to the target: none for a get.
  uint64_t carried() const { return kind == OperationKind::kGet ? 0 : length; }
  bool IsWhole() const { return bytes.size() == carried(); }
};

struct AnswerRecord {
  uint8_t fail = 0;
  uint8_t list = 0;
  uint64_t number = 0;
  uint64_t mlength = 0;
  uint64_t remote_offset = 0;
  uint64_t offset = 0;
  std::span<const std::byte> bytes;
};

struct Receipt {
  size_t count() const { return numbers_.size() / sizeof(uint64_t); }
  uint64_t number(size_t i) const;

 private:
  friend class TransportRecordReader;
  std::span<const std::byte> numbers_;
};

// Records, and the bytes after their heads, begin at a multiple of this number
// of bytes.
inline constexpr size_t kRecordUnit = 8;

// Returns the turn after `turn`. Never returns 0.
constexpr uint32_t NextTurn(uint32_t turn) {
  return turn + 1 != 0 ? turn + 1 : 1;
}

// Returns the offset of a record's bytes. The bytes follow the part that Encode
// writes.
constexpr size_t BytesAt(const OperationRecord& record) {
  return kOperationBytes + RoundUp(record.operand_bytes, kRecordUnit);
}

// EncodeWord encodes a word. A word only tells the receiver that its sender
// waits.
inline constexpr size_t kWordBytes = 8;
void EncodeWord(std::byte* out);

constexpr size_t ReceiptBytes(size_t count) {
  return kReceiptHeadBytes + count * sizeof(uint64_t);
}
void EncodeReceipt(std::span<const uint64_t> numbers, std::byte* out);

// Write a record except its bytes. `bytes` is the number of these bytes.
void Encode(const OperationRecord& record, uint32_t bytes, std::byte* out);
void Encode(const AnswerRecord& record, uint32_t bytes, std::byte* out);

// Reads records from a packet's contents. The contents begin at a multiple of
// 8.
class TransportRecordReader {
 public:
  enum class Result : uint8_t { kRecord, kReceipt, kEnd, kMalformed };

  explicit TransportRecordReader(std::span<const std::byte> contents)
      : left_(contents) {}

  Result Next(OperationRecord& record);
  Result Next(AnswerRecord& record);
  // Valid after kReceipt.
  const Receipt& receipt() const { return receipt_; }

 private:
  bool AtEnd();
  bool IsAtReceipt() const;
  Result NextReceipt();
  void Skip(size_t size);

  std::span<const std::byte> left_;
  Receipt receipt_;
};

}  // namespace gasnet::portals4

#endif  // PORTALS_DATAGRAM_RECORD_H_
