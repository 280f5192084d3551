// Checks of a reply. They come before any access to memory that the reply
// names.
#ifndef EXTENDED_REPLY_CHECK_H_
#define EXTENDED_REPLY_CHECK_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "core/am/message.h"
#include "core/thread/mode.h"
#include "extended/operation.h"
#include "extended/record_table.h"

namespace gasnet::extended {

// The name of a transfer on the wire. A name from a peer may have any value.
struct TransferId {
  uint32_t index;
  uint32_t generation;
};

// Both end the job with a message: the reply does not fit its request.
[[noreturn]] void RefuseReply(Rank source, TransferId id, const char* why);
[[noreturn]] void RefuseReplyLength(Rank source, TransferId id, size_t expected,
                                    size_t arrived);

namespace internal {

// Replaces the word if its value is `from`. Returns true if it was replaced.
inline bool Replace(std::atomic<uint32_t>& word, uint32_t from, uint32_t to) {
  if constexpr (thread::kConcurrent) {
    return word.compare_exchange_strong(from, to, std::memory_order_acquire,
                                        std::memory_order_relaxed);
  }
  if (word.load(std::memory_order_relaxed) != from) return false;
  word.store(to, std::memory_order_relaxed);
  return true;
}

inline Transfer& Find(Rank source, TransferId id) {
  Transfer* const transfer = RecordTable::Mine().FindTransfer(id.index);
  if (transfer == nullptr) [[unlikely]]
    RefuseReply(source, id, "there is no such operation");
  return *transfer;
}

// Checks a reply against the transfer that it answers. The transfer is in
// flight.
inline void CheckAnswer(const Transfer& transfer, Rank source, TransferId id,
                        Direction direction) {
  if (transfer.peer != source) [[unlikely]]
    RefuseReply(source, id, "another rank was asked");
  if (transfer.direction != direction) [[unlikely]]
    RefuseReply(source, id, "the operation goes the other way");
}

inline void CheckLength(const Transfer& transfer, Rank source, TransferId id,
                        size_t nbytes) {
  if (transfer.nbytes != nbytes) [[unlikely]]
    RefuseReplyLength(source, id, transfer.nbytes, nbytes);
}

[[noreturn]] inline void RefuseLate(Rank source, TransferId id) {
  RefuseReply(source, id, "that operation is not in flight");
}

}  // namespace internal

// Claims the transfer that a reply from source names, so that no other reply
// can claim it.
inline Transfer& Claim(Rank source, TransferId id, Direction direction) {
  Transfer& transfer = internal::Find(source, id);
  if (!internal::Replace(
          transfer.word, Transfer::Word(id.generation, Transfer::kInFlight),
          Transfer::Word(id.generation, Transfer::kClaimed))) [[unlikely]]
    internal::RefuseLate(source, id);
  internal::CheckAnswer(transfer, source, id, direction);
  return transfer;
}

// Claims a get, whole or in pieces, whose reply has nbytes of data.
inline Transfer& ClaimGet(Rank source, TransferId id, size_t nbytes,
                          Direction kind = Direction::kGet) {
  Transfer& transfer = Claim(source, id, kind);
  internal::CheckLength(transfer, source, id, nbytes);
  return transfer;
}

// Claims an atomic whose reply carries a value of 4 or 8 bytes.
inline Transfer& ClaimValue(Rank source, TransferId id, Direction kind) {
  Transfer& transfer = Claim(source, id, kind);
  const bool is_short = transfer.nbytes == sizeof(uint32_t);
  internal::CheckLength(transfer, source, id,
                        is_short ? sizeof(uint32_t) : sizeof(uint64_t));
  return transfer;
}

// Returns the get whose reply, with nbytes of data, begins to arrive. It does
// not claim the get, since the reply is incomplete.
inline const Transfer& ExpectGet(Rank source, TransferId id, size_t nbytes) {
  const Transfer& transfer = internal::Find(source, id);
  if (transfer.word.load(std::memory_order_acquire) !=
      Transfer::Word(id.generation, Transfer::kInFlight)) [[unlikely]]
    internal::RefuseLate(source, id);
  internal::CheckAnswer(transfer, source, id, Direction::kGet);
  internal::CheckLength(transfer, source, id, nbytes);
  return transfer;
}

}  // namespace gasnet::extended

#endif  // EXTENDED_REPLY_CHECK_H_
