// Tests messages that no correct peer sends. Each message must end the job with
// an error that names the sending rank, and leave all other memory unchanged.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "core/am/message.h"
#include "extended/handler_indices.h"
#include "extended/operations.h"
#include "extended/testing/loopback.h"
#include "extended/wire.h"

namespace gasnet::extended {
namespace {

using testing::Loopback;

class CorruptionTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    Loopback::Attach();
  }

  static std::byte* segment() { return Loopback::segment(); }

  // Sends a message that appears to come from rank 5, and handles it.
  static void Forge(const am::Message& message,
                    am::Lane lane = am::Lane::kRequest) {
    Loopback::network().SetSource(5);
    while (Loopback::network().Send(0, lane, message) != am::Post::kDone) {
    }
    while (Loopback::network().InFlight() > 0) Loopback::engine().Poll();
  }
  static void ForgeReply(const am::Message& message) {
    Forge(message, am::Lane::kReply);
  }

  // Returns the id by which a reply identifies an operation. The tests'
  // operations stay in flight.
  static std::array<int32_t, 2> Stuck(Transfer& transfer) {
    return {Index(transfer), Generation(transfer)};
  }
  static Transfer& StuckPut(Rank peer) {
    return Operations::Mine().StartPut(peer, nullptr);
  }
  static Transfer& StuckGet(Rank peer, void* destination, size_t nbytes) {
    return Operations::Mine().StartGet(peer, destination, nbytes, nullptr);
  }
};

TEST_F(CorruptionTest, ReplyToAnOperationThatDoesNotExist) {
  const std::array<int32_t, 2> nonsense = {-1, 1};
  EXPECT_DEATH(ForgeReply(Short(kPutDoneReply, nonsense)),
               "rank 5 answered operation 4294967295 .*there is no such");
}

TEST_F(CorruptionTest, ReplyToAnOperationOfTheWrongGeneration) {
  auto stuck = Stuck(StuckPut(5));
  ++stuck[1];
  EXPECT_DEATH(ForgeReply(Short(kPutDoneReply, stuck)),
               "rank 5 .*not in flight");
}

TEST_F(CorruptionTest, SecondReply) {
  const auto stuck = Stuck(StuckPut(5));
  ForgeReply(Short(kPutDoneReply, stuck));
  EXPECT_DEATH(ForgeReply(Short(kPutDoneReply, stuck)),
               "rank 5 .*not in flight");
}

TEST_F(CorruptionTest, ReplyFromARankThatWasNotAsked) {
  const auto stuck = Stuck(StuckPut(3));
  EXPECT_DEATH(ForgeReply(Short(kPutDoneReply, stuck)),
               "rank 5 .*another rank was asked");
}

TEST_F(CorruptionTest, ReplyWithoutDataToAGet) {
  uint64_t destination = 0;
  const auto stuck = Stuck(StuckGet(5, &destination, 8));
  EXPECT_DEATH(ForgeReply(Short(kPutDoneReply, stuck)),
               "rank 5 .*goes the other way");
}

TEST_F(CorruptionTest, DataForAPut) {
  const auto stuck = Stuck(StuckPut(5));
  EXPECT_DEATH(ForgeReply(Medium(kGetMediumReply, stuck, "x", 0)),
               "rank 5 .*(goes the other way|bytes where)");
}

TEST_F(CorruptionTest, MoreDataThanWasAskedFor) {
  uint64_t destination = 0;
  const std::array<std::byte, 9> data{};
  const auto stuck = Stuck(StuckGet(5, &destination, 8));
  EXPECT_DEATH(ForgeReply(Medium(kGetMediumReply, stuck, data.data(), 9)),
               "rank 5 .*with 9 bytes where 8 were asked for");
}

TEST_F(CorruptionTest, DataThatWentElsewhere) {
  const std::array<std::byte, 8> data{};
  const auto stuck = Stuck(StuckGet(5, segment(), 8));
  EXPECT_DEATH(ForgeReply(Long(kGetLongReply, stuck, data.data(), 8,
                               segment() + 8, nullptr)),
               "rank 5 .*the data went elsewhere");
}

