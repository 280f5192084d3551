// Quiet puts between two ranks in one process: both ends of the datagrams, and
// one interface, whose operations begin at one end and are done at the other.
// No thread of the transport runs, so that all that happens is in a poll of the
// test.
#include <gtest/gtest.h>
#include <portals4.h>

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/unique_fd.h"
#include "core/datagram/port_faults.h"
#include "core/datagram/seal.h"
#include "core/ip/address.h"
#include "core/ip/socket.h"
#include "portals/api/carrier.h"
#include "portals/datagram/transport.h"

namespace gasnet::portals4 {
namespace {

constexpr int64_t kSilenceLimit = 10 * kNanosPerSecond;
constexpr ptl_size_t kBytes = 4096;

// The end at which the calls of the test begin operations.
DatagramTransport* begins_at = nullptr;
uint32_t begins_as = 0;

// The interface is rank 0's as its own process sees it, and both ranks' as the
// transports see it.
void InstallCarrier() {
  static Carrier carrier;
  carrier.host_of = {0, 0};
  carrier.name = 1;
  carrier.transport = Transport::kDatagram;
  carrier.begin = [](uint32_t, uint64_t, Peer& owner, const Request& request,
                     const Operation& operation, bool) {
    begins_at->Begin(1 - begins_as, PackPhysical(0, 0), owner, request,
                     operation, false);
  };
  carrier.drain = carrier.pause = carrier.forget = carrier.resume = [] {};
  SetCarrier(&carrier);
}

// Memory that the other end writes, and its events.
struct Inbox {
  alignas(8) std::array<char, kBytes> memory = {};
  ptl_handle_eq_t eq = PTL_EQ_NONE;
  ptl_pt_index_t pt = 0;
};

class QuietTest : public ::testing::Test {
 protected:
  static constexpr ptl_process_t kPeer = {.phys = {0, 1}};

  void SetUp() override { Start({}); }
  void TearDown() override {
    PtlFini();
    SetCarrier(nullptr);
  }

  void Start(const datagram::Faults& faults) {
    std::array<UniqueFd, 2> sockets;
    std::vector<ip::Address> addresses;
    for (UniqueFd& socket : sockets) {
      addresses.push_back(*ip::Address::Parse("127.0.0.1"));
      StatusOr<UniqueFd> opened = ip::OpenUdpSocket(addresses.back());
      ASSERT_TRUE(opened.ok());
      socket = *std::move(opened);
    }
    for (Rank rank = 0; rank < 2; ++rank) {
      datagram::JobSocket socket;
      socket.socket = std::move(sockets[rank]);
      socket.peers = addresses;
      socket.loopback = true;
      socket.max_datagram = 1472;
      socket.cipher = datagram::Seal::Best();
      ends_[rank] = new DatagramTransport(std::move(socket),
                                          {.me = rank,
                                           .silence_limit = kSilenceLimit,
                                           .has_left = {},
                                           .faults = faults});
      // They are never destroyed.
      static auto& kept = *new std::vector<DatagramTransport*>();
      kept.push_back(ends_[rank]);
    }
  }

  void Open() {
    InstallCarrier();
    ASSERT_EQ(PtlInit(), PTL_OK);
    ASSERT_EQ(PtlNIInit(PTL_IFACE_DEFAULT, PTL_NI_MATCHING | PTL_NI_PHYSICAL,
                        PTL_PID_ANY, nullptr, nullptr, &ni_),
              PTL_OK);
    for (Inbox& inbox : inboxes_) {
      ASSERT_EQ(PtlEQAlloc(ni_, 1024, &inbox.eq), PTL_OK);
      ASSERT_EQ(PtlPTAlloc(ni_, 0, inbox.eq, PTL_PT_ANY, &inbox.pt), PTL_OK);
      ptl_me_t me = {};
      me.start = inbox.memory.data();
      me.length = kBytes;
      me.ct_handle = PTL_CT_NONE;
      me.uid = PTL_UID_ANY;
      me.options = PTL_ME_OP_PUT | PTL_ME_EVENT_LINK_DISABLE;
      me.match_id.phys = {PTL_NID_ANY, PTL_PID_ANY};
      ptl_handle_me_t entry;
      ASSERT_EQ(
          PtlMEAppend(ni_, inbox.pt, &me, PTL_PRIORITY_LIST, nullptr, &entry),
          PTL_OK);
    }
    ASSERT_EQ(PtlEQAlloc(ni_, 1024, &failures_), PTL_OK);
    md_ = Md(PTL_MD_EVENT_SUCCESS_DISABLE | PTL_MD_UNORDERED);
  }

  ptl_handle_md_t Md(unsigned options) {
    const ptl_md_t md = {source_.data(), kBytes, options, failures_,
                         PTL_CT_NONE};
    ptl_handle_md_t handle = PTL_INVALID_HANDLE;
    EXPECT_EQ(PtlMDBind(ni_, &md, &handle), PTL_OK);
    return handle;
  }

  // From that rank to the other one.
  void Put(Rank from, ptl_pt_index_t pt, ptl_ack_req_t ack = PTL_ACK_REQ) {
    begins_at = ends_[from];
    begins_as = from;
    ASSERT_EQ(PtlPut(md_, 0, 8, ack, kPeer, pt, 0, 0, nullptr, 0), PTL_OK);
  }
  void Put(Rank from) { Put(from, inboxes_[1 - from].pt); }

  bool TakeEvent(ptl_handle_eq_t eq) { return PtlEQGet(eq, &event_) == PTL_OK; }
  // Until something that was put to a rank has come.
  void Receive(Rank at) {
    while (!TakeEvent(inboxes_[at].eq)) PollBoth();
  }

