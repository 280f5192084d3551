#include "portals/datagram/transport.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>

#include <algorithm>
#include <span>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "base/clock.h"
#include "core/datagram/faulty_port.h"
#include "core/datagram/packet_pool.h"
#include "core/datagram/path_size.h"
#include "core/datagram/tuning.h"
#include "core/ip/socket.h"
#include "portals/engine/due.h"
#include "portals/tuning.h"

namespace gasnet::portals4 {
namespace {

using datagram::kHeaderBytes;
using datagram::MutableBytes;

// Returns the CPU-time clock of this thread.
clockid_t OwnClock() {
  thread_local clockid_t own = 0;
  if (own == 0) pthread_getcpuclockid(pthread_self(), &own);
  return own;
}

// Returns the minimum numbers of packets. Each lane always has this number of
// packets, however many packets the other lane uses.
datagram::PacketPool::Counts LeastBuffers(const datagram::PathSizes&) {
  return {.small = kMinPackets, .large = kMinPackets};
}

std::span<const std::byte> ContentsOf(
    const datagram::ReceivedDatagram& arrival) {
  return arrival.packet.subspan(kHeaderBytes);
}

}  // namespace

datagram::ChannelOptions DatagramTransport::ChannelOptionsOf(
    const datagram::JobSocket& socket, const Options& options) {
  datagram::ChannelOptions channel;
  channel.me = options.me;
  channel.ranks = static_cast<uint32_t>(socket.peers.size());
  channel.sure_datagram = socket.sure_datagram();
  // Uses half of the buffer, because Linux counts its own bookkeeping against
  // the buffer too.
  channel.receive_window_bytes = ip::ReceiveBuffer(port_.fd()) / 2;
  channel.timing.silence_limit = options.silence_limit;
  channel.on_silent = [this](Rank rank, int64_t)
                          ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_) {
                            if (std::exchange(lost_[rank], 1) == 0)
                              dying_.push_back(rank);
                          };
  channel.has_left = [this](Rank rank) ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_) {
    if (lost_[rank] != 0) return true;
    if (!has_left_ || !has_left_(rank)) return false;
    // A rank that has left still acknowledges packets while it waits for
    // something. Hurry() stops the growth of timeouts. So this process tries
    // many times before the rank's silence counts as its end.
    datagram::Channel& its = driver_.channels().To(rank);
    its.round_trip.Hurry();
    const int64_t now = NowNanos();
    if (left_at_[rank] == 0) left_at_[rank] = now;
    if (its.silent_since == 0) return false;
    if (now - std::max(its.silent_since, left_at_[rank]) < kGoneAfter) {
      return false;
    }
    channel_options_.on_silent(rank, 0);
    return true;
  };
  return channel;
}

DatagramTransport::DatagramTransport(datagram::JobSocket socket,
                                     const Options& options)
    : ask_interval_(std::min(options.silence_limit / 4, kAskInterval)),
      has_left_(options.has_left),
      port_(std::move(socket.socket), socket.peers,
            {.max_datagram = socket.max_datagram,
             .offload = !socket.loopback,
             .loopback = socket.loopback}),
      faulty_(datagram::FaultyPort::Before(port_, options.faults, options.me)),
      lost_(socket.peers.size()),
      left_at_(socket.peers.size()),
      channel_options_(ChannelOptionsOf(socket, options)),
      driver_(faulty_ != nullptr ? *faulty_ : port_, channel_options_,
              socket.MakeSeal(), &LeastBuffers),
      out_(driver_, static_cast<uint32_t>(socket.peers.size())),
      initiator_(out_, static_cast<uint32_t>(socket.peers.size())),
      target_(out_, options.nid, static_cast<uint32_t>(socket.peers.size())) {}

