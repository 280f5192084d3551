#include "bench/portals/peer.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "base/futex.h"

namespace gasnet::bench {

void Check(int code, const char* call) {
  if (code == PTL_OK) return;
  fprintf(stderr, "%s answered %d\n", call, code);
  _exit(1);
}

ptl_handle_ni_t OpenInterface(ptl_process_t* id) {
  ptl_handle_ni_t ni;
  PTL_CHECK(PtlInit());
  PTL_CHECK(PtlNIInit(PTL_IFACE_DEFAULT, PTL_NI_MATCHING | PTL_NI_PHYSICAL,
                      PTL_PID_ANY, nullptr, nullptr, &ni));
  PTL_CHECK(PtlGetPhysId(ni, id));
  return ni;
}

void AppendEntry(ptl_handle_ni_t ni, ptl_pt_index_t pt, void* start,
                 size_t length, unsigned options, ptl_handle_ct_t ct) {
  ptl_me_t me = {};
  me.start = start;
  me.length = length;
  me.ct_handle = ct;
  me.uid = PTL_UID_ANY;
  me.options = PTL_ME_OP_PUT | PTL_ME_EVENT_LINK_DISABLE | options;
  me.match_id.phys = {PTL_NID_ANY, PTL_PID_ANY};
  ptl_handle_me_t entry;
  PTL_CHECK(PtlMEAppend(ni, pt, &me, PTL_PRIORITY_LIST, nullptr, &entry));
}

namespace {

class Peer {
 public:
  Peer(Shared& shared, char* memory) : shared_(shared), memory_(memory) {
    ni_ = OpenInterface(&shared.peer);
    PTL_CHECK(PtlEQAlloc(ni_, 64, &pong_));
    PTL_CHECK(PtlEQAlloc(ni_, kPeerEvents, &flood_));
    const ptl_md_t md = {memory, kMappedBytes, PTL_MD_EVENT_SUCCESS_DISABLE,
                         PTL_EQ_NONE, PTL_CT_NONE};
    PTL_CHECK(PtlMDBind(ni_, &md, &md_));
    Open(kCounted, PTL_EQ_NONE, memory, 4096);
    Open(kPong, pong_, memory, 4096);
    Open(kFlood, flood_, memory, 4096);
    Allocate(kMapped, PTL_EQ_NONE);
    AppendEntry(ni_, kMapped, memory, kMappedBytes, PTL_ME_OP_GET, PTL_CT_NONE);
    own_.resize(kMappedBytes, 1);
    Open(kPrivate, PTL_EQ_NONE, own_.data(), own_.size());
    shared.private_memory = own_.data();
    for (int i = 0; i < kChain - 1; ++i) {
      const auto pt = kChained + static_cast<ptl_pt_index_t>(i);
      PTL_CHECK(PtlCTAlloc(ni_, &chain_[i]));
      Allocate(pt, PTL_EQ_NONE);
      AppendEntry(ni_, pt, memory, 4096, PTL_ME_EVENT_CT_COMM, chain_[i]);
    }
    shared.ready.store(1, std::memory_order_release);
  }

  void Serve() {
    for (;;) {
      const uint32_t begun = shared_.begun.load(std::memory_order_relaxed);
      while (shared_.issued.load(std::memory_order_acquire) == begun)
        FutexWait(shared_.issued, begun);
      shared_.begun.store(begun + 1, std::memory_order_release);
      const auto command =
          static_cast<Command>(shared_.command.load(std::memory_order_relaxed));
      if (command == Command::kEnd) _exit(0);
      Do(command, begun + 1);
      shared_.done.store(begun + 1, std::memory_order_release);
    }
  }

 private:
  void Allocate(ptl_pt_index_t pt, ptl_handle_eq_t eq) {
    ptl_pt_index_t got;
    PTL_CHECK(PtlPTAlloc(ni_, 0, eq, pt, &got));
  }
  void Open(ptl_pt_index_t pt, ptl_handle_eq_t eq, void* start, size_t length) {
    Allocate(pt, eq);
    AppendEntry(ni_, pt, start, length, 0, PTL_CT_NONE);
  }
  bool Superseded(uint32_t number) const {
    return shared_.issued.load(std::memory_order_relaxed) != number;
  }

  void Do(Command command, uint32_t number) {
    if (command == Command::kArm) return Arm();
    ptl_event_t event;
    uint64_t work = 1;
    while (!Superseded(number)) {
      if (command == Command::kSleep) {
        FutexWait(shared_.issued, number);
      } else if (command == Command::kCompute) {
        for (int i = 0; i < 1000; ++i) work = work * 6364136223846793005U + 1;
        memory_[kMappedBytes - 1] = static_cast<char>(work);
      } else if (command == Command::kAnswer) {
        if (PtlEQGet(pong_, &event) != PTL_OK) continue;
        PTL_CHECK(PtlPut(md_, 0, 8, PTL_NO_ACK_REQ, shared_.initiator,
                         kPongBack, 0, 0, nullptr, 0));
      } else {
        const int code = PtlEQGet(flood_, &event);
        if (code == PTL_EQ_EMPTY) continue;
        Check(code, "PtlEQGet of the flood");
        shared_.taken.store(shared_.taken.load(std::memory_order_relaxed) + 1,
                            std::memory_order_release);
      }
    }
  }

  // Arms kArmed rounds of the chain. In each round, every counter triggers the
  // next put. The last counter triggers a put to the initiator.
  void Arm() {
    for (ptl_size_t round = 1; round <= kArmed; ++round) {
      const ptl_size_t threshold = shared_.chain_from + round;
      for (int i = 0; i < kChain - 1; ++i) {
        const bool last = i == kChain - 2;
        const ptl_process_t to = last ? shared_.initiator : shared_.peer;
        const ptl_pt_index_t pt =
            last ? ptl_pt_index_t{kChainEnd}
                 : kChained + static_cast<ptl_pt_index_t>(i) + 1;
        PTL_CHECK(PtlTriggeredPut(md_, 0, 8, PTL_NO_ACK_REQ, to, pt, 0, 0,
                                  nullptr, 0, chain_[i], threshold));
      }
    }
  }

  Shared& shared_;
  char* const memory_;
  std::vector<char> own_;
  ptl_handle_ni_t ni_;
  ptl_handle_eq_t pong_;
  ptl_handle_eq_t flood_;
  ptl_handle_md_t md_;
  ptl_handle_ct_t chain_[kChain - 1];
};

}  // namespace

void RunPeer(Shared& shared, void* memory) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  Peer peer(shared, static_cast<char*>(memory));
  peer.Serve();
  _exit(1);
}

}  // namespace gasnet::bench