TEST_F(CorruptionTest, DataThatBeginsToArriveForNoGet) {
  const am::Landing land = Loopback::engine().handlers().FindLanding(
      kGetLandReply, am::Lane::kReply);
  ASSERT_NE(land, nullptr);
  uint64_t destination[2] = {};
  auto stuck = Stuck(StuckGet(5, destination, 16));
  EXPECT_EQ(land(5, stuck.data(), 2, 16), destination);
  EXPECT_EQ(land(5, stuck.data(), 2, 16), destination) << "not claimed";
  EXPECT_DEATH(land(5, stuck.data(), 2, 17), "with 17 bytes where 16 were");
  EXPECT_DEATH(land(4, stuck.data(), 2, 16), "rank 4 .*another rank");
  EXPECT_DEATH(land(5, stuck.data(), 1, 16), "no such|not in flight");
  ++stuck[1];
  EXPECT_DEATH(land(5, stuck.data(), 2, 16), "not in flight");
  const auto put = Stuck(StuckPut(5));
  EXPECT_DEATH(land(5, put.data(), 2, 16), "goes the other way");
}

TEST_F(CorruptionTest, PutOutsideTheSegment) {
  uint64_t outside = 7;
  const std::array args = {1, 1, Low(&outside), High(&outside)};
  EXPECT_DEATH(Forge(Medium(kPutMediumRequest, args, &outside, 8)),
               "rank 5 called gasnet_put on 0x[0-9a-f]+ with 8 bytes here, "
               "which is not inside this rank's segment");
}

TEST_F(CorruptionTest, PutOverTheEndOfTheSegment) {
  const uint64_t data = 7;
  const std::byte* const last = segment() + Loopback::kSegmentSize - 7;
  const std::array args = {1, 1, Low(last), High(last)};
  EXPECT_DEATH(Forge(Medium(kPutMediumRequest, args, &data, 8)),
               "rank 5 called gasnet_put");
}

TEST_F(CorruptionTest, MemsetThatWrapsAround) {
  const uint64_t nbytes = ~uint64_t{0};
  const std::array args = {
      1,          1,           Low(segment()), High(segment()),
      int32_t{0}, Low(nbytes), High(nbytes)};
  EXPECT_DEATH(Forge(Short(kMemsetRequest, args)),
               "rank 5 called gasnet_memset .* 18446744073709551615 bytes");
}

TEST_F(CorruptionTest, GetOutsideTheSegment) {
  const std::array args = {1, 1, 4096, 0, 8};
  EXPECT_DEATH(Forge(Short(kGetMediumRequest, args)),
               "rank 5 called gasnet_get on 0x1000 with 8 bytes");
}

TEST_F(CorruptionTest, GetOfMoreThanOneReplyHolds) {
  const std::array medium = {1, 1, Low(segment()), High(segment()), 4096};
  EXPECT_DEATH(Forge(Short(kGetMediumRequest, medium)),
               "rank 5 asked for 4096 bytes in one reply .*at most 512 fit");
  const std::array long_reply = {1, 1, Low(segment()), High(segment()),
                                 4, 1, Low(segment()), High(segment())};
  EXPECT_DEATH(Forge(Short(kGetLongRequest, long_reply)),
               "rank 5 asked for 4294967300 bytes .*at most 2048 fit");
}

// Each of GASNet's handlers takes one kind of message. These messages are of
// other kinds.
TEST_F(CorruptionTest, MessagesThatAHandlerDoesNotTake) {
  const std::array<int32_t, 5> five = {1, 1, 1, 1, 1};
  const std::array<int32_t, 7> seven = {1, 1, 1, 1, 1, 1, 1};
  const std::byte data{};
  EXPECT_DEATH(Forge(Short(kMemsetRequest, five)),
               "rank 5 sent a Short request with 5 arguments to GASNet's own "
               "handler 3, which takes a Short request with 7");
  EXPECT_DEATH(ForgeReply(Short(kMemsetRequest, seven)),
               "rank 5 sent a Short reply with 7 .*handler 3");
  EXPECT_DEATH(Forge(Medium(kBarrierRequest, five, &data, 1)),
               "rank 5 sent a Medium request .*handler 11");
  for (uint8_t handler = 0; handler < kHandlerIndexEnd; ++handler) {
    for (const am::Lane lane : {am::Lane::kRequest, am::Lane::kReply}) {
      EXPECT_DEATH(
          Forge(Long(handler, seven, &data, 1, segment(), nullptr), lane),
          "rank 5 sent a Long|no handler is registered.* rank 5")
          << int{handler};
    }
  }
}

TEST_F(CorruptionTest, BarrierMessageThatCannotCome) {
  const std::array<int32_t, 5> args = {9, 0, 0, 0, 0};
  EXPECT_DEATH(Forge(Short(kBarrierRequest, args)),
               "rank 5 sent step 0 of barrier 9, which cannot come now");
}

}  // namespace
}  // namespace gasnet::extended
