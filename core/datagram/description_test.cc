#include "core/datagram/description.h"

#include <cstdint>
#include <limits>
#include <string>

#include "core/datagram/statistics.h"
#include "gtest/gtest.h"

namespace gasnet::datagram {
namespace {

std::string Describe(const DatagramStatistics& statistics,
                     uint64_t lost_in_port = 0) {
  return Description(statistics, lost_in_port).text();
}

TEST(DescriptionTest, SaysWhatWasSentAndReceivedThoughItWasNothing) {
  EXPECT_EQ(Describe({}),
            "sent: messages 0, packets 0; received: messages 0, packets 0");
}

TEST(DescriptionTest, IsShortWhereNothingWentWrong) {
  DatagramStatistics statistics;
  statistics.messages_sent += 30;
  statistics.packets_sent += 12;
  statistics.acks_sent += 3;
  statistics.messages_delivered += 31;
  statistics.packets_received += 13;
  EXPECT_EQ(Describe(statistics),
            "sent: messages 30, packets 12, acknowledgements 3; "
            "received: messages 31, packets 13");
}

TEST(DescriptionTest, SaysWhatWasRepeated) {
  DatagramStatistics statistics;
  statistics.retransmissions += 4;
  statistics.timeouts += 1;
  statistics.probes += 2;
  EXPECT_EQ(Describe(statistics),
            "sent: messages 0, packets 0; received: messages 0, packets 0; "
            "repeated: packets 4, time-outs 1, probes 2");
}

TEST(DescriptionTest, NamesTheReasonsForWhichSomethingWasDropped) {
  DatagramStatistics statistics;
  statistics.Count(Drop::kForged);
  statistics.Count(Drop::kSize);
  statistics.Count(Drop::kForged);
  EXPECT_EQ(Describe(statistics),
            "sent: messages 0, packets 0; received: messages 0, packets 0; "
            "dropped: too short or too long 1, wrong tag 2");
}

TEST(DescriptionTest, NamesWhatThePortLost) {
  EXPECT_EQ(Describe({}, 7),
            "sent: messages 0, packets 0; received: messages 0, packets 0; "
            "dropped: socket full 7");
}

TEST(DescriptionTest, EveryReasonHasANameAndThereIsRoomForAll) {
  constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();
  DatagramStatistics statistics;
  for (Counter* counter :
       {&statistics.packets_sent, &statistics.packets_received,
        &statistics.retransmissions, &statistics.timeouts, &statistics.probes,
        &statistics.acks_sent, &statistics.messages_sent,
        &statistics.messages_delivered}) {
    *counter += kMax;
  }
  for (Counter& counter : statistics.dropped) counter += kMax;
  const std::string n = std::to_string(kMax);
  EXPECT_EQ(Describe(statistics, kMax),
            "sent: messages " + n + ", packets " + n + ", acknowledgements " +
                n + "; received: messages " + n + ", packets " + n +
                "; repeated: packets " + n + ", time-outs " + n + ", probes " +
                n + "; dropped: too short or too long " + n + ", wrong tag " +
                n + ", wrong header " + n + ", for another rank " + n +
                ", from no other rank " + n + ", malformed messages " + n +
                ", duplicate " + n + ", too far ahead " + n + ", no room " + n +
                ", socket full " + n);
}

}  // namespace
}  // namespace gasnet::datagram
