// A thread of the library that runs the handlers of messages to a rank whose
// client computes (GASNET_PROGRESS_THREAD, only in GASNET_PAR).
//
// To the layers below it is another client thread in a wait: it arms the
// doorbell, polls, and sleeps on the link until a message comes. While the
// client's threads serve the network, it naps instead and touches nothing
// (handler_pace.h).
//
//     made --Start--> running --EndThreads--> ended
//
// It detects other threads that serve in two ways. Each wait and each poll of a
// client runs progress functions. The one of this layer, the witness, records
// that it was run, and makes itself idle, so it costs other threads one call
// for each nap. A thread that only sends serves arrived messages before each
// request, and runs no progress function: the link counts its polls. Neither is
// exact, nor has to be: a nap too many delays a message by that nap, and one
// too few costs a sender a system call.
//
// The thread serves endpoint 0, for which it is woken. Messages of GASNet-EX's
// further endpoints all use it (ex/further_messages.h). It looks at other
// endpoints once in network::kGlance, as any thread that waits in endpoint 0.
#ifndef CORE_RUNTIME_HANDLER_THREAD_H_
#define CORE_RUNTIME_HANDLER_THREAD_H_

#include <atomic>
#include <cstdint>

#include "base/clock.h"
#include "core/am/progress.h"
#include "core/runtime/endpoint.h"
#include "core/runtime/handler_pace.h"
#include "core/runtime/layer.h"
#include "core/thread/library_thread.h"
#include "core/thread/thread_state.h"

namespace gasnet {

class HandlerThread final : public Layer {
 public:
  static constexpr LayerName kName = LayerName::kHandlerThread;

  // engine: endpoint 0's. wanted: if false, there is no thread.
  HandlerThread(Engine& engine, bool wanted);
  ~HandlerThread() override { EndThreads(kNever); }

  // Called once client threads may poll. Handlers run from here on. Fatal if
  // the thread cannot be created.
  void Start();
  void EndThreads(int64_t patience) override;

 private:
  using Round = HandlerPace::Round;

  static void Witness(void* self);
  void Serve();
  Round Nap(int64_t nanos);
  Round LookAndSleep();
  unsigned ServeOnce();
  // Returns true if other threads have served since the last call.
  bool HaveOthersServed();

  Engine& engine_;
  const bool wanted_;
  am::Progress::Id witness_ = 0;
  // Written by other threads that serve.
  std::atomic<bool> was_run_{false};
  std::atomic<const thread::ThreadState*> self_{nullptr};
  // Used by this thread alone.
  HandlerPace pace_;
  uint32_t own_polls_ = 0;
  uint32_t others_polls_ = 0;
  // The last member: its destructor runs first.
  thread::LibraryThread thread_{
      {.name = "gasnet-handlers", .setting = "GASNET_PROGRESS_THREAD is 1"}};
};

}  // namespace gasnet

#endif  // CORE_RUNTIME_HANDLER_THREAD_H_
