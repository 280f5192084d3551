// A thread of the library that runs the handlers of messages to a rank whose
// client computes (GASNET_PROGRESS_THREAD, GASNET_PAR alone).
//
// To the layers below it is one more client thread in a wait: it arms the
// doorbell, polls, and sleeps on the link until a message comes. While the
// client's threads serve the network, it naps instead and touches nothing
// (handler_pace.h).
//
//   made --Start--> running --EndThreads--> ended
//
// Two things tell it of other threads that serve. Each wait and each poll of a
// client runs progress functions: that of this layer, the witness, notes that
// it was run, and makes itself idle, so it costs other threads one call for
// each nap. A thread that only sends serves what has arrived before each
// request, and runs none: the link counts its polls. Neither is exact, nor has
// to be: a nap too many delays a message by that nap, and one too few costs a
// sender a system call.
//
// The thread serves endpoint 0, for which it is woken. Those of GASNet-EX's
// clients all travel by that (ex/further_messages.h). At others it looks once
// in network::kGlance, as any thread that waits in endpoint 0.
#ifndef CORE_RUNTIME_HANDLER_THREAD_H_
#define CORE_RUNTIME_HANDLER_THREAD_H_

#include <atomic>
#include <cstdint>

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

  // engine: that of endpoint 0. wanted: if not, there is no thread.
  HandlerThread(Engine& engine, bool wanted);
  ~HandlerThread() override { EndThreads(); }

  // Called once client threads may poll: handlers run from here on. Fatal if
  // the thread cannot be created.
  void Start();
  void EndThreads() override;

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
  // Written by threads that serve.
  std::atomic<bool> was_run_{false};
  std::atomic<const thread::ThreadState*> self_{nullptr};
  // Of the thread alone.
  HandlerPace pace_;
  uint32_t own_polls_ = 0;
  uint32_t others_polls_ = 0;
  // The last member: its destructor runs first.
  thread::LibraryThread thread_{
      {.name = "gasnet-handlers", .setting = "GASNET_PROGRESS_THREAD is 1"}};
};

}  // namespace gasnet

#endif  // CORE_RUNTIME_HANDLER_THREAD_H_
