// A test fixture with two ranks in one process. The fixture has both ends of
// the datagrams, but only one Portals interface. Operations begin at one end
// and are executed at the other end. A transport's thread runs only if a test
// starts it. Without that thread, an end receives and sends only when the test
// polls it.
#ifndef PORTALS_DATAGRAM_TWO_ENDS_H_
#define PORTALS_DATAGRAM_TWO_ENDS_H_

#include <gtest/gtest.h>
#include <portals4.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/unique_fd.h"
#include "core/datagram/faults.h"
#include "core/datagram/seal.h"
#include "core/ip/address.h"
#include "core/ip/socket.h"
#include "portals/api/given_job.h"
#include "portals/datagram/transport.h"
#include "portals/tuning.h"

namespace gasnet::portals4 {

class TwoEnds : public ::testing::Test {
 protected:
  static constexpr ptl_process_t kPeer = {.phys = {0, 1}};
  static constexpr ptl_size_t kBytes = 4096;

  // The memory of a rank, and an event queue. The other rank writes the memory.
  // The queue gets the events of these writes.
  struct Inbox {
    alignas(8) std::array<char, kBytes> memory = {};
    ptl_handle_eq_t eq = PTL_EQ_NONE;
    ptl_pt_index_t pt = 0;
  };

  void SetUp() override { Start({}); }
  void TearDown() override {
    PtlFini();
    SetJob(nullptr);
    on_poll_ = on_sleep_ = nullptr;
  }

  void Start(const datagram::Faults& faults) {
    std::array<UniqueFd, 2> sockets;
    for (UniqueFd& socket : sockets) {
      addresses_.push_back(*ip::Address::Parse("127.0.0.1"));
      absl::StatusOr<UniqueFd> opened = ip::OpenUdpSocket(addresses_.back());
      ASSERT_TRUE(opened.ok());
      socket = *std::move(opened);
    }
    for (Rank rank = 0; rank < 2; ++rank) {
      datagram::JobSocket socket;
      socket.socket = std::move(sockets[rank]);
      socket.peers = addresses_;
      socket.loopback = true;
      socket.max_datagram = 1472;
      socket.cipher = datagram::Seal::Best();
      ends_[rank] = new DatagramTransport(std::move(socket),
                                          {.me = rank,
                                           .silence_limit = kSilenceLimit,
                                           .has_left = {},
                                           .faults = faults});
      // Transports are never destroyed: their threads may still run.
      static auto& kept = *new std::vector<DatagramTransport*>();
      kept.push_back(ends_[rank]);
    }
  }

  void StartThread(Rank rank) {
    Started().push_back(ends_[rank]);
    ASSERT_TRUE(ends_[rank]->Start().ok());
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

  // Puts from rank `from` to the other rank.
  void Put(Rank from, ptl_pt_index_t pt, ptl_ack_req_t ack = PTL_ACK_REQ) {
    begins_at_ = ends_[from];
    begins_as_ = from;
    ASSERT_EQ(PtlPut(md_, 0, 8, ack, kPeer, pt, 0, 0, nullptr, 0), PTL_OK);
  }
  void Put(Rank from) { Put(from, inboxes_[1 - from].pt); }

  bool TakeEvent(ptl_handle_eq_t eq) { return PtlEQGet(eq, &event_) == PTL_OK; }
  // Polls until a message for rank `at` has arrived.
  void Receive(Rank at) {
    while (!TakeEvent(inboxes_[at].eq)) PollBoth();
  }

  // Polls until no operation is under way and the descriptor is released.
  void PollUntilDone() {
    while (PtlMDRelease(md_) == PTL_IN_USE) PollBoth();
  }
  void PollBoth() {
    for (DatagramTransport* const end : ends_) end->Poll();
  }

  uint64_t PacketsOf(Rank rank) const {
    return ends_[rank]->statistics().packets_sent;
  }

  // Carries operations between the two ends. The process regards its interface
  // as rank 0's. The transports regard it as the interface of both ranks.
  class EndsCarrier final : public Carrier {
   public:
    void Begin(uint32_t, uint64_t, PeerInterface& owner,
               const InitiatorRequest& request,
               const PortalsOperation& operation, bool) override {
      if (on_begin_) on_begin_();
      begins_at_->Begin(1 - begins_as_, PackPhysical(0, 0), owner, request,
                        operation, false);
    }
    bool Poll() override {
      if (!on_poll_) return false;
      on_poll_();
      return true;
    }
    void LeaveToOthers() override {
      if (on_sleep_) on_sleep_();
    }
    void Drain() override {}
    void Pause() override {
      for (DatagramTransport* const end : Started()) end->Pause();
    }
    void Forget() override {
      for (DatagramTransport* const end : Started()) end->Forget();
    }
    void Resume() override {
      for (DatagramTransport* const end : Started()) end->Resume();
    }
  };

  static void InstallCarrier() {
    static EndsCarrier carrier;
    static GivenJob job;
    job.host_of = {0, 0};
    // Tests run side by side, so each test needs a job of its own.
    job.name = static_cast<uint64_t>(getpid());
    job.transport = Transport::kDatagram;
    job.carrier = &carrier;
    SetJob(&job);
  }

  // Returns the ends with running threads, including those of earlier tests.
  static std::vector<DatagramTransport*>& Started() {
    static auto& started = *new std::vector<DatagramTransport*>();
    return started;
  }

  // The test's calls begin operations at the end `begins_at_`. The rank of this
  // end is `begins_as_`.
  static inline DatagramTransport* begins_at_ = nullptr;
  static inline uint32_t begins_as_ = 0;
  // Called before each operation, by the thread that begins it.
  static inline std::function<void()> on_begin_;
  // Called when the program polls or sleeps in Portals. Empty if the test
  // itself polls.
  static inline std::function<void()> on_poll_;
  static inline std::function<void()> on_sleep_;

  std::array<DatagramTransport*, 2> ends_ = {};
  std::vector<ip::Address> addresses_;
  std::array<Inbox, 2> inboxes_;
  std::array<char, kBytes> source_ = {};
  ptl_handle_ni_t ni_ = PTL_INVALID_HANDLE;
  ptl_handle_eq_t failures_ = PTL_EQ_NONE;
  ptl_handle_md_t md_ = PTL_INVALID_HANDLE;
  ptl_event_t event_;
};

}  // namespace gasnet::portals4

#endif  // PORTALS_DATAGRAM_TWO_ENDS_H_
