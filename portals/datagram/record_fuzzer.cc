// libFuzzer: feeds arbitrary bytes to the reader, as packets with a valid tag.
// The reader must read nothing outside of these bytes, and return only sound
// records. record_fuzzer_test runs this fuzzer over the corpus.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <type_traits>
#include <vector>

#include "portals/datagram/record.h"
#include "portals/engine/arithmetic.h"

namespace gasnet::portals4 {
namespace {

void Require(bool holds) {
  if (!holds) abort();
}

void Touch(std::span<const std::byte> bytes) {
  volatile unsigned sum = 0;
  for (const std::byte byte : bytes) {
    sum = sum + std::to_integer<unsigned>(byte);
  }
}

void Check(const OperationRecord& record) {
  Touch(record.bytes);
  Require(record.offset <= record.carried());
  Require(record.bytes.size() <= record.carried() - record.offset);
  if (record.kind == OperationKind::kPut || record.kind == OperationKind::kGet)
    return;
  Require(record.IsWhole());
  std::vector<std::byte> target(record.bytes.size());
  Combine(record.operation, record.datatype, target.data(), record.bytes.data(),
          record.bytes.size(), record.operand.data(), nullptr);
}

void Check(const AnswerRecord& record) {
  Touch(record.bytes);
  Require(record.offset <= record.mlength);
  Require(record.bytes.size() <= record.mlength - record.offset);
}

void Check(const Receipt& receipt) {
  volatile uint64_t sum = 0;
  for (size_t i = 0; i < receipt.count(); ++i) sum = sum + receipt.number(i);
}

// Encodes a decoded record, and checks that decoding gives an equal record.
void Repeat(const OperationRecord& record) {
  std::vector<std::byte> bytes(BytesAt(record) + record.bytes.size());
  Encode(record, static_cast<uint32_t>(record.bytes.size()), bytes.data());
  TransportRecordReader reader(bytes);
  OperationRecord again;
  Require(reader.Next(again) == TransportRecordReader::Result::kRecord);
  Require(again.number == record.number && again.turn == record.turn &&
          again.length == record.length && again.offset == record.offset &&
          again.operand == record.operand &&
          again.bytes.size() == record.bytes.size());
}

template <class Record>
void Read(std::span<const std::byte> contents) {
  TransportRecordReader reader(contents);
  for (Record record;;) {
    switch (reader.Next(record)) {
      case TransportRecordReader::Result::kRecord:
        Check(record);
        if constexpr (std::is_same_v<Record, OperationRecord>) Repeat(record);
        break;
      case TransportRecordReader::Result::kReceipt:
        Check(reader.receipt());
        break;
      default:
        return;
    }
  }
}

}  // namespace
}  // namespace gasnet::portals4

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // Copies the data to memory of exactly this size. A sanitizer then notices
  // each read outside of the data.
  std::vector<std::byte> copy(size);
  for (size_t i = 0; i < size; ++i) copy[i] = std::byte{data[i]};
  gasnet::portals4::Read<gasnet::portals4::OperationRecord>(copy);
  gasnet::portals4::Read<gasnet::portals4::AnswerRecord>(copy);
  return 0;
}
