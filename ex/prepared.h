// An active message with a negotiated payload, between its Prepare and its
// Commit or Cancel. A thread prepares one message at a time, and only this
// thread accesses it.
//
// If the link can send from its own memory (am::LinkPrepares), the library's
// buffer is there. Otherwise the buffer is memory of the thread, and the link
// borrows or copies it.
#ifndef EX_PREPARED_H_
#define EX_PREPARED_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/am/message.h"
#include "core/rank.h"
#include "core/thread/scratch.h"
#include "core/thread/thread_state.h"
#include "gasnet/ex_types.h"

enum class gasneti_sd_kind : uint8_t {
  kRequestMedium,
  kRequestLong,
  kReplyMedium,
  kReplyLong,
};

struct gasneti_sd {
  gasneti_sd_kind kind = gasneti_sd_kind::kRequestMedium;
  bool in_link = false;  // the payload is in the link's memory
  unsigned num_args = 0;
  gasnet::Rank node = 0;  // the target
  // Used by requests from or to an endpoint other than 0. endpoint: the index
  // of the target's endpoint. own: this process's endpoint; null for other
  // messages.
  gasnet::EndpointIndex endpoint = 0;
  gasneti_ep* own = nullptr;
  gex_Token_t token = nullptr;  // only for replies
  void* payload = nullptr;
  size_t size = 0;  // bytes of the payload
  // only for Longs; null if Commit chooses the address
  void* dest_addr = nullptr;
  gex_Event_t* lc_opt = nullptr;  // null if the buffer is the library's
  // the loan, if the payload is lent to the link
  gasnet::am::Loan* loan = nullptr;
};

namespace gasnet::ex {

// A thread's memory for the messages of one lane. The thread prepares these
// messages one after the other. The memory is passed on with the thread's
// record.
struct PreparedMessages {
  // The number of buffers for loans. It is so large that a link usually has
  // read a payload before the thread has used all other buffers (bench ex, over
  // udp).
  static constexpr size_t kLendable = 8;

  struct Buffer {
    am::Loan loan;
    thread::Scratch memory;
  };

  // Returns a buffer that no link reads. Returns null if there is none.
  Buffer* Lendable() {
    const auto found =
        std::find_if(lendable.begin(), lendable.end(),
                     [](const Buffer& buffer) { return buffer.loan.IsOver(); });
    return found == lendable.end() ? nullptr : &*found;
  }

  // Returns memory for a payload. Even an empty payload gets an address.
  static void* Room(thread::Scratch& memory, size_t nbytes) {
    return memory.AtLeast(std::max<size_t>(nbytes, 1));
  }

  gasneti_sd descriptor;
  std::array<Buffer, kLendable> lendable;
  thread::Scratch copied;  // for payloads that the link copies in Commit
};

// A thread's memory for prepared messages. Requests and replies have their own
// memory: the Commit of a request may run handlers that prepare replies.
struct PreparedMemory {
  PreparedMessages requests;
  PreparedMessages replies;

  static PreparedMemory& OfThread() {
    void*& memory = thread::Self().prepared_memory;
    if (memory == nullptr) memory = new PreparedMemory;
    return *static_cast<PreparedMemory*>(memory);
  }
};

// Resets the memory of all threads. Called when no network reads this memory
// any more: networks from before a restart of the job did not return their
// loans.
void ForgetPrepared();

}  // namespace gasnet::ex

#endif  // EX_PREPARED_H_
