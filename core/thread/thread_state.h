// The state of one client thread in GASNet.
//
// A record is created at a thread's first GASNet call. When the thread ends,
// the record is passed on to another thread that starts later. So there are
// never more records than threads that lived at once, and operations in flight
// keep a valid owner. Only the owning thread accesses the fields. A thread
// keeps its record until its thread_local objects are destroyed.
#ifndef CORE_THREAD_THREAD_STATE_H_
#define CORE_THREAD_THREAD_STATE_H_

#include <cstddef>
#include <cstdint>

#include "absl/functional/function_ref.h"
#include "base/failure.h"
#include "core/thread/mode.h"
#include "core/thread/rail_use.h"
#include "core/thread/scratch.h"

struct gasneti_hsl;

namespace gasnet::thread {

// The context of the thread's code, for the rules of spec 2.3.4, 2.4.1 and
// 2.4.3.
enum class Context : uint8_t {
  kClient,          // main-line client code
  kRequestHandler,  // may reply once
  kReplyHandler,    // may not communicate
};

inline constexpr uint32_t kNoImage = ~uint32_t{0};

// A message to the target that must follow the pieces of the thread's next put
// (vis/peer_completion.h).
struct PeerCompletion {
  uint8_t handler = 0;  // 0: there is no such message
  const void* source = nullptr;
  size_t nbytes = 0;
};

struct ThreadState {
  // numbered from 0 without gaps, unique among live threads
  uint32_t index = 0;
  Context context = Context::kClient;
  bool interrupts_held = false;
  // The progress functions that the thread is in, one bit for each
  // (am/progress.h).
  uint32_t in_progress = 0;
  // The lock that this thread acquired last. It links to the locks acquired
  // before (debug builds).
  gasneti_hsl* top_lock = nullptr;
  // The times at which the thread began to hold locks (locked_since) and
  // interrupts (held_since). Only in debug builds.
  int64_t locked_since = 0;
  int64_t held_since = 0;
  // Owned by the extended API: this thread's operations.
  void* operations = nullptr;
  // Owned by collectives: this thread's image of the rank.
  uint32_t image = kNoImage;
  // Memory for the payloads of Mediums to this rank itself, while their
  // handlers run. request_payload holds the payload of a request. reply_payload
  // holds the payload of the reply that the request's handler sends. One of
  // each suffices: the handler sends no other request.
  Scratch request_payload;
  Scratch reply_payload;
  // The stack on which the thread reports an overflow of its normal stack.
  CrashStack crash_stack;
  // Owned by GASNet-EX (ex/prepared.h). prepared: the message that this thread
  // prepares, or null. prepared_memory: the memory for prepared messages, once
  // the thread has prepared one.
  void* prepared = nullptr;
  void* prepared_memory = nullptr;
  // Owned by transfers in pieces.
  PeerCompletion peer_completion;
  // Owned by messages among the ranks of a host.
  RailUse rails;
  // Owned by statistics and traces (observe/seam.h). log: the log of all
  // threads that have had this record, or null. active_log: the address of the
  // current thread's variable that refers to the log, once the thread has
  // called GASNet.
  void* log = nullptr;
  void** active_log = nullptr;
};

// Calls `change` with the record of each thread, including records of threads
// that have ended. No thread may use its record during the call.
void ForEachState(absl::FunctionRef<void(ThreadState&)> change);

// Returns the maximum number of records: 1 under GASNET_SEQ, else 65535 or
// GASNET_MAX_THREADS. Meant for set-up, since it reads the environment.
uint32_t MaxThreads();

namespace internal {
// *active_log points here until a thread knows if it is observed.
extern char unresolved;

ThreadState* Discover();
#if defined(GASNET_SEQ)
extern ThreadState the_thread;
#else
extern constinit thread_local ThreadState* current;
#endif
}  // namespace internal

// Returns the calling thread's record. Ends the job with a message if there are
// more than MaxThreads() threads.
inline ThreadState& Self() {
#if defined(GASNET_SEQ)
  return internal::the_thread;
#else
  ThreadState* state = internal::current;
  return __builtin_expect(state != nullptr, 1) ? *state : *internal::Discover();
#endif
}

// Returns the calling thread's record, or null if the thread has none. Safe in
// signal handlers.
inline ThreadState* SelfIfAny() {
#if defined(GASNET_SEQ)
  return &internal::the_thread;
#else
  return internal::current;
#endif
}

}  // namespace gasnet::thread

#endif  // CORE_THREAD_THREAD_STATE_H_
