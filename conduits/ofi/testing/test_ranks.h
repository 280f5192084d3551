// Ranks in one process over the fake fabric, each with an endpoint and its
// messages. A rank handles completions like the conduit's network: it takes a
// whole batch, and then serves first replies and then requests. Requests are
// kept while only replies may be served.
#ifndef CONDUITS_OFI_TESTING_TEST_RANKS_H_
#define CONDUITS_OFI_TESTING_TEST_RANKS_H_

#include <rdma/fi_eq.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "conduits/ofi/endpoint.h"
#include "conduits/ofi/messages.h"
#include "conduits/ofi/testing/fake_fabric.h"
#include "conduits/ofi/waited.h"
#include "core/am/assembly.h"
#include "core/am/message.h"
#include "core/am/records.h"
#include "core/segment.h"

namespace gasnet::ofi::testing {

inline constexpr uint32_t kTestCookie = 0xc001e5;
inline constexpr uint8_t kTestHandler = 200;

am::Message ShortOf(const std::array<int32_t, 2>& args);
am::Message MediumOf(const std::vector<std::byte>& payload);

// Returns limits with small frames and windows, for a job of `ranks` ranks.
MessageLimits SmallLimits(Rank ranks, bool multiple);

class TestRank {
 public:
  using Handler =
      std::function<void(TestRank& at, const am::Incoming& message)>;

  TestRank(FakeFabric& fabric, const MessageLimits& limits, Rank me,
           Rank ranks);

  OfiEndpoint& endpoint() { return *endpoint_; }
  OfiMessages& messages() { return messages_; }
  Seconds& clock() { return clock_; }
  Rank me() const { return me_; }
  std::span<std::byte> memory() { return memory_; }

  // Sends a message, in fragments if necessary. `posted` is passed to
  // OfiMessages::SendInFragments().
  am::Post Send(Rank peer, am::Lane lane, const am::Message& message,
                size_t* posted = nullptr) {
    return message.nbytes > messages_.whole() && !message.payload_sent
               ? messages_.SendInFragments(peer, lane, message, posted)
               : messages_.Send(peer, lane, message);
  }
  // Polls. Serves only replies while a handler of a request runs on this rank.
  unsigned Poll() { return Poll(in_handler_); }
  unsigned Poll(bool replies_only);

  Handler handler;
  std::function<void(OperationContext&)> on_transfer;
  // Descriptions of the operations that have failed.
  std::vector<std::string> failures;
  size_t most_kept_frames = 0;
  size_t held_frames = 0;  // requests kept in their receive buffers

 private:
  void TakeFailure();
  unsigned Deliver(std::span<const Arrival> arrivals, bool replies_only);
  unsigned ServeKept();
  void Handle(Rank source, am::Lane lane, std::span<std::byte> frame,
              const am::Assembly* assembly);
  void Handle(const am::Incoming& message);

  const Rank me_;
  std::vector<std::byte> memory_;  // the rank's segment
  const std::unique_ptr<OfiEndpoint> endpoint_;
  Seconds clock_;
  OfiMessages messages_;
  bool in_handler_ = false;
  size_t kept_frames_ = 0;
};

// Sends requests until there is no room. Returns the number of requests sent.
unsigned Flood(TestRank& from, Rank to, const am::Message& message);

class TestRanks {
 public:
  TestRanks(const FakeFabricOptions& options, Rank ranks);
  TestRanks(const FakeFabricOptions& options, Rank ranks,
            const MessageLimits& limits);

  FakeFabric& fabric() { return fabric_; }
  const MessageLimits& limits() const { return limits_; }
  TestRank& operator[](Rank rank) { return ranks_[rank]; }
  Rank size() const { return static_cast<Rank>(ranks_.size()); }

  void SetHandler(const TestRank::Handler& handler);
  // Polls each rank once. Returns the total number of handled messages.
  unsigned PollAll();
  // Polls until nothing is under way and all ranks have learned this.
  void Settle();
  // Sends a message. Polls until there is room for the message. May also be
  // called in a handler.
  void SendPatiently(TestRank& from, Rank to, am::Lane lane,
                     const am::Message& message);

 private:
  FakeFabric fabric_;
  const MessageLimits limits_;
  std::deque<TestRank> ranks_;
};

}  // namespace gasnet::ofi::testing

#endif  // CONDUITS_OFI_TESTING_TEST_RANKS_H_
