// A client that works like a message layer with bounded queues. Workers put
// packets into the queue of a peer. A separate thread polls and sends the
// packets, with GEX_FLAG_IMMEDIATE, with negotiated and fixed payloads. It
// calls back when a source is free or the peer has handled a message. The job
// is quiet once reductions show that all counts agree. Checks the contents of
// each message, and that it arrives once.
#include <gasnet_coll.h>
#include <sched.h>
#include <string.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "conformance/ex/ex_harness.h"

namespace conformance {
namespace {

enum { kShort = 200, kMedium, kLong, kHandled };

constexpr int kWorkers = 3;
constexpr int kPackets = 400;  // packets of each worker
constexpr size_t kQueued = 16;
constexpr size_t kSlot = 70000;  // bytes for a Long of one worker
// tries with GEX_FLAG_IMMEDIATE, before a send may wait
constexpr int kTries = 3;

// --- Counts ---

std::atomic<int64_t> sent{0}, handled{0}, answered{0}, freed{0};

// How often each packet has arrived, by sender and packet number.
std::vector<std::vector<std::atomic<int>>> seen;

void NoteArrival(gex_Token_t token, gex_AM_Arg_t number) {
  gex_Token_Info_t info;
  CHECK(gex_Token_Info(token, &info, GEX_TI_ALL) & GEX_TI_SRCRANK);
  CHECK(info.gex_ep == ep);
  CHECK_EQ(++seen[info.gex_srcrank][number], 1);
  ++handled;
}

// --- Handlers ---

void OnShort(gex_Token_t token, gex_AM_Arg_t number) {
  NoteArrival(token, number);
  CHECK_EQ(gex_AM_ReplyShort1(token, kHandled, 0, number), 0);
}
void OnMedium(gex_Token_t token, void* buffer, size_t bytes,
              gex_AM_Arg_t number, gex_AM_Arg_t wants_answer) {
  CHECK_PATTERN(buffer, bytes, static_cast<uint32_t>(number));
  NoteArrival(token, number);
  if (wants_answer == 0) return;
  CHECK_EQ(gex_AM_ReplyShort1(token, kHandled, 0, number), 0);
}
// Answers a Long. Once the sender has the answer, it may write to the slot
// again.
void OnLong(gex_Token_t token, void* buffer, size_t bytes,
            gex_AM_Arg_t number) {
  CHECK_PATTERN(buffer, bytes, static_cast<uint32_t>(number));
  NoteArrival(token, number);
  CHECK_EQ(gex_AM_ReplyShort1(token, kHandled, 0, number), 0);
}

// True for each packet that the peer has handled, by packet number.
std::vector<std::atomic<bool>> answers;
void OnHandled(gex_Token_t, gex_AM_Arg_t number) {
  answers[number] = true;
  ++answered;
}

// --- Packets ---

struct Packet {
  enum class Kind { kShort, kPrepared, kMedium, kLong } kind;
  gex_AM_Arg_t number;
  gex_AM_Arg_t wants_answer;
  char* place;  // destination of a Long
  std::unique_ptr<std::vector<char>> payload;
  gex_Event_t source = GEX_EVENT_INVALID;
};

gex_Flags_t Now(bool may_wait) { return may_wait ? 0 : GEX_FLAG_IMMEDIATE; }

bool SendPrepared(gex_Rank_t peer, Packet& packet, gex_Flags_t flags) {
  const size_t bytes = packet.payload->size();
  const gex_AM_SrcDesc_t sd = gex_AM_PrepareRequestMedium(
      tm, peer, nullptr, bytes, bytes, nullptr, flags, 2);
  if (sd == GEX_AM_SRCDESC_NO_OP) {
    CHECK(flags != 0);
    return false;
  }
  CHECK(gex_AM_SrcDescSize(sd) >= bytes);
  memcpy(gex_AM_SrcDescAddr(sd), packet.payload->data(), bytes);
  if (gex_AM_CommitRequestMedium_v2(sd, kMedium, bytes, flags, packet.number,
                                    packet.wants_answer) == 0) {
    return true;
  }
  CHECK_EQ(gex_AM_CancelRequestMedium(sd, 0), 0);
  return false;
}

// Sends a packet. Returns false if there is no room.
bool Send(gex_Rank_t peer, Packet& packet, gex_Flags_t flags) {
  std::vector<char>& payload = *packet.payload;
  switch (packet.kind) {
    case Packet::Kind::kShort:
      return gex_AM_RequestShort1(tm, peer, kShort, flags, packet.number) == 0;
    case Packet::Kind::kPrepared:
      return SendPrepared(peer, packet, flags);
    case Packet::Kind::kMedium:
      return gex_AM_RequestMedium2(tm, peer, kMedium, payload.data(),
                                   payload.size(), &packet.source, flags,
                                   packet.number, packet.wants_answer) == 0;
    case Packet::Kind::kLong:
      return gex_AM_RequestLong1(tm, peer, kLong, payload.data(),
                                 payload.size(), packet.place, &packet.source,
                                 flags, packet.number) == 0;
  }
  return false;
}

// --- The queue of a peer ---

class Queue {
 public:
  // Adds a packet. Returns false if the queue is full.
  bool Put(Packet&& packet) {
    const std::lock_guard lock(mutex_);
    if (packets_.size() == kQueued) return false;
    packets_.push_back(std::move(packet));
    return true;
  }
  // Takes the first packet. Only the poller takes packets. It keeps a packet
  // that it has no room to send, so the order of packets stays.
  bool Take(Packet& packet) {
    const std::lock_guard lock(mutex_);
    if (packets_.empty()) return false;
    packet = std::move(packets_.front());
    packets_.pop_front();
    return true;
  }

