// Messages that have arrived and are not handled yet.
//
// Handlers push messages on any thread; the driving thread of the node (node.h)
// pops them. Each message is in an Envelope. Envelopes come from a pool and
// return to it. The windows of the peers (window.h) limit the size of the pool.
// A payload of up to kInline bytes is in the envelope itself. A larger payload
// is in separate memory, which the envelope keeps for later messages.
#ifndef COLL_INBOX_H_
#define COLL_INBOX_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "coll/header.h"
#include "coll/tuning.h"
#include "core/am/copy.h"
#include "core/rank.h"
#include "core/thread/spin_lock.h"
#include "core/thread/word.h"

namespace gasnet::coll {

struct Envelope {
  Envelope* next = nullptr;
  Rank from = 0;  // rank in the job
  CollHeader header;
  size_t nbytes = 0;
  alignas(16) std::byte small[kInline];
  std::unique_ptr<std::byte[]> large;
  size_t room = 0;  // size of `large`

  const std::byte* payload() const {
    return nbytes <= kInline ? small : large.get();
  }
};

// A FIFO queue of envelopes. Used by one thread at a time.
class EnvelopeQueue {
 public:
  bool IsEmpty() const { return head_ == nullptr; }
  void Push(Envelope& envelope) {
    envelope.next = nullptr;
    *tail_ = &envelope;
    tail_ = &envelope.next;
  }
  Envelope* Pop() {
    Envelope* const first = head_;
    if (first == nullptr) return nullptr;
    head_ = first->next;
    if (head_ == nullptr) tail_ = &head_;
    return first;
  }
  EnvelopeQueue() = default;
  ~EnvelopeQueue() {
    while (Envelope* const envelope = Pop()) delete envelope;
  }
  EnvelopeQueue(const EnvelopeQueue&) = delete;
  EnvelopeQueue& operator=(const EnvelopeQueue&) = delete;

 private:
  Envelope* head_ = nullptr;
  Envelope** tail_ = &head_;
};

class Inbox {
 public:
  Inbox() = default;
  Inbox(const Inbox&) = delete;
  Inbox& operator=(const Inbox&) = delete;
  ~Inbox() {
    while (idle_ != nullptr) delete std::exchange(idle_, idle_->next);
  }

  // Adds a message. Called by handlers.
  void Push(Rank from, const CollHeader& header, const void* payload,
            size_t nbytes) {
    const thread::Holder lock(lock_);
    Envelope& envelope = Take();
    envelope.from = from;
    envelope.header = header;
    envelope.nbytes = nbytes;
    if (nbytes > 0) CopyIn(envelope, payload);
    arrived_.Push(envelope);
    thread::FetchAdd(count_, 1, std::memory_order_seq_cst);
  }

  // Returns true if there is a message. Acquires messages that Push released.
  // The load is sequentially consistent, as Push is. Suppose that one thread
  // stops driving and then calls HasMail, while another thread pushes a message
  // and then looks for a driver. Then either the first thread sees the message,
  // or the second thread sees that no thread drives (Collectives::KeepMoving,
  // Driving::End).
  bool HasMail() const { return count_.load(std::memory_order_seq_cst) != 0; }

  // Removes and returns the oldest message. Returns null if there is no
  // message. Driving thread only.
  Envelope* Pop() {
    if (!HasMail()) return nullptr;
    const thread::Holder lock(lock_);
    // Relaxed: only holders of the lock change the count.
    const uint32_t count = count_.load(std::memory_order_relaxed);
    count_.store(count - 1, std::memory_order_relaxed);
    return arrived_.Pop();
  }
  void Free(Envelope& envelope) {
    const thread::Holder lock(lock_);
    envelope.next = idle_;
    idle_ = &envelope;
  }

 private:
  Envelope& Take() ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_) {
    if (idle_ == nullptr) return *new Envelope;
    Envelope& envelope = *idle_;
    idle_ = envelope.next;
    return envelope;
  }
  static void CopyIn(Envelope& envelope, const void* payload) {
    if (envelope.nbytes <= kInline) {
      return am::CopyPayload(envelope.small, payload, envelope.nbytes);
    }
    if (envelope.room < envelope.nbytes) {
      envelope.large =
          std::make_unique_for_overwrite<std::byte[]>(envelope.nbytes);
      envelope.room = envelope.nbytes;
    }
    std::memcpy(envelope.large.get(), payload, envelope.nbytes);
  }

  thread::SpinLock lock_;
  EnvelopeQueue arrived_ ABSL_GUARDED_BY(lock_);
  Envelope* idle_ ABSL_GUARDED_BY(lock_) = nullptr;
  std::atomic<uint32_t> count_{0};
};

}  // namespace gasnet::coll

#endif  // COLL_INBOX_H_
