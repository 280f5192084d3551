// Tests the channel alone, with arbitrary bytes, as a layer without messages
// would use it.
#include "core/datagram/channel.h"

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "core/datagram/deadline.h"
#include "core/datagram/packet_receiver.h"
#include "core/datagram/testing/memory_network.h"
#include "core/datagram/testing/memory_port.h"
#include "core/datagram/transmitter.h"
#include "gtest/gtest.h"

namespace gasnet::datagram {
namespace {

constexpr size_t kLargest = 1472;

// One rank. It stores the packets that it accepts. A test can make it refuse
// packets.
class Side {
 public:
  Side(testing::MemoryNetwork& network, const ChannelOptions& options)
      : port_(network, options.me), options_(options) {
    transmitter_.ReadClock();
  }

  void Send(Rank peer, std::string_view contents) {
    Channel& channel = channels_.To(peer);
    const size_t size = kHeaderBytes + contents.size();
    Packet* const packet = pool_.Acquire(size, Lane::kRequest);
    ASSERT_NE(packet, nullptr);
    std::memcpy(packet->bytes + kHeaderBytes, contents.data(), contents.size());
    packet->length = static_cast<uint32_t>(size);
    SendWindow& window = channel.lane(Lane::kRequest).send;
    window.Append(packet, false);
    channels_.Activate(channel);
    transmitter_.Transmit(channel, Lane::kRequest, false);
  }

  void Poll() {
    transmitter_.ReadClock();
    Batch* const batch = port_.Receive();
    if (batch == nullptr) return;
    for (const MutableBytes datagram : batch->datagrams()) Take(datagram);
    port_.Release(batch);
  }

  // Repeats late packets, and acknowledges.
  void ServeTimers() {
    const int64_t now = transmitter_.ReadClock();
    channels_.ForActive([&](Channel& channel) {
      channel.lane(Lane::kRequest)
          .send.OnTimer(now, options_.timing, channel.round_trip);
      transmitter_.Transmit(channel, Lane::kRequest, false);
      if (channel.owed_packets > 0) transmitter_.SendAck(channel);
    });
  }

  bool refuses = false;
  const std::vector<std::string>& taken() const { return taken_; }
  const DatagramStatistics& statistics() const { return statistics_; }
  size_t in_flight() const { return pool_.used(); }

 private:
  void Take(MutableBytes datagram) {
    const ReceivedDatagram arrival =
        packets_.Accept(datagram, transmitter_.now());
    if (arrival.channel == nullptr) return;
    packets_.TakeAcks(*arrival.channel, arrival.header.acks,
                      transmitter_.now());
    if (arrival.packet.empty() || refuses) return;
    const MutableBytes contents = arrival.packet.subspan(kHeaderBytes);
    taken_.emplace_back(reinterpret_cast<char*>(contents.data()),
                        contents.size());
    packets_.Register(arrival, transmitter_.now());
  }

  testing::MemoryPort port_;
  const ChannelOptions options_;
  const Seal seal_{Seal::Key{1}};
  const PathSizes sizes_{0, kLargest};
  DatagramStatistics statistics_;
  PacketPool pool_{size_t{1} << 20, kLargest, {1, 1}};
  ChannelTable channels_{options_.ranks, options_.receive_window_bytes, sizes_};
  PacketReceiver packets_{options_,  sizes_, seal_,
                          channels_, pool_,  statistics_};
  Deadline deadline_;
  Transmitter transmitter_{port_,     options_,    sizes_,   seal_,
                           channels_, statistics_, deadline_};
  std::vector<std::string> taken_;
};

class ChannelTest : public ::testing::Test {
 protected:
  static ChannelOptions OptionsOf(Rank me) {
    ChannelOptions options;
    options.me = me;
    options.ranks = 2;
    return options;
  }
  // Runs both sides for a second.
  void Run() {
    for (int step = 0; step < 1000; ++step) {
      network_.AdvanceTo(network_.Now() + 1'000'000);
      for (Side* const side : {&one_, &other_}) {
        side->Poll();
        side->ServeTimers();
      }
    }
  }

  testing::MemoryNetwork network_{{.ranks = 2, .max_datagram = kLargest}};
  Side one_{network_, OptionsOf(0)};
  Side other_{network_, OptionsOf(1)};
};

TEST_F(ChannelTest, BringsAnyBytesOnce) {
  one_.Send(1, "some bytes");
  one_.Send(1, "others");
  Run();
  EXPECT_EQ(other_.taken(), (std::vector<std::string>{"some bytes", "others"}));
  EXPECT_EQ(one_.in_flight(), 0u) << "acknowledged";
  EXPECT_EQ(one_.statistics().retransmissions, 0u);
}

TEST_F(ChannelTest, WhatIsRefusedComesAgain) {
  other_.refuses = true;
  one_.Send(1, "not now");
  Run();
  EXPECT_EQ(one_.in_flight(), 1u);
  other_.refuses = false;
  Run();
  EXPECT_EQ(other_.taken(), std::vector<std::string>{"not now"});
  EXPECT_EQ(one_.in_flight(), 0u);
  EXPECT_GT(one_.statistics().retransmissions, 0u);
}

}  // namespace
}  // namespace gasnet::datagram