 private:
  std::mutex mutex_;
  std::deque<Packet> packets_;
};
std::vector<Queue> queues;

// --- The poller ---

class Poller {
 public:
  explicit Poller(gex_Rank_t peers) : waiting_(peers) {}

  void Turn() {
    CHECK_OK(gasnet_AMPoll());
    for (gex_Rank_t peer = 0; peer < waiting_.size(); ++peer) Flush(peer);
    CallBack();
    sched_yield();
  }
  bool IsIdle() const { return under_way_.empty(); }

 private:
  struct Waiting {
    Packet packet;
    int tries = 0;
    bool has_one = false;
  };

  void Flush(gex_Rank_t peer) {
    Waiting& waiting = waiting_[peer];
    if (!waiting.has_one) waiting.has_one = queues[peer].Take(waiting.packet);
    if (!waiting.has_one) return;
    const bool may_wait = waiting.tries >= kTries;
    if (!Send(peer, waiting.packet, Now(may_wait))) {
      CHECK(!may_wait);
      ++waiting.tries;
      return;
    }
    waiting.tries = 0;
    waiting.has_one = false;
    ++sent;
    under_way_.push_back(std::move(waiting.packet));
  }

  // Overwrites the source of each packet whose source is free.
  void CallBack() {
    const auto is_free = [](Packet& packet) {
      if (gex_Event_Test(packet.source) != 0) return false;
      memset(packet.payload->data(), 0xDD, packet.payload->size());
      ++freed;
      return true;
    };
    under_way_.erase(
        std::remove_if(under_way_.begin(), under_way_.end(), is_free),
        under_way_.end());
  }

  std::vector<Waiting> waiting_;
  std::vector<Packet> under_way_;
};

// --- Workers ---

Packet MakePacket(Random& random, gex_AM_Arg_t number, gex_Rank_t peer,
                  int worker) {
  Packet packet;
  packet.kind = static_cast<Packet::Kind>(random.Below(4));
  packet.number = number;
  packet.wants_answer = static_cast<gex_AM_Arg_t>(random.Below(2));
  packet.place = SegmentOf(peer) + (Me() * kWorkers + worker) * kSlot;
  const bool is_long = packet.kind == Packet::Kind::kLong;
  const size_t most =
      is_long ? std::min(kSlot, gex_AM_MaxRequestLong(tm, peer, nullptr, 0, 2))
              : gex_AM_MaxRequestMedium(tm, peer, nullptr, 0, 2);
  const size_t bytes =
      random.Below(random.Below(4) == 0 && most > 600 ? most + 1 : 600);
  packet.payload = std::make_unique<std::vector<char>>(bytes + 1);
  if (packet.payload->size() > most) packet.payload->resize(most);
  FillPattern(packet.payload->data(), packet.payload->size(),
              static_cast<uint32_t>(number));
  return packet;
}

void Work(int worker) {
  Random random(Me() * kWorkers + worker);
  for (int i = 0; i < kPackets; ++i) {
    const gex_AM_Arg_t number = worker * kPackets + i;
    const auto peer = static_cast<gex_Rank_t>(random.Below(Size()));
    Packet packet = MakePacket(random, number, peer, worker);
    const bool is_long = packet.kind == Packet::Kind::kLong;
    while (!queues[peer].Put(std::move(packet))) sched_yield();
    // Waits for the answer. Then the slot is free for another Long.
    while (is_long && !answers[number]) sched_yield();
  }
}

// Returns true if all processes together have handled as many messages as they
// have sent, and none was sent since the last call of IsQuiet.
bool IsQuiet(Poller& poller, int64_t* before) {
  int64_t counts[2] = {sent, handled};
  const gex_Event_t event = gex_Coll_ReduceToAllNB(
      tm, counts, counts, GEX_DT_I64, 8, 2, GEX_OP_ADD, nullptr, nullptr, 0);
  while (gex_Event_Test(event) != 0) poller.Turn();
  const bool is_same = counts[0] == *before;
  *before = counts[0];
  return is_same && counts[0] == counts[1];
}

std::atomic<int> working{kWorkers};

void Poll() {
  Poller poller(Size());
  while (working > 0) poller.Turn();
  int64_t before = -1;
  const int64_t total = int64_t{Size()} * kWorkers * kPackets;
  while (!IsQuiet(poller, &before) || before != total) poller.Turn();
  while (!poller.IsIdle()) poller.Turn();
}

gex_AM_Entry_t handlers[] = {
    EX_HANDLER(kShort, OnShort, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 1),
    EX_HANDLER(kMedium, OnMedium, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQUEST, 2),
    EX_HANDLER(kLong, OnLong, GEX_FLAG_AM_LONG | GEX_FLAG_AM_REQUEST, 1),
    EX_HANDLER(kHandled, OnHandled, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REPLY, 1),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  JoinEx(&argc, &argv, nullptr, 0);
  answers = std::vector<std::atomic<bool>>(kWorkers * kPackets);
  queues = std::vector<Queue>(Size());
  for (gex_Rank_t i = 0; i < Size(); ++i) {
    seen.emplace_back(kWorkers * kPackets);
  }
  CHECK_OK(gex_EP_RegisterHandlers(ep, handlers, COUNT_OF(handlers)));
  const size_t bytes = size_t{Size()} * kWorkers * kSlot;
  CHECK_OK(gex_Segment_Attach(
      &segment, conformance::tm,
      (bytes + GASNET_PAGESIZE) / GASNET_PAGESIZE * GASNET_PAGESIZE));
  FindSegments();
  RunThreads(kWorkers + 1, [](int thread) {
    if (thread == kWorkers) return Poll();
    Work(thread);
    --working;
  });
  CHECK_EQ(freed, kWorkers * kPackets);
  return FinishJob();
}