  // Until no operation is under way any more, as its descriptor shows.
  void PollUntilDone() {
    while (PtlMDRelease(md_) == PTL_IN_USE) PollBoth();
  }
  void PollBoth() {
    for (DatagramTransport* const end : ends_) end->Poll();
  }

  uint64_t PacketsOf(Rank rank) const {
    return ends_[rank]->statistics().packets_sent;
  }

  std::array<DatagramTransport*, 2> ends_ = {};
  std::array<Inbox, 2> inboxes_;
  std::array<char, kBytes> source_ = {};
  ptl_handle_ni_t ni_ = PTL_INVALID_HANDLE;
  ptl_handle_eq_t failures_ = PTL_EQ_NONE;
  ptl_handle_md_t md_ = PTL_INVALID_HANDLE;
  ptl_event_t event_;
};

TEST_F(QuietTest, ARoundTripIsTwoPackets) {
  constexpr uint64_t kRounds = 50;
  Open();
  for (uint64_t round = 0; round < kRounds; ++round) {
    Put(0);
    Receive(1);
    Put(1);
    Receive(0);
  }
  EXPECT_EQ(PacketsOf(0), kRounds);
  EXPECT_EQ(PacketsOf(1), kRounds);
  PollUntilDone();
  EXPECT_FALSE(TakeEvent(failures_));
}

TEST_F(QuietTest, AReceiptThatNothingTakesAlongLeavesByItself) {
  Open();
  Put(0);
  Receive(1);
  EXPECT_EQ(PtlMDRelease(md_), PTL_IN_USE);
  PollUntilDone();
  EXPECT_EQ(PacketsOf(1), 1u);
  EXPECT_FALSE(TakeEvent(failures_));
}

TEST_F(QuietTest, AFailureIsReported) {
  Open();
  constexpr ptl_pt_index_t kNothing = 200;
  Put(0);
  Put(0, kNothing);
  Put(0);
  Receive(1);
  Receive(1);
  PollUntilDone();
  ASSERT_TRUE(TakeEvent(failures_));
  EXPECT_EQ(event_.type, ptl_event_kind_t{PTL_EVENT_ACK});
  EXPECT_EQ(event_.ni_fail_type, ptl_ni_fail_t{PTL_NI_DROPPED});
  EXPECT_FALSE(TakeEvent(failures_));
}

TEST_F(QuietTest, ReceiptsThatAreAsManyAsMayWaitLeaveAtOnce) {
  Open();
  for (size_t i = 0; i < kMostReceipts; ++i) Put(0);
  for (size_t i = 0; i < kMostReceipts; ++i) Receive(1);
  EXPECT_GT(PacketsOf(1), 0u);
  PollUntilDone();
}

TEST_F(QuietTest, NothingHasArrivedWhileAReceiptIsOwed) {
  Open();
  Put(0);
  Receive(1);
  EXPECT_FALSE(ends_[1]->HasArrived());
  while (!ends_[1]->HasArrived()) PollBoth();
  EXPECT_EQ(PtlMDRelease(md_), PTL_OK);
}

TEST_F(QuietTest, TheEndOfAProcessSendsReceipts) {
  Open();
  Put(0);
  Receive(1);
  ends_[1]->Drain();
  while (PtlMDRelease(md_) == PTL_IN_USE) ends_[0]->Poll();
  EXPECT_FALSE(TakeEvent(failures_));
}

TEST_F(QuietTest, APutWhoseEndNobodyNoticesIsNotReceipted) {
  Open();
  ptl_handle_ct_t ct;
  ASSERT_EQ(PtlCTAlloc(ni_, &ct), PTL_OK);
  // It does not count acknowledgements.
  const ptl_md_t md = {source_.data(), kBytes, 0, PTL_EQ_NONE, ct};
  ASSERT_EQ(PtlMDBind(ni_, &md, &md_), PTL_OK);
  Put(0, inboxes_[1].pt, PTL_CT_ACK_REQ);
  EXPECT_EQ(PtlMDRelease(md_), PTL_OK);
  Receive(1);
}

// On a network that loses, repeats, and brings late.
class QuietOnABadNetworkTest : public QuietTest {
 protected:
  void SetUp() override {
    Start(*datagram::Faults::Parse("drop=20,duplicate=10,reorder=20,seed=3"));
  }
};

TEST_F(QuietOnABadNetworkTest, EachIsDoneOnce) {
  constexpr int kRounds = 300;
  Open();
  std::array<int, 2> arrived = {};
  const auto take = [&] {
    PollBoth();
    for (Rank rank = 0; rank < 2; ++rank) {
      while (TakeEvent(inboxes_[rank].eq)) ++arrived[rank];
    }
  };
  for (int round = 0; round < kRounds; ++round) {
    Put(0);
    Put(1);
    take();
  }
  while (arrived[0] < kRounds || arrived[1] < kRounds) take();
  PollUntilDone();
  take();
  EXPECT_EQ(arrived, (std::array<int, 2>{kRounds, kRounds}));
  EXPECT_FALSE(TakeEvent(failures_));
}

TEST_F(QuietOnABadNetworkTest, EachFailureIsReportedOnce) {
  constexpr int kRounds = 100;
  constexpr ptl_pt_index_t kNothing = 200;
  Open();
  for (int round = 0; round < kRounds; ++round) {
    Put(0);
    Put(0, kNothing);
    PollBoth();
  }
  PollUntilDone();
  int failures = 0;
  while (TakeEvent(failures_)) ++failures;
  EXPECT_EQ(failures, kRounds);
}

}  // namespace
}  // namespace gasnet::portals4
