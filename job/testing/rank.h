// For tests: sends messages on the control channel of a forked process that
// plays a rank but has no Job object.
#ifndef JOB_TESTING_RANK_H_
#define JOB_TESTING_RANK_H_

#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstdint>
#include <string_view>

#include "base/syscall.h"
#include "job/wire/handoff.h"
#include "job/wire/messages.h"
#include "job/wire/secret.h"

namespace gasnet::job {

inline void Write(const Handoff& handoff, std::string_view bytes) {
  if (!WriteFull(handoff.control, bytes.data(), bytes.size())) {
    _exit(EXIT_FAILURE);
  }
}

// Sends the HELLO of process `pid` as `rank`.
inline void SayHello(const Handoff& handoff, const Secret& secret,
                     uint32_t rank, pid_t pid) {
  Write(handoff, EncodeHello({.proof = secret.proof(),
                              .rank = rank,
                              .pid = static_cast<uint32_t>(pid),
                              .config = "PAR"}));
}

}  // namespace gasnet::job

#endif  // JOB_TESTING_RANK_H_
