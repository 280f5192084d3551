// An active message with a negotiated payload, between its Prepare and its
// Commit or Cancel. A thread prepares one at a time; its own thread alone
// touches it.
//
// The library's buffer is the thread's, and a Commit sends from there.
#ifndef EX_PREPARED_H_
#define EX_PREPARED_H_

#include <cstddef>
#include <cstdint>

#include "core/rank.h"
#include "gasnet/ex_types.h"

enum class gasneti_sd_kind : uint8_t {
  kRequestMedium,
  kRequestLong,
  kReplyMedium,
  kReplyLong,
};

struct gasneti_sd {
  gasneti_sd_kind kind;
  gasnet::Rank node = 0;        // requests
  gex_Token_t token = nullptr;  // replies
  void* payload = nullptr;
  size_t size = 0;                // bytes
  void* dest_addr = nullptr;      // Longs; null: Commit chooses it
  gex_Event_t* lc_opt = nullptr;  // null with the library's buffer
  unsigned num_args = 0;
};

#endif  // EX_PREPARED_H_
