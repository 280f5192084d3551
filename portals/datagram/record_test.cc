#include "portals/datagram/record.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/round_up.h"

namespace gasnet::portals4 {
namespace {

using Result = TransportRecordReader::Result;
using Bytes = std::vector<std::byte>;

void Append(const OperationRecord& record, const Bytes& data, Bytes& packet) {
  const size_t begin = packet.size();
  packet.resize(begin + RoundUp(BytesAt(record) + data.size(), kRecordUnit));
  Encode(record, static_cast<uint32_t>(data.size()), &packet[begin]);
  std::copy(data.begin(), data.end(), packet.begin() + begin + BytesAt(record));
}

Bytes PacketOf(const OperationRecord& record, const Bytes& data) {
  Bytes packet;
  Append(record, data, packet);
  return packet;
}

Bytes PacketOf(const AnswerRecord& record, const Bytes& data) {
  Bytes packet(kAnswerBytes + data.size());
  Encode(record, static_cast<uint32_t>(data.size()), packet.data());
  std::copy(data.begin(), data.end(), packet.begin() + kAnswerBytes);
  return packet;
}

Bytes First(const Bytes& packet, size_t size) {
  return {packet.data(), packet.data() + size};
}

template <class Record>
Result Read(const Bytes& packet) {
  Record record;
  return TransportRecordReader(packet).Next(record);
}

Result ReadOperation(const OperationRecord& record, size_t bytes) {
  return Read<OperationRecord>(PacketOf(record, Bytes(bytes)));
}

TEST(RecordTest, OperationsSayAllThatMatters) {
  OperationRecord record;
  record.kind = OperationKind::kSwap;
  record.flags = OperationRecord::kAsks;
  record.interface_kind = 3;
  record.operation = PTL_CSWAP;
  record.datatype = PTL_INT64_T;
  record.operand_bytes = 8;
  record.operand[7] = std::byte{9};
  record.pt = 1;
  record.pid = 2;
  record.turn = 3;
  record.uid = 4;
  record.match_bits = 5;
  record.remote_offset = 6;
  record.length = 8;
  record.hdr_data = 10;
  record.initiator = 11;
  record.number = 12;
  const Bytes packet = PacketOf(record, Bytes(8, std::byte{13}));
  TransportRecordReader reader(packet);
  OperationRecord read;
  ASSERT_EQ(reader.Next(read), Result::kRecord);
  EXPECT_EQ(read.kind, OperationKind::kSwap);
  EXPECT_EQ(read.flags, OperationRecord::kAsks);
  EXPECT_EQ(read.interface_kind, 3);
  EXPECT_EQ(unsigned{read.operation}, unsigned{PTL_CSWAP});
  EXPECT_EQ(unsigned{read.datatype}, unsigned{PTL_INT64_T});
  EXPECT_EQ(read.operand, record.operand);
  EXPECT_EQ(read.pt, 1u);
  EXPECT_EQ(read.pid, 2u);
  EXPECT_EQ(read.turn, 3u);
  EXPECT_EQ(read.uid, 4u);
  EXPECT_EQ(read.match_bits, 5u);
  EXPECT_EQ(read.remote_offset, 6u);
  EXPECT_EQ(read.length, 8u);
  EXPECT_EQ(read.hdr_data, 10u);
  EXPECT_EQ(read.initiator, 11u);
  EXPECT_EQ(read.number, 12u);
  ASSERT_EQ(read.bytes.size(), 8u);
  EXPECT_EQ(read.bytes[7], std::byte{13});
  EXPECT_EQ(reader.Next(read), Result::kEnd);
}

TEST(RecordTest, SeveralOperationsAndPadding) {
  Bytes packet;
  OperationRecord put;
  put.length = 3;
  Append(put, Bytes(3, std::byte{1}), packet);
  packet.resize(packet.size() + kWordBytes);
  EncodeWord(&packet[packet.size() - kWordBytes]);
  OperationRecord get;
  get.kind = OperationKind::kGet;
  get.length = 1 << 20;
  Append(get, {}, packet);
  packet.push_back(std::byte{8});
  packet.resize(packet.size() + 30, std::byte{0xff});
  TransportRecordReader reader(packet);
  OperationRecord read;
  ASSERT_EQ(reader.Next(read), Result::kRecord);
  EXPECT_EQ(read.bytes.size(), 3u);
  ASSERT_EQ(reader.Next(read), Result::kRecord);
  EXPECT_EQ(read.kind, OperationKind::kGet);
  EXPECT_TRUE(read.IsWhole());
  EXPECT_EQ(reader.Next(read), Result::kEnd);
}

TEST(RecordTest, PartsLieWithinTheirOperation) {
  OperationRecord put;
  put.length = 100;
  put.offset = 60;
  EXPECT_EQ(ReadOperation(put, 40), Result::kRecord);
  EXPECT_EQ(ReadOperation(put, 41), Result::kMalformed);
  EXPECT_EQ(ReadOperation(put, 0), Result::kMalformed) << "nothing in it";
  put.flags = OperationRecord::kBroken;
  EXPECT_EQ(ReadOperation(put, 0), Result::kRecord);
  put.offset = 101;
  EXPECT_EQ(ReadOperation(put, 0), Result::kMalformed);
  put.offset = ~uint64_t{0};
  EXPECT_EQ(ReadOperation(put, 8), Result::kMalformed);
  OperationRecord get;
  get.kind = OperationKind::kGet;
  get.length = 100;
  EXPECT_EQ(ReadOperation(get, 8), Result::kMalformed);
}

TEST(RecordTest, AtomicOperationsAreWholeAndExist) {
  OperationRecord sum;
  sum.kind = OperationKind::kAtomic;
  sum.operation = PTL_SUM;
  sum.datatype = PTL_INT32_T;
  sum.length = 8;
  EXPECT_EQ(ReadOperation(sum, 8), Result::kRecord);
  EXPECT_EQ(ReadOperation(sum, 4), Result::kMalformed) << "a part";
  sum.length = 6;
  EXPECT_EQ(ReadOperation(sum, 6), Result::kMalformed) << "of an item";
  sum.length = 8;
  sum.operation = PTL_CSWAP;
  EXPECT_EQ(ReadOperation(sum, 8), Result::kMalformed);
  sum.operation = PTL_SUM;
  sum.datatype = PTL_DATATYPE_LAST;
  EXPECT_EQ(ReadOperation(sum, 8), Result::kMalformed);
  OperationRecord swap = sum;
  swap.kind = OperationKind::kSwap;
  swap.operation = PTL_CSWAP;
  swap.datatype = PTL_INT64_T;
  EXPECT_EQ(ReadOperation(swap, 8), Result::kMalformed) << "no operand";
  swap.operand_bytes = 8;
  EXPECT_EQ(ReadOperation(swap, 8), Result::kRecord);
  swap.length = 16;
  EXPECT_EQ(ReadOperation(swap, 16), Result::kMalformed) << "two items";
}

TEST(RecordTest, NothingIsReadBeyondWhatArrived) {
  OperationRecord swap;
  swap.kind = OperationKind::kSwap;
  swap.operation = PTL_CSWAP;
  swap.datatype = PTL_INT64_T;
  swap.operand_bytes = 8;
  swap.length = 8;
  const Bytes whole = PacketOf(swap, Bytes(8));
  for (size_t size = 1; size < whole.size(); ++size) {
    EXPECT_EQ(Read<OperationRecord>(First(whole, size)), Result::kMalformed)
        << size;
  }
  AnswerRecord answer;
  answer.mlength = 8;
  const Bytes answered = PacketOf(answer, Bytes(8));
  for (size_t size = 1; size < answered.size(); ++size) {
    EXPECT_EQ(Read<AnswerRecord>(First(answered, size)), Result::kMalformed)
        << size;
  }
}

TEST(RecordTest, AnswersSayAllThatMatters) {
  AnswerRecord record;
  record.fail = PTL_NI_SEGV;
  record.list = PTL_OVERFLOW_LIST;
  record.number = 1;
  record.mlength = 20;
  record.remote_offset = 3;
  record.offset = 12;
  const Bytes packet = PacketOf(record, Bytes(8, std::byte{5}));
  AnswerRecord read;
  ASSERT_EQ(TransportRecordReader(packet).Next(read), Result::kRecord);
  EXPECT_EQ(unsigned{read.fail}, unsigned{PTL_NI_SEGV});
  EXPECT_EQ(unsigned{read.list}, unsigned{PTL_OVERFLOW_LIST});
  EXPECT_EQ(read.number, 1u);
  EXPECT_EQ(read.mlength, 20u);
  EXPECT_EQ(read.remote_offset, 3u);
  EXPECT_EQ(read.offset, 12u);
  EXPECT_EQ(read.bytes.size(), 8u);
}

Bytes ReceiptOf(const std::vector<uint64_t>& numbers) {
  Bytes packet(ReceiptBytes(numbers.size()));
  EncodeReceipt(numbers, packet.data());
  return packet;
}

template <class Record>
void ExpectReceipt(const Bytes& packet) {
  TransportRecordReader reader(packet);
  Record record;
  ASSERT_EQ(reader.Next(record), Result::kReceipt);
  ASSERT_EQ(reader.receipt().count(), 2u);
  EXPECT_EQ(reader.receipt().number(0), 7u);
  EXPECT_EQ(reader.receipt().number(1), uint64_t{9} << 32);
  ASSERT_EQ(reader.Next(record), Result::kRecord);
  EXPECT_EQ(record.number, 3u);
  EXPECT_EQ(reader.Next(record), Result::kEnd);
}

TEST(RecordTest, ReceiptsRideWithOperationsAndWithAnswers) {
  const Bytes receipt = ReceiptOf({7, uint64_t{9} << 32});
  OperationRecord put;
  put.number = 3;
  Bytes packet = receipt;
  Append(put, {}, packet);
  ExpectReceipt<OperationRecord>(packet);
  AnswerRecord answer;
  answer.number = 3;
  packet = PacketOf(answer, {});
  packet.insert(packet.begin(), receipt.begin(), receipt.end());
  ExpectReceipt<AnswerRecord>(packet);
}

TEST(RecordTest, ReceiptsLieWithinTheirPacketAndAreOfSomething) {
  const Bytes whole = ReceiptOf({1, 2, 3});
  for (size_t size = 1; size < whole.size(); ++size) {
    EXPECT_EQ(Read<AnswerRecord>(First(whole, size)), Result::kMalformed)
        << size;
    EXPECT_EQ(Read<OperationRecord>(First(whole, size)), Result::kMalformed)
        << size;
  }
  EXPECT_EQ(Read<AnswerRecord>(ReceiptOf({})), Result::kMalformed);
}

TEST(RecordTest, AnswersLieWithinWhatWasAskedFor) {
  AnswerRecord record;
  record.mlength = 20;
  record.offset = 13;
  EXPECT_EQ(Read<AnswerRecord>(PacketOf(record, Bytes(8))), Result::kMalformed);
  record.offset = 21;
  EXPECT_EQ(Read<AnswerRecord>(PacketOf(record, {})), Result::kMalformed);
  record.offset = 0;
  record.fail = PTL_NI_SEGV + 1;
  EXPECT_EQ(Read<AnswerRecord>(PacketOf(record, {})), Result::kMalformed);
  record.fail = 0;
  record.list = 2;
  EXPECT_EQ(Read<AnswerRecord>(PacketOf(record, {})), Result::kMalformed);
}

}  // namespace
}  // namespace gasnet::portals4
