// A thread of the library that handles messages to a rank while the rank's
// client computes (GASNET_PROGRESS_THREAD, only in GASNET_PAR).
//
// To the layers below, it looks like another client thread in a wait: it arms
// the doorbell, polls, and sleeps on the link until a message comes. While the
// client's threads serve the network, it naps instead and touches nothing
// (handler_pace.h).
//
//     made --Start--> running --EndThreads--> ended
//
// The thread detects in two ways that other threads serve the network. Neither
// way is exact, and neither has to be. A superfluous nap delays a message by
// the length of the nap, and a missing nap costs a sender a system call.
// - A progress function, the witness, runs in each wait and each poll of a
//   client. The witness records that the client serves and makes itself
//   idle, so it costs other threads only one call for each nap.
// - A thread that only sends serves arrived messages before each request, but
//   runs no progress function. The link's count of polls reveals such a
//   thread.
//
// The thread serves endpoint 0, whose doorbell wakes it. Messages of
// GASNet-EX's further endpoints all use endpoint 0 (ex/further_messages.h). The
// thread looks at other endpoints once in network::kGlance, like any thread
// that waits in endpoint 0.
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

  // engine: the engine of endpoint 0. wanted: if false, there is no thread.
  HandlerThread(Engine& engine, bool wanted);
  ~HandlerThread() override { EndThreads(kNever); }

  // Starts the thread; handlers may run from here on. Called once client
  // threads may poll. Ends the process if the thread cannot be created.
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
  // Written by other threads that serve the network.
  std::atomic<bool> was_run_{false};
  std::atomic<const thread::ThreadState*> self_{nullptr};
  // Used by the handler thread alone.
  HandlerPace pace_;
  uint32_t own_polls_ = 0;
  uint32_t others_polls_ = 0;
  // Declared last, so that its destructor runs first: the thread uses the
  // members above.
  thread::LibraryThread thread_{
      {.name = "gasnet-handlers", .setting = "GASNET_PROGRESS_THREAD is 1"}};
};

}  // namespace gasnet

#endif  // CORE_RUNTIME_HANDLER_THREAD_H_
