#include "core/rma/testing/fake_rma.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <numeric>
#include <utility>

#include "base/log.h"
#include "core/rma/testing/perform_atomic.h"

namespace gasnet::rma::testing {

FakeRma::FakeRma(const Options& options)
    : options_(options),
      random_(options.seed),
      descriptors_(options.descriptors),
      order_(options.descriptors) {
  std::iota(order_.begin(), order_.end(), size_t{0});
  for (Descriptor& each : descriptors_) {
    each.staging.resize(options.most_bytes);
  }
}

void FakeRma::SetSegments(Rank me, std::span<const MappedSegment> peers) {
  const std::lock_guard lock(lock_);
  me_ = me;
  peers_ = peers;
}

bool FakeRma::Reaches(Rank peer) const {
  return peer < peers_.size() && peers_[peer].size > 0;
}

bool FakeRma::NeedsPolls() const {
  const std::lock_guard lock(lock_);
  return under_way_ > 0 || refused_;
}

void FakeRma::Seed(uint64_t seed) {
  const std::lock_guard lock(lock_);
  random_.seed(seed);
}

FakeRma::Counts FakeRma::counts() const {
  const std::lock_guard lock(lock_);
  return counts_;
}

// Returns a random number below `n`; returns 0 if `n` is 0.
unsigned FakeRma::Below(unsigned n) {
  return static_cast<unsigned>(random_() % std::max(n, 1u));
}

std::byte* FakeRma::Remote(Rank peer, const void* address) const {
  const MappedSegment& segment = peers_[peer];
  return reinterpret_cast<std::byte*>(segment.map) +
         (reinterpret_cast<uintptr_t>(address) - segment.base);
}

bool FakeRma::IsRegistered(const void* address, size_t nbytes) const {
  const MappedSegment& mine = peers_[me_];
  return Segment{mine.base, mine.size}.Contains(address, nbytes);
}

FakeRma::Descriptor* FakeRma::Idle() {
  const auto idle =
      std::find_if(descriptors_.begin(), descriptors_.end(),
                   [](const Descriptor& d) { return d.step == Step::kIdle; });
  return idle == descriptors_.end() || Hits(options_.refuse) ? nullptr : &*idle;
}

Posted FakeRma::Refuse() {
  ++counts_.refused;
  refused_ = true;
  return {};
}

// Returns the number of bytes that a post accepts: all that there is room for,
// or at random half of them.
size_t FakeRma::PartOf(size_t nbytes, size_t most) {
  const size_t room = std::min(nbytes, most);
  return room > options_.inject_bytes && Below(4) == 0 ? room / 2 : room;
}

Posted FakeRma::Post(const Put& put) {
  const std::lock_guard lock(lock_);
  Descriptor* const idle = Idle();
  if (idle == nullptr) return Refuse();
  const bool injected = put.nbytes <= options_.inject_bytes;
  const bool bounced = Bounces(put.src, put.nbytes);
  if (!HasRoom(bounced)) return Refuse();
  idle->kind = TransferKind::kPut;
  idle->peer = put.peer;
  idle->from = static_cast<const std::byte*>(put.src);
  idle->to = Remote(put.peer, put.dest);
  idle->nbytes = PartOf(put.nbytes, MostOf(bounced));
  if (injected && Hits(options_.done)) {
    observe::TransferObservation at_once;
    at_once.Post(TransferKind::kPut, put.peer, put.nbytes);
    std::memcpy(idle->to, put.src, put.nbytes);
    at_once.Complete();
    refused_ = false;
    ++counts_.done;
    return {PostState::kDone, put.nbytes};
  }
  idle->sources = put.sources;
  idle->bounced = bounced;
  if (bounced) ++bounces_used_;
  counts_.bounced += bounced;
  counts_.injected += injected;
  idle->step = Step::kRead;
  if (injected || bounced) {
    idle->sources = nullptr;
    Read(*idle);
  } else if (idle->sources != nullptr) {
    idle->sources->Begin();
  }
  return Start(*idle, put.complete, put.nbytes);
}

Posted FakeRma::Post(const Get& get) {
  const std::lock_guard lock(lock_);
  Descriptor* const idle = Idle();
  if (idle == nullptr) return Refuse();
  const bool bounced = Bounces(get.dest, get.nbytes);
  if (!HasRoom(bounced)) return Refuse();
  idle->kind = TransferKind::kGet;
  idle->peer = get.peer;
  idle->from = Remote(get.peer, get.src);
  idle->to = static_cast<std::byte*>(get.dest);
  idle->nbytes = PartOf(get.nbytes, MostOf(bounced));
  idle->sources = nullptr;
  idle->bounced = bounced;
  if (bounced) ++bounces_used_;
  counts_.bounced += bounced;
  idle->step = Step::kRead;
  // Fills the destination with garbage, so that a test notices a client that
  // reads too early.
  std::memset(get.dest, 0xdb, idle->nbytes);
  return Start(*idle, get.complete, get.nbytes);
}

PostState FakeRma::PostAtomic(const Atomic& atomic) {
  const std::lock_guard lock(lock_);
  Descriptor* const idle = Idle();
  if (idle == nullptr) return Refuse().state;
  idle->kind =
      atomic.result != nullptr ? TransferKind::kGet : TransferKind::kPut;
  idle->peer = atomic.peer;
  idle->nbytes = SizeOf(atomic.type);
  idle->to = Remote(atomic.peer, atomic.target);
  if (Hits(options_.done)) {
    observe::TransferObservation at_once;
    at_once.Post(idle->kind, atomic.peer, idle->nbytes);
    StoreResult(atomic, PerformAtomic(atomic, idle->to));
    at_once.Complete();
    refused_ = false;
    ++counts_.done;
    return PostState::kDone;
  }
  idle->sources = nullptr;
  idle->bounced = false;
  idle->atomic = atomic;
  idle->step = Step::kPerform;
  if (atomic.result != nullptr) std::memset(atomic.result, 0xdb, idle->nbytes);
  return Start(*idle, atomic.complete, idle->nbytes).state;
}

void FakeRma::StoreResult(const Atomic& atomic, uint64_t old) {
  if (atomic.result == nullptr) return;
  if (SizeOf(atomic.type) == sizeof(uint32_t)) {
    const auto low = static_cast<uint32_t>(old);
    std::memcpy(atomic.result, &low, sizeof low);
  } else {
    std::memcpy(atomic.result, &old, sizeof old);
  }
}

Posted FakeRma::Start(Descriptor& descriptor, PendingCount* complete,
                      size_t offered) {
  descriptor.due = Below(options_.late);
  descriptor.fails = ++counts_.posted == options_.fail;
  descriptor.completion.Begin(complete, descriptor.kind, descriptor.peer,
                              descriptor.nbytes);
  ++under_way_;
  refused_ = false;
  counts_.cut += descriptor.nbytes < offered;
  return {PostState::kPosted, descriptor.nbytes};
}

void FakeRma::Read(Descriptor& descriptor) {
  std::memcpy(descriptor.staging.data(), descriptor.from, descriptor.nbytes);
  descriptor.step = Step::kWriteFirst;
  if (descriptor.sources == nullptr) return;
  ++ended_;
  descriptor.sources->End();
}

bool FakeRma::Moves(Descriptor& descriptor) {
  if (descriptor.step == Step::kIdle) return false;
  if (descriptor.due == 0) return true;
  --descriptor.due;
  return Below(4) == 0;
}

void FakeRma::Advance(Descriptor& descriptor) {
  const size_t half = descriptor.nbytes / 2;
  descriptor.due = Below(options_.late);
  switch (descriptor.step) {
    case Step::kIdle:
      return;
    case Step::kPerform:
      descriptor.old = PerformAtomic(descriptor.atomic, descriptor.to);
      descriptor.step = Step::kComplete;
      return;
    case Step::kRead:
      return Read(descriptor);
    case Step::kWriteFirst:
      std::memcpy(descriptor.to + half, descriptor.staging.data() + half,
                  descriptor.nbytes - half);
      descriptor.step = Step::kWriteRest;
      return;
    case Step::kWriteRest:
      std::memcpy(descriptor.to, descriptor.staging.data(), half);
      descriptor.step = Step::kComplete;
      return;
    case Step::kComplete:
      if (descriptor.fails) Fail(descriptor);
      StoreResult(std::exchange(descriptor.atomic, {}), descriptor.old);
      descriptor.step = Step::kIdle;
      if (descriptor.bounced) --bounces_used_;
      --under_way_;
      ++ended_;
      descriptor.completion.End();
  }
}

unsigned FakeRma::Poll() {
  const std::unique_lock lock(lock_, std::try_to_lock);
  if (!lock.owns_lock() || under_way_ == 0) return 0;
  ended_ = 0;
  std::shuffle(order_.begin(), order_.end(), random_);
  const bool bulk = options_.in_bulk == 0 || Hits(options_.in_bulk);
  for (const size_t i : order_) {
    Descriptor& each = descriptors_[i];
    // Each poll advances transfers. But only a poll that reports in bulk
    // reports completions.
    if (Moves(each) && (bulk || each.step != Step::kComplete)) Advance(each);
  }
  return ended_;
}

void FakeRma::Fail(const Descriptor& descriptor) const {
  Fatal("a %s of %zu bytes, rank %u, failed: the fake network was told to",
        descriptor.kind == TransferKind::kPut ? "put" : "get",
        descriptor.nbytes, descriptor.peer);
}

}  // namespace gasnet::rma::testing
