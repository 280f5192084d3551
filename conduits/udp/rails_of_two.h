// For tests: the rails of two ranks in this process, an asker and a server.
#ifndef CONDUITS_UDP_RAILS_OF_TWO_H_
#define CONDUITS_UDP_RAILS_OF_TWO_H_

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/unique_fd.h"
#include "conduits/udp/rail.h"
#include "conduits/udp/rails.h"
#include "conduits/udp/settings.h"
#include "core/am/dispatcher.h"
#include "core/am/unattended.h"
#include "core/datagram/job_socket.h"
#include "core/datagram/seal.h"
#include "core/ip/address.h"
#include "core/ip/socket.h"
#include "core/thread/thread_state.h"

namespace gasnet::udp {

inline constexpr size_t kRails = 3;
inline constexpr uint8_t kAsk = 1;
inline constexpr uint8_t kAnswer = 2;
inline constexpr uint8_t kAttendedAsk = 3;
inline constexpr uint8_t kTell = 4;       // a request without an answer
inline constexpr int kPatience = 30'000;  // ms, after which a test fails
inline constexpr int64_t kPatienceNanos = int64_t{kPatience} * 1'000'000;

// The sockets of two ranks, for one rail.
struct RailOfTwo {
  RailOfTwo() : addresses(2, *ip::Address::Parse("127.0.0.1")) {
    for (size_t rank = 0; rank < 2; ++rank) {
      sockets[rank] = *ip::OpenUdpSocket(addresses[rank]);
    }
  }
  datagram::RailSocket Of(Rank rank) {
    return {std::move(sockets[rank]), addresses};
  }

  std::vector<ip::Address> addresses;
  std::array<UniqueFd, 2> sockets;
};

struct Side {
  Side(std::array<RailOfTwo, kRails>& sockets, Rank me,
       const datagram::DatagramOptions& options = {})
      : rails(RailsOf(sockets, me, options)) {
    am::HandlerTable& table = dispatcher.handlers();
    table.RegisterInternal(kAsk, am::Lane::kRequest, &OnAsk);
    table.RegisterInternal(kAnswer, am::Lane::kReply, &OnAnswer);
    table.RegisterInternal(kAttendedAsk, am::Lane::kRequest, &OnAsk);
    table.RegisterUnattended(kAttendedAsk, &OnAskUnattended);
    table.RegisterInternal(kTell, am::Lane::kRequest, &OnTell);
  }
  static std::vector<std::unique_ptr<UdpRail>> RailsOf(
      std::array<RailOfTwo, kRails>& sockets, Rank me,
      datagram::DatagramOptions options) {
    std::vector<std::unique_ptr<UdpRail>> made;
    options.me = me;
    options.ranks = 2;
    for (RailOfTwo& of_two : sockets) {
      made.push_back(std::make_unique<UdpRail>(UdpSettings{}, of_two.Of(me),
                                               datagram::SocketPort::Options{},
                                               options, datagram::Seal({})));
      ++options.rail;
    }
    return made;
  }

  static void OnAsk(void* token, int32_t asker);
  static void OnAskUnattended(void* token, int32_t asker);
  static void OnAnswer(void* token, int32_t asker);
  static void OnTell(void* token, int32_t asker);

  am::Post Ask(int32_t asker, uint8_t handler = kAsk) {
    return AskBy(rails.Current(), asker, handler);
  }
  static am::Post AskBy(UdpRail& rail, int32_t asker, uint8_t handler = kAsk) {
    return rail.endpoint.Send(
        1, am::Lane::kRequest,
        {.handler = handler, .num_args = 1, .args = &asker});
  }
  void Poll(bool again = false) {
    rails.Poll(am::Lanes::kAll, dispatcher, again);
    rails.Current().endpoint.ServeTimers();
  }
  bool Readable() const {
    std::array<pollfd, kRails> watched;
    for (size_t rail = 0; rail < kRails; ++rail) {
      watched[rail] = {rails.fds()[rail], POLLIN, 0};
    }
    return poll(watched.data(), kRails, kPatience) > 0;
  }

  am::Dispatcher dispatcher;
  UdpRails rails;
};

inline std::atomic<int> asked{0};
inline int unattended = 0;
inline std::array<std::atomic<int>, kRails> answers;
inline Side* server_side = nullptr;

inline void Side::OnAsk(void*, int32_t asker) {
  ++asked;
  ASSERT_EQ(server_side->rails.Current().endpoint.Send(
                0, am::Lane::kReply,
                {.handler = kAnswer, .num_args = 1, .args = &asker}),
            am::Post::kDone);
}
inline void Side::OnAskUnattended(void* token, int32_t asker) {
  ++unattended;
  static_cast<am::UnattendedToken*>(static_cast<am::Token*>(token))
      ->TryReply({.handler = kAnswer, .num_args = 1, .args = &asker});
}
inline void Side::OnTell(void*, int32_t) { ++asked; }
inline void Side::OnAnswer(void*, int32_t asker) { ++answers[asker]; }

class RailsTest : public ::testing::Test {
 protected:
  RailsTest()
      : asker_(std::make_unique<Side>(sockets_, 0)),
        server_(std::make_unique<Side>(sockets_, 1)) {
    thread::Self();  // the first record, and so the first rail
    asked = 0;
    unattended = 0;
    for (auto& count : answers) count = 0;
    server_side = server_.get();
  }

  // Runs act(index) in threads whose own rails are 1 to kRails - 1. Rail 0 is
  // that of the main thread.
  template <class Act>
  void OnOtherRails(Act act) {
    std::vector<std::thread> threads;
    for (size_t index = 1; index < kRails; ++index) {
      threads.emplace_back([&, index] { act(static_cast<int32_t>(index)); });
    }
    for (std::thread& thread : threads) thread.join();
  }
  // Runs act() in a thread that has not looked at rails yet.
  template <class Act>
  void OnAFreshThread(Act act) {
    std::thread(act).join();
  }
  // Sends a request on a rail that is not the calling thread's. Returns the
  // number of that rail, once the request has arrived.
  size_t AskOnAnotherRail(uint8_t handler = kAsk) {
    const size_t rail =
        &asker_->rails.at(0) == &asker_->rails.Current() ? 1 : 0;
    EXPECT_EQ(Side::AskBy(asker_->rails.at(rail), /*asker=*/1, handler),
              am::Post::kDone);
    EXPECT_TRUE(server_->Readable());
    return rail;
  }
  // Returns the number of the rails of `side` that have sent a message.
  static size_t SendingRails(const Side& side) {
    return CountRails(side, [](const datagram::DatagramStatistics& counts) {
      return counts.messages_sent > 0;
    });
  }
  template <class Is>
  static size_t CountRails(const Side& side, Is is) {
    size_t found = 0;
    for (size_t index = 0; index < kRails; ++index) {
      if (is(side.rails.at(index).endpoint.statistics())) ++found;
    }
    return found;
  }

  std::array<RailOfTwo, kRails> sockets_;
  std::unique_ptr<Side> asker_;
  std::unique_ptr<Side> server_;
};

}  // namespace gasnet::udp

#endif  // CONDUITS_UDP_RAILS_OF_TWO_H_
