#include "portals/datagram/outbox.h"
#include "absl/status/statusor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/unique_fd.h"
#include "core/datagram/channel_driver.h"
#include "core/datagram/seal.h"
#include "core/datagram/socket_port.h"
#include "core/datagram/tuning.h"
#include "core/ip/address.h"
#include "core/ip/socket.h"
#include "portals/datagram/record.h"
#include "portals/datagram/target.h"

namespace gasnet::portals4 {
namespace {

// The outbox of rank 0 in a job of two. No process receives the packets.
class OutboxTest : public ::testing::Test {
 protected:
  static datagram::SocketPort MakePort() {
    ip::Address address = *ip::Address::Parse("127.0.0.1");
    absl::StatusOr<UniqueFd> socket = ip::OpenUdpSocket(address);
    EXPECT_TRUE(socket.ok());
    return datagram::SocketPort(*std::move(socket), {address, address},
                                {.offload = false, .loopback = true});
  }
  static datagram::PacketPool::Counts Least(const datagram::PathSizes&) {
    return {.small = 16, .large = 16};
  }

  uint64_t packets() const { return driver_.statistics().packets_sent; }
  void Owe(size_t count) {
    for (size_t i = 0; i < count; ++i) out_.OweReceipt(1, i);
  }
  void SendWord(Lane lane) {
    const ReservedRecord place =
        out_.Reserve(1, lane, kWordBytes, datagram::kMaxUnsent);
    ASSERT_TRUE(place);
    EncodeWord(place.at());
    out_.Send(1, lane, place, kWordBytes);
  }
  // Sends until the lane of replies has no more room.
  void Fill() {
    const size_t size = out_.Room(1);
    while (const ReservedRecord place =
               out_.Reserve(1, Lane::kReply, size, datagram::kMaxUnsent)) {
      EncodeWord(place.at());
      std::fill_n(place.at() + kWordBytes, size - kWordBytes, std::byte{8});
      out_.Send(1, Lane::kReply, place, size);
    }
  }

  datagram::SocketPort port_ = MakePort();
  const datagram::ChannelOptions options_ = {.me = 0, .ranks = 2};
  datagram::ChannelDriver driver_{
      port_, options_, datagram::Seal(datagram::Seal::Key{1}), &Least};
  Outbox out_{driver_, 2};
};

TEST_F(OutboxTest, ReceiptsRideWithTheNextRecordInEitherLane) {
  for (const Lane lane : {Lane::kRequest, Lane::kReply}) {
    Owe(kMaxReceipts - 1);
    EXPECT_NE(out_.receipts_due(), kNever);
    const uint64_t before = packets();
    SendWord(lane);
    EXPECT_EQ(packets(), before + 1);
    EXPECT_EQ(out_.receipts_due(), kNever);
    out_.SendReceipts();
    EXPECT_EQ(packets(), before + 1) << "none is owed";
  }
}

TEST_F(OutboxTest, AsManyAsMayWaitLeaveAtOnce) {
  Owe(kMaxReceipts - 1);
  EXPECT_EQ(packets(), 0u);
  out_.OweReceipt(1, kMaxReceipts);
  EXPECT_EQ(packets(), 1u);
  EXPECT_EQ(out_.receipts_due(), kNever);
}

TEST_F(OutboxTest, RequestsAreRefusedWhileReceiptsHaveNoRoom) {
  DatagramTarget target(out_, 0, 2);
  std::vector<std::byte> put(kOperationBytes);
  Encode(OperationRecord(), 0, put.data());
  Fill();
  Owe(kMaxReceipts - 1);
  EXPECT_EQ(target.Judge(1, put, true), DatagramTarget::Verdict::kTake);
  Owe(1);
  EXPECT_TRUE(out_.OwesMost(1));
  EXPECT_EQ(target.Judge(1, put, true), DatagramTarget::Verdict::kNotNow);
  out_.SendReceipts();
  EXPECT_TRUE(out_.OwesMost(1)) << "there is no room";
  EXPECT_NE(out_.receipts_due(), kNever);
  out_.ForgetReceipts(1);
  EXPECT_EQ(target.Judge(1, put, true), DatagramTarget::Verdict::kTake);
  EXPECT_EQ(out_.receipts_due(), kNever);
}

}  // namespace
}  // namespace gasnet::portals4
