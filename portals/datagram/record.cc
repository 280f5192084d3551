#include "portals/datagram/record.h"

#include <algorithm>

#include "base/little_endian.h"
#include "base/round_up.h"
#include "core/datagram/packet.h"
#include "portals/engine/arithmetic.h"

namespace gasnet::portals4 {
namespace {

constexpr std::byte kOperation{1};
constexpr std::byte kAnswer{2};
constexpr std::byte kWord{3};
constexpr std::byte kReceipt{4};

std::byte Byte(unsigned value) { return static_cast<std::byte>(value); }
uint8_t At(std::span<const std::byte> bytes, size_t at) {
  return std::to_integer<uint8_t>(bytes[at]);
}

// Returns true if the record is a put or a get, or an atomic operation that is
// complete and known.
bool IsSound(const OperationRecord& record) {
  if (record.kind == OperationKind::kPut ||
      record.kind == OperationKind::kGet) {
    return record.operand_bytes == 0;
  }
  const size_t size = SizeOfType(record.datatype);
  if (size == 0 || record.length % size != 0 || !record.IsWhole() ||
      (record.flags & OperationRecord::kBroken) != 0) {
    return false;
  }
  if (record.kind != OperationKind::kSwap) {
    return record.operand_bytes == 0 &&
           IsAtomicFor(record.operation, record.datatype);
  }
  bool needs_operand = false;
  if (!IsSwapFor(record.operation, record.datatype, needs_operand)) {
    return false;
  }
  return needs_operand ? record.operand_bytes == size && record.length <= size
                       : record.operand_bytes == 0;
}

// Returns true if the record's bytes lie within the bytes of its operation. A
// record must have bytes, unless its operation has none or is broken.
bool Fits(const OperationRecord& record) {
  const uint64_t whole = record.carried();
  if (record.offset > whole || record.bytes.size() > whole - record.offset) {
    return false;
  }
  return !record.bytes.empty() || whole == 0 ||
         (record.flags & OperationRecord::kBroken) != 0;
}

}  // namespace

void Encode(const OperationRecord& record, uint32_t bytes, std::byte* out) {
  out[0] = kOperation;
  out[1] = Byte(static_cast<unsigned>(record.kind));
  out[2] = Byte(record.flags);
  out[3] = Byte(record.interface_kind);
  StoreNumber<uint32_t>(out + 4, bytes);
  StoreNumber<uint32_t>(out + 8, record.pt);
  StoreNumber<uint32_t>(out + 12, record.pid);
  StoreNumber<uint64_t>(out + 16, record.match_bits);
  StoreNumber<uint64_t>(out + 24, record.remote_offset);
  StoreNumber<uint64_t>(out + 32, record.length);
  StoreNumber<uint64_t>(out + 40, record.hdr_data);
  StoreNumber<uint64_t>(out + 48, record.initiator);
  StoreNumber<uint64_t>(out + 56, record.number);
  StoreNumber<uint64_t>(out + 64, record.offset);
  StoreNumber<uint32_t>(out + 72, record.turn);
  StoreNumber<uint32_t>(out + 76, record.uid);
  StoreNumber<uint64_t>(out + 80, 0);
  out[80] = Byte(record.operation);
  out[81] = Byte(record.datatype);
  out[82] = Byte(record.operand_bytes);
  std::copy_n(record.operand.begin(),
              RoundUp(record.operand_bytes, kRecordUnit),
              out + kOperationBytes);
}

void Encode(const AnswerRecord& record, uint32_t bytes, std::byte* out) {
  out[0] = kAnswer;
  out[1] = Byte(record.fail);
  out[2] = Byte(record.list);
  out[3] = std::byte{0};
  StoreNumber<uint32_t>(out + 4, bytes);
  StoreNumber<uint64_t>(out + 8, record.number);
  StoreNumber<uint64_t>(out + 16, record.mlength);
  StoreNumber<uint64_t>(out + 24, record.remote_offset);
  StoreNumber<uint64_t>(out + 32, record.offset);
}

uint64_t Receipt::number(size_t i) const {
  return LoadNumber<uint64_t>(numbers_.data() + i * sizeof(uint64_t));
}

void EncodeReceipt(std::span<const uint64_t> numbers, std::byte* out) {
  StoreNumber<uint64_t>(out, 0);
  out[0] = kReceipt;
  StoreNumber<uint16_t>(out + 2, static_cast<uint16_t>(numbers.size()));
  out += kReceiptHeadBytes;
  for (const uint64_t number : numbers) {
    StoreNumber<uint64_t>(out, number);
    out += sizeof number;
  }
}

void EncodeWord(std::byte* out) {
  std::fill_n(out, kWordBytes, std::byte{0});
  out[0] = kWord;
}

bool TransportRecordReader::AtEnd() {
  while (!left_.empty() && left_[0] == kWord) Skip(kWordBytes);
  return left_.empty() || left_[0] == datagram::kPadding;
}

void TransportRecordReader::Skip(size_t size) {
  left_ = left_.subspan(std::min(RoundUp(size, kRecordUnit), left_.size()));
}

bool TransportRecordReader::IsAtReceipt() const { return left_[0] == kReceipt; }

TransportRecordReader::Result TransportRecordReader::NextReceipt() {
  if (left_.size() < kReceiptHeadBytes) return Result::kMalformed;
  const size_t count = LoadNumber<uint16_t>(left_.data() + 2);
  if (count == 0 || left_.size() < ReceiptBytes(count)) {
    return Result::kMalformed;
  }
  receipt_.numbers_ =
      left_.subspan(kReceiptHeadBytes, ReceiptBytes(count) - kReceiptHeadBytes);
  Skip(ReceiptBytes(count));
  return Result::kReceipt;
}

TransportRecordReader::Result TransportRecordReader::Next(
    OperationRecord& record) {
  if (AtEnd()) return Result::kEnd;
  if (IsAtReceipt()) return NextReceipt();
  if (left_.size() < kOperationBytes || left_[0] != kOperation ||
      At(left_, 1) > static_cast<unsigned>(OperationKind::kSwap) ||
      At(left_, 3) > 3) {
    return Result::kMalformed;
  }
  const std::byte* const in = left_.data();
  record = {};
  record.kind = static_cast<OperationKind>(At(left_, 1));
  record.flags = At(left_, 2);
  record.interface_kind = At(left_, 3);
  const auto bytes = LoadNumber<uint32_t>(in + 4);
  record.pt = LoadNumber<uint32_t>(in + 8);
  record.pid = LoadNumber<uint32_t>(in + 12);
  record.match_bits = LoadNumber<uint64_t>(in + 16);
  record.remote_offset = LoadNumber<uint64_t>(in + 24);
  record.length = LoadNumber<uint64_t>(in + 32);
  record.hdr_data = LoadNumber<uint64_t>(in + 40);
  record.initiator = LoadNumber<uint64_t>(in + 48);
  record.number = LoadNumber<uint64_t>(in + 56);
  record.offset = LoadNumber<uint64_t>(in + 64);
  record.turn = LoadNumber<uint32_t>(in + 72);
  record.uid = LoadNumber<uint32_t>(in + 76);
  record.operation = At(left_, 80);
  record.datatype = At(left_, 81);
  record.operand_bytes = At(left_, 82);
  if (record.operand_bytes > kOperandBytes || left_.size() < BytesAt(record) ||
      left_.size() - BytesAt(record) < bytes) {
    return Result::kMalformed;
  }
  std::copy_n(in + kOperationBytes, record.operand_bytes,
              record.operand.begin());
  record.bytes = left_.subspan(BytesAt(record), bytes);
  if (!Fits(record) || !IsSound(record)) return Result::kMalformed;
  Skip(BytesAt(record) + bytes);
  return Result::kRecord;
}

TransportRecordReader::Result TransportRecordReader::Next(
    AnswerRecord& record) {
  if (AtEnd()) return Result::kEnd;
  if (IsAtReceipt()) return NextReceipt();
  if (left_.size() < kAnswerBytes || left_[0] != kAnswer ||
      At(left_, 1) > PTL_NI_SEGV || At(left_, 2) > PTL_OVERFLOW_LIST) {
    return Result::kMalformed;
  }
  const std::byte* const in = left_.data();
  record.fail = At(left_, 1);
  record.list = At(left_, 2);
  const auto bytes = LoadNumber<uint32_t>(in + 4);
  record.number = LoadNumber<uint64_t>(in + 8);
  record.mlength = LoadNumber<uint64_t>(in + 16);
  record.remote_offset = LoadNumber<uint64_t>(in + 24);
  record.offset = LoadNumber<uint64_t>(in + 32);
  if (left_.size() - kAnswerBytes < bytes || record.offset > record.mlength ||
      bytes > record.mlength - record.offset) {
    return Result::kMalformed;
  }
  record.bytes = left_.subspan(kAnswerBytes, bytes);
  Skip(kAnswerBytes + bytes);
  return Result::kRecord;
}

}  // namespace gasnet::portals4
