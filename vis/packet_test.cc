// Tests how packets are written and read, and which packets are refused.
#include "vis/packet.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "vis/packet_writer.h"

namespace gasnet::vis {
namespace {

using Bytes = std::vector<std::byte>;

class PacketTest : public ::testing::Test {
 protected:
  static constexpr size_t kRoom = 400;

  PacketTest() : memory_(1000), remote_(1000), local_(1000) {
    for (size_t i = 0; i < local_.size(); ++i) {
      local_[i] = static_cast<std::byte>(i * 7 + 1);
    }
  }

  uint64_t Far(size_t at) const {
    return reinterpret_cast<uintptr_t>(remote_.data() + at);
  }
  void* FarPointer(size_t at) { return remote_.data() + at; }
  Segment segment() const { return {Far(0), remote_.size()}; }
  PacketWriter Writer(bool puts, size_t room = kRoom, bool joins = true) {
    return {memory_.data(), room, room, puts, joins};
  }

  std::string Refused(const Bytes& bytes, bool puts, size_t room = kRoom) {
    VisPacket packet(bytes, puts);
    const char* const why = packet.Check(segment(), room).why;
    if (why == nullptr && !puts) packet.GatherTo(Bytes(packet.data()).data());
    return why != nullptr ? why : "";
  }
  static Bytes Taken(PacketWriter& writer) {
    writer.Close();
    Bytes taken(writer.size());
    writer.GatherTo(taken.data());
    return taken;
  }
  static Head& HeadOf(Bytes& bytes, size_t at = 0) {
    return *reinterpret_cast<Head*>(bytes.data() + at);
  }