void DatagramTransport::Begin(Rank rank, uint64_t physical,
                              PeerInterface& owner,
                              const InitiatorRequest& request,
                              const PortalsOperation& operation, bool waits) {
  uint64_t number = 0;
  const auto is_in_the_way = [&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_) {
    const bool is_volatile = request.put_md != nullptr &&
                             (request.put_md->options & PTL_MD_VOLATILE) != 0;
    return initiator_.IsCrowded(rank) ||
           (is_volatile && initiator_.IsQueued(number));
  };
  lock_.Lock();
  if (lost_[rank] != 0) {
    Outcome outcome;
    outcome.fail = PTL_NI_UNDELIVERABLE;
    if (request.put_md != nullptr) ReportSent(owner, request, operation.length);
    ReportDone(owner, request, outcome);
    lock_.Unlock();
    return;
  }
  number = initiator_.Begin(rank, physical, owner, request, operation);
  expects_.store(true, std::memory_order_relaxed);
  while (waits && is_in_the_way()) {
    lock_.Unlock();
    Poll();
    sched_yield();
    lock_.Lock();
  }
  lock_.Unlock();
  Wake();
}

bool DatagramTransport::Poll() {
  // If another thread holds the lock, that thread polls already.
  if (!lock_.TryLock()) return true;
  polls_.store(polls_.load(std::memory_order_relaxed) + 1,
               std::memory_order_relaxed);
  poller_.store(OwnClock(), std::memory_order_relaxed);
  Receive();
  lock_.Unlock();
  Wake();
  if (AnythingDue()) RunDueTriggers();
  return true;
}

void DatagramTransport::Receive() {
  // Sends overdue receipts before receiving. This excludes receipts of
  // operations that this poll brings, because the program has not had time to
  // answer these operations.
  if (const int64_t due = out_.receipts_due();
      due != kNever && due <= NowNanos()) {
    out_.SendReceipts();
  }
  if (datagram::Batch* const batch = driver_.Receive(false)) {
    const auto datagrams = batch->datagrams();
    for (const MutableBytes datagram : datagrams) {
      Take(datagram, datagrams.size() == 1);
    }
    driver_.Release(batch);
  }
  initiator_.PumpAll();
  target_.PumpAll();
  driver_.EndPoll(false);
  // Serves timers only if timers are set, because serving them reads the clock.
  const bool has_timers = driver_.NextDeadline() != kNever;
  if (has_timers) driver_.ServeTimers();
  if (!dying_.empty()) [[unlikely]]
    BuryLost();
  if (expects_.load(std::memory_order_relaxed)) {
    AskSilent(has_timers ? driver_.now() : NowNanos());
  }
}

void DatagramTransport::Take(MutableBytes datagram, bool alone) {
  const datagram::ReceivedDatagram arrival = driver_.Accept(datagram);
  if (arrival.channel == nullptr) return;
  const Rank source = arrival.header.source;
  const bool is_request = arrival.header.lane == Lane::kRequest;
  const bool takes =
      !arrival.packet.empty() && lost_[source] == 0 &&
      (is_request ? MayTakeRequests(arrival) : MayTakeAnswers(arrival));
  if (takes) driver_.packets().Register(arrival, driver_.now());
  driver_.Taken(arrival, alone);
  if (takes && is_request) {
    TakeRecords<OperationRecord>(arrival,
                                 [&](const OperationRecord& record)
                                     ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_) {
                                       target_.Take(source, record);
                                     });
    if (target_.Awaits(source)) expects_.store(true, std::memory_order_relaxed);
  } else if (takes) {
    TakeRecords<AnswerRecord>(
        arrival, [&](const AnswerRecord& record) ABSL_EXCLUSIVE_LOCKS_REQUIRED(
                     lock_) { initiator_.Take(source, record); });
  }
  if (arrival.joined != nullptr) [[unlikely]]
    driver_.packets().Release(arrival.joined, arrival.header.lane);
}

// Passes the records of a packet to `use`, and the packet's receipts to the
// initiator.
template <class Record, class Use>
void DatagramTransport::TakeRecords(const datagram::ReceivedDatagram& arrival,
                                    Use use) {
  TransportRecordReader reader(ContentsOf(arrival));
  for (Record record;;) {
    switch (reader.Next(record)) {
      case TransportRecordReader::Result::kRecord:
        use(record);
        break;
      case TransportRecordReader::Result::kReceipt:
        initiator_.Take(arrival.header.source, reader.receipt());
        break;
      default:
        return;
    }
  }
}