  Bytes memory_, remote_, local_;
};

TEST_F(PacketTest, APutOfEachLayoutArrives) {
  PacketWriter writer = Writer(true);
  EXPECT_EQ(writer.AddRow({Far(0), 20, 3, 5}, local_.data(), 10), 5u);
  const std::array<void*, 2> listed = {FarPointer(300), FarPointer(200)};
  EXPECT_EQ(writer.AddListed(listed.data(), 4, 2, local_.data() + 100), 2u);
  EXPECT_TRUE(writer.AddRun(Far(500), 7, local_.data() + 200));
  EXPECT_TRUE(writer.AddRun(Far(400), 9, local_.data() + 300));
  EXPECT_EQ(writer.data(), 15u + 8 + 16);
  const Bytes sent = Taken(writer);
  VisPacket packet(sent, true);
  ASSERT_EQ(packet.Check(segment(), kRoom).why, nullptr);
  Bytes wanted = remote_;
  for (size_t i = 0; i < 5; ++i) {
    std::copy_n(local_.data() + 10 * i, 3, wanted.data() + 20 * i);
  }
  std::copy_n(local_.data() + 100, 4, wanted.data() + 300);
  std::copy_n(local_.data() + 104, 4, wanted.data() + 200);
  std::copy_n(local_.data() + 200, 7, wanted.data() + 500);
  std::copy_n(local_.data() + 300, 9, wanted.data() + 400);
  packet.Scatter();
  EXPECT_EQ(remote_, wanted);
}

// Runs that are still in an open block stay in front of later runs.
TEST_F(PacketTest, AnOpenBlockEndsWhereAnotherBegins) {
  const std::array<void*, 2> listed = {FarPointer(300), FarPointer(200)};
  PacketWriter writer = Writer(true);
  EXPECT_TRUE(writer.AddRun(Far(500), 7, local_.data()));
  EXPECT_EQ(writer.AddListed(listed.data(), 4, 2, local_.data() + 100), 2u);
  EXPECT_TRUE(writer.AddRun(Far(600), 7, local_.data() + 10));
  const std::array<void*, 2> locals = {local_.data() + 50, local_.data() + 40};
  EXPECT_EQ(writer.AddListed(listed.data(), 4, 2, locals.data()), 2u);
  EXPECT_TRUE(writer.AddRun(Far(700), 7, local_.data() + 20));
  EXPECT_EQ(writer.AddRow({Far(0), 20, 3, 4}, local_.data() + 60, 5), 4u);
  const Bytes sent = Taken(writer);
  VisPacket packet(sent, true);
  ASSERT_EQ(packet.Check(segment(), kRoom).why, nullptr);
  Bytes wanted = remote_;
  std::copy_n(local_.data(), 7, wanted.data() + 500);
  std::copy_n(local_.data() + 10, 7, wanted.data() + 600);
  std::copy_n(local_.data() + 20, 7, wanted.data() + 700);
  std::copy_n(local_.data() + 50, 4, wanted.data() + 300);
  std::copy_n(local_.data() + 40, 4, wanted.data() + 200);
  for (size_t i = 0; i < 4; ++i) {
    std::copy_n(local_.data() + 60 + 5 * i, 3, wanted.data() + 20 * i);
  }
  packet.Scatter();
  EXPECT_EQ(remote_, wanted);
}

// Adds more blocks than the writer has notes: large and small ones in turn.
TEST_F(PacketTest, DataThatAreNotedStayInTheirPlaces) {
  constexpr size_t kBlock = 400;
  constexpr size_t kBlocks = 100;
  memory_.resize(kBlocks * 500);
  remote_.resize(kBlocks * kBlock);
  local_.resize(remote_.size());
  for (size_t i = 0; i < local_.size(); ++i) {
    local_[i] = static_cast<std::byte>(i * 7 + i / 256);
  }
  Bytes wanted = remote_;
  const auto copy = [&](size_t at, size_t from, size_t nbytes) {
    std::copy_n(local_.data() + from, nbytes, wanted.data() + at);
  };
  std::vector<std::array<void*, 40>> there(kBlocks), here(kBlocks);
  PacketWriter writer = Writer(true, memory_.size());
  for (size_t i = 0; i < kBlocks; ++i) {
    const size_t at = i * kBlock;
    const std::byte* const from = local_.data() + at;
    const size_t count = i % 3 == 0 ? 4 : 40;
    for (size_t j = 0; j < count; ++j) {
      there[i][j] = FarPointer(at + 10 * j);
      here[i][j] = local_.data() + at + 9 * (count - 1 - j);
    }
    switch (i % 4) {
      case 0:
        EXPECT_EQ(writer.AddRow({Far(at), 10, 8, count}, from, 9), count);
        for (size_t j = 0; j < count; ++j) copy(at + 10 * j, at + 9 * j, 8);
        break;
      case 1:
        EXPECT_EQ(writer.AddListed(there[i].data(), 8, count, here[i].data()),
                  count);
        for (size_t j = 0; j < count; ++j) {
          copy(at + 10 * j, at + 9 * (count - 1 - j), 8);
        }
        break;
      case 2:
        EXPECT_EQ(writer.AddListed(there[i].data(), 8, count, from), count);
        for (size_t j = 0; j < count; ++j) copy(at + 10 * j, at + 8 * j, 8);
        break;
      default:
        EXPECT_TRUE(writer.AddRun(Far(at), 300, from));
        EXPECT_TRUE(writer.AddRun(Far(at + 310), count, from));
        copy(at, at, 300);
        copy(at + 310, at, count);
    }
  }
  const Bytes sent = Taken(writer);
  VisPacket packet(sent, true);
  ASSERT_EQ(packet.Check(segment(), memory_.size()).why, nullptr);
  packet.Scatter();
  EXPECT_EQ(remote_, wanted);
}

TEST_F(PacketTest, AGetGathersInTheOrderOfThePieces) {
  remote_ = local_;
  PacketWriter writer = Writer(false);
  const std::array<void*, 2> listed = {FarPointer(300), FarPointer(200)};
  EXPECT_TRUE(writer.AddRun(Far(600), 3, nullptr));
  EXPECT_EQ(writer.AddRow({Far(900), 0, 2, 2}, nullptr, 0), 2u);
  EXPECT_TRUE(writer.AddRun(Far(700), 9, nullptr));
  EXPECT_EQ(writer.AddListed(listed.data(), 4, 2,
                             static_cast<const std::byte*>(nullptr)),
            2u);
  EXPECT_TRUE(writer.AddRun(Far(500), 7, nullptr));
  const Bytes sent = Taken(writer);
  VisPacket packet(sent, false);
  ASSERT_EQ(packet.Check(segment(), kRoom).why, nullptr);
  EXPECT_EQ(packet.data(), 3u + 2 * 2 + 9 + 8 + 7);
  Bytes got(packet.data());
  packet.GatherTo(got.data());
  Bytes wanted;
  for (const auto& [at, nbytes] : {std::pair{600, 3},
                                   {900, 2},
                                   {900, 2},
                                   {700, 9},
                                   {300, 4},
                                   {200, 4},
                                   {500, 7}}) {
    wanted.insert(wanted.end(), remote_.data() + at,
                  remote_.data() + at + nbytes);
  }
  EXPECT_EQ(got, wanted);
}

// Runs that are adjacent at the target become one. Their sources are scattered.
TEST_F(PacketTest, RunsThatFollowEachOtherAreOneUnlessToldOtherwise) {
  for (const bool joins : {true, false}) {
    std::fill(remote_.begin(), remote_.end(), std::byte{0});
    Bytes wanted = remote_;
    PacketWriter writer = Writer(true, kRoom, joins);
    for (const size_t i : {0, 1, 2, 3, 4}) {
      EXPECT_TRUE(writer.AddRun(Far(100 + 9 * i), 9, local_.data() + 50 * i));
      std::copy_n(local_.data() + 50 * i, 9, wanted.data() + 100 + 9 * i);
    }
    EXPECT_TRUE(writer.AddRun(Far(146), 9, local_.data()));
    std::copy_n(local_.data(), 9, wanted.data() + 146);
    const Bytes sent = Taken(writer);
    EXPECT_EQ(sent.size(),
              sizeof(Head) + (joins ? 2 : 6) * sizeof(PacketPiece) + 6 * 9);
    VisPacket packet(sent, true);
    ASSERT_EQ(packet.Check(segment(), kRoom).why, nullptr);
    packet.Scatter();
    EXPECT_EQ(remote_, wanted);
  }
}

// Adds more runs than one block has sources for.
TEST_F(PacketTest, ManyRunsThatFollowEachOtherArrive) {
  memory_.resize(4000);
  PacketWriter writer = Writer(true, memory_.size());
  Bytes wanted = remote_;
  for (size_t i = 0; i < 900; ++i) {
    EXPECT_TRUE(writer.AddRun(Far(i), 1, local_.data() + 899 - i));
    wanted[i] = local_[899 - i];
  }
  const Bytes sent = Taken(writer);
  EXPECT_EQ(sent.size(), 900 + 4 * (sizeof(Head) + sizeof(PacketPiece)));
  VisPacket packet(sent, true);
  ASSERT_EQ(packet.Check(segment(), memory_.size()).why, nullptr);
  packet.Scatter();
  EXPECT_EQ(remote_, wanted);
}

TEST_F(PacketTest, AGetNamesWhatFollowsOnce) {
  remote_ = local_;
  PacketWriter writer = Writer(false);
  for (size_t i = 0; i < 40; ++i) {
    EXPECT_TRUE(writer.AddRun(Far(200 + 10 * i), 10, nullptr));
  }
  const Bytes sent = Taken(writer);
  EXPECT_EQ(sent.size(), sizeof(Head) + sizeof(PacketPiece));
  VisPacket packet(sent, false);
  ASSERT_EQ(packet.Check(segment(), kRoom).why, nullptr);
  Bytes got(packet.data());
  packet.GatherTo(got.data());
  EXPECT_EQ(got, Bytes(remote_.begin() + 200, remote_.begin() + 600));
}

// Adds rows of few runs, and rows that are contiguous at the target.
TEST_F(PacketTest, ShortRowsShareABlock) {
  PacketWriter writer = Writer(true);
  Bytes wanted = remote_;
  for (size_t i = 0; i < 5; ++i) {
    const size_t at = 40 * i;
    EXPECT_EQ(writer.AddRow({Far(at), 20, 4, 2}, local_.data() + at, 7), 2u);
    std::copy_n(local_.data() + at, 4, wanted.data() + at);
    std::copy_n(local_.data() + at + 7, 4, wanted.data() + at + 20);
  }
  for (size_t i = 0; i < 3; ++i) {
    const size_t at = 300 + 20 * i;
    EXPECT_EQ(writer.AddRow({Far(at), 4, 4, 5}, local_.data() + i, 9), 5u);
    for (size_t j = 0; j < 5; ++j) {
      std::copy_n(local_.data() + i + 9 * j, 4, wanted.data() + at + 4 * j);
    }
  }
  const Bytes sent = Taken(writer);
  EXPECT_EQ(sent.size(),
            sizeof(Head) + (10 + 1) * sizeof(PacketPiece) + 40 + 60);
  VisPacket packet(sent, true);
  ASSERT_EQ(packet.Check(segment(), kRoom).why, nullptr);
  packet.Scatter();
  EXPECT_EQ(remote_, wanted);
}

// Adds the data of as many runs as fit. Writes nothing beyond the room.
TEST_F(PacketTest, TakesWhatFits) {
  for (size_t room = 0; room < 200; ++room) {
    std::fill(memory_.begin(), memory_.end(), std::byte{0xee});
    PacketWriter rows = Writer(true, room);
    const size_t added = rows.AddRow({Far(0), 16, 8, 50}, local_.data(), 8);
    EXPECT_EQ(added, room < 40 ? 0 : (room - 32) / 8) << room;
    PacketWriter runs = Writer(true, room);
    size_t count = 0;
    while (count < 50 && runs.AddRun(Far(16 * count), 8, local_.data())) {
      ++count;
    }
    EXPECT_EQ(count, room < 48 ? 0 : (room - 32) / 16) << room;
    EXPECT_EQ(memory_[room], std::byte{0xee});
    if (runs.IsEmpty()) continue;
    EXPECT_LE(Taken(runs).size(), room);
    EXPECT_EQ(memory_[room], std::byte{0xee});
  }
}

TEST_F(PacketTest, TheLargestRunFits) {
  for (const size_t room : {60, 300}) {
    const size_t run = PacketWriter::LargestRun(room, room);
    PacketWriter writer = Writer(true, room);
    EXPECT_TRUE(writer.AddRun(Far(0), run, local_.data()));
    writer.Clear();
    EXPECT_FALSE(writer.AddRun(Far(0), run + 1, local_.data()));
    EXPECT_EQ(writer.AddRow({Far(0), Steps(run, 2), run, 2}, local_.data(),
                            Steps(run, 1)),
              1u);
  }
}

TEST_F(PacketTest, WhatLiesFarApartIsNotInOneBlock) {
  std::byte* const base = reinterpret_cast<std::byte*>(uintptr_t{1} << 40);
  const std::array<void*, 3> listed = {base, base + 100,
                                       base + (size_t{1} << 31)};
  PacketWriter writer = Writer(false);
  const std::byte* const none = nullptr;
  EXPECT_EQ(writer.AddListed(listed.data(), 8, 3, none), 2u);
  EXPECT_EQ(writer.AddListed(listed.data() + 2, 8, 1, none), 1u);
  EXPECT_EQ(Taken(writer).size(), 2 * sizeof(Head) + 3 * sizeof(int32_t));
}

TEST_F(PacketTest, WhatIsCutOffIsRefused) {
  PacketWriter writer = Writer(true);
  writer.AddRow({Far(0), 20, 3, 5}, local_.data(), 10);
  writer.AddRun(Far(500), 7, local_.data());
  const Bytes sent = Taken(writer);
  const size_t first = sizeof(Head) + 15;
  for (size_t size = 0; size < sent.size(); ++size) {
    const Bytes cut(sent.begin(), sent.begin() + static_cast<ptrdiff_t>(size));
    EXPECT_EQ(Refused(cut, true) == "", size == first) << size;
  }
}

TEST_F(PacketTest, MemoryOutsideIsRefused) {
  const auto refused = [&](const Head& head) {
    Bytes bytes(sizeof head);
    std::memcpy(bytes.data(), &head, sizeof head);
    return Refused(bytes, false);
  };
  constexpr const char* kOutside = "memory outside the segment";
  EXPECT_EQ(refused({Far(0), 100, PacketLayout::kRows, 100, 4, 0}), "");
  EXPECT_EQ(refused({Far(992), 0, PacketLayout::kRows, 8, 1, 0}), "");
  EXPECT_EQ(refused({Far(993), 0, PacketLayout::kRows, 8, 1, 0}), kOutside);
  EXPECT_EQ(refused({Far(0) - 1, 8, PacketLayout::kRows, 8, 2, 0}), kOutside);
  EXPECT_EQ(refused({Far(0), 331, PacketLayout::kRows, 8, 4, 0}), kOutside);
  EXPECT_EQ(refused({Far(0), INT64_MIN, PacketLayout::kRows, 8, 3, 0}),
            kOutside);
  EXPECT_EQ(refused({Far(8), -9, PacketLayout::kRows, 8, 2, 0}), kOutside);
  EXPECT_EQ(refused({Far(8), -8, PacketLayout::kRows, 8, 2, 0}), "");
  // The stride of one run has no effect.
  EXPECT_EQ(refused({Far(8), INT64_MIN + 1, PacketLayout::kRows, 8, 1, 0}), "");
}

TEST_F(PacketTest, EntriesOutsideAreRefused) {
  PacketWriter writer = Writer(false);
  std::array<void*, 3> listed = {FarPointer(0), FarPointer(10), FarPointer(20)};
  for (void*& entry : listed) {
    void* const good = entry;
    entry = FarPointer(995);
    writer.Clear();
    const std::byte* const none = nullptr;
    writer.AddListed(listed.data(), 8, 3, none);
    EXPECT_EQ(Refused(Taken(writer), false), "memory outside the segment");
    writer.Clear();
    for (void* const place : listed) {
      writer.AddRun(reinterpret_cast<uintptr_t>(place), 8, nullptr);
    }
    EXPECT_EQ(Refused(Taken(writer), false), "memory outside the segment");
    entry = good;
  }
}

TEST_F(PacketTest, UnknownAndEmptyBlocksAreRefused) {
  PacketWriter writer = Writer(false);
  writer.AddRow({Far(0), 20, 3, 5}, nullptr, 0);
  const Bytes sent = Taken(writer);
  Bytes bytes = sent;
  HeadOf(bytes).layout = static_cast<PacketLayout>(3);
  EXPECT_EQ(Refused(bytes, false), "a block is of an unknown kind");
  bytes = sent;
  HeadOf(bytes).reserved = 1;
  EXPECT_EQ(Refused(bytes, false), "a block is of an unknown kind");
  bytes = sent;
  HeadOf(bytes).count = 0;
  EXPECT_EQ(Refused(bytes, false), "a block is of no bytes");
  bytes = sent;
  HeadOf(bytes).run = 0;
  EXPECT_EQ(Refused(bytes, false), "a block is of no bytes");
  EXPECT_EQ(Refused({}, false), "no bytes");
}

// A request must not ask for more bytes than a reply has room for.
TEST_F(PacketTest, MoreThanAMessageTakesIsRefused) {
  const Head head = {Far(0), 0, PacketLayout::kRows, 8, 50, 0};
  Bytes bytes(2 * sizeof head);
  std::memcpy(bytes.data(), &head, sizeof head);
  std::memcpy(bytes.data() + sizeof head, &head, sizeof head);
  EXPECT_EQ(Refused(bytes, false, 800), "");
  EXPECT_EQ(Refused(bytes, false, 799), "more bytes than one message takes");
  HeadOf(bytes).run = ~0u;
  HeadOf(bytes).count = ~0u;
  EXPECT_EQ(Refused(bytes, false, 800), "more bytes than one message takes");
}

}  // namespace
}  // namespace gasnet::vis