bool DatagramTransport::MayTakeRequests(
    const datagram::ReceivedDatagram& arrival) {
  const bool is_next = arrival.channel->lane(Lane::kRequest)
                           .receive.IsNext(arrival.header.sequence);
  switch (target_.Judge(arrival.header.source, ContentsOf(arrival), is_next)) {
    case DatagramTarget::Verdict::kTake:
      return true;
    case DatagramTarget::Verdict::kNotNow:
      driver_.statistics().Count(datagram::Drop::kNoRoom);
      return false;
    default:
      driver_.statistics().Count(datagram::Drop::kMalformed);
      return false;
  }
}

bool DatagramTransport::MayTakeAnswers(
    const datagram::ReceivedDatagram& arrival) {
  TransportRecordReader reader(ContentsOf(arrival));
  for (AnswerRecord record;;) {
    switch (reader.Next(record)) {
      case TransportRecordReader::Result::kRecord:
      case TransportRecordReader::Result::kReceipt:
        break;
      case TransportRecordReader::Result::kEnd:
        return true;
      default:
        driver_.statistics().Count(datagram::Drop::kMalformed);
        return false;
    }
  }
}

void DatagramTransport::BuryLost() {
  for (const Rank rank : std::exchange(dying_, {})) {
    initiator_.Lose(rank);
    target_.Lose(rank);
    out_.ForgetReceipts(rank);
  }
}

// Sends a word to each rank from which something is expected and to which
// nothing is in flight. The rank needs only to acknowledge the word. A rank
// that does not acknowledge the word counts as silent.
void DatagramTransport::AskSilent(int64_t now) {
  if (now - asked_at_ < ask_interval_) return;
  asked_at_ = now;
  bool expects = !initiator_.Idle() || !target_.Idle();
  for (Rank rank = 0; rank < lost_.size(); ++rank) {
    if (initiator_.PendingOn(rank) == 0 && !target_.Awaits(rank)) continue;
    expects = true;
    if (!driver_.channels().To(rank).lane(Lane::kRequest).send.Empty()) {
      continue;
    }
    const ReservedRecord place =
        out_.Reserve(rank, Lane::kRequest, kWordBytes, datagram::kMaxUnsent);
    if (!place) continue;
    EncodeWord(place.at());
    out_.Send(rank, Lane::kRequest, place, kWordBytes);
  }
  expects_.store(expects, std::memory_order_relaxed);
}

bool DatagramTransport::IsDone() {
  const absl::MutexLock lock(&lock_);
  out_.SendReceipts();
  return initiator_.Idle() && target_.Idle() && HasNothingToSend();
}

bool DatagramTransport::HasArrived() {
  if (!lock_.TryLock()) return false;
  const bool has = initiator_.IsAllSent() && HasNothingToSend();
  lock_.Unlock();
  return has;
}

// Returns true if nothing is in flight and this process owes no receipt or
// acknowledgement. If the process ended while it owed one, a peer would
// retransmit packets in vain.
bool DatagramTransport::HasNothingToSend() {
  return driver_.Quiet() && out_.receipts_due() == kNever;
}

void DatagramTransport::Drain() {
  const int64_t deadline = NowNanos() + kDrainLimit;
  const timespec moment = ToTimespec(kDrainInterval);
  while (!IsDone() && NowNanos() < deadline) {
    Poll();
    nanosleep(&moment, nullptr);
  }
  // IsDone may have sent packets that need retransmission. Wakes the
  // transport's thread for them.
  Wake();
}

void DatagramTransport::Pause() {
  pausing_.fetch_add(1, std::memory_order_relaxed);
  running_.Lock();
  pausing_.fetch_sub(1, std::memory_order_relaxed);
  lock_.Lock();
}

void DatagramTransport::Forget() {
  initiator_.Forget();
  target_.Forget();
}

void DatagramTransport::Resume() {
  lock_.Unlock();
  running_.Unlock();
}

}  // namespace gasnet::portals4
