#include "core/runtime/handler_thread.h"

#include "base/clock.h"
#include "core/observe/seam.h"
#include "core/runtime/runtime.h"

namespace gasnet {

HandlerThread::HandlerThread(Engine& engine, bool wanted)
    : engine_(engine), wanted_(wanted) {
  if (wanted_) witness_ = engine_.progress().Add(&Witness, this);
}

void HandlerThread::Start() {
  if (!wanted_) return;
  runtime->EndThreadsAtExit();
  thread_.Start([this] { Serve(); });
  thread_.Wake();
}

// Asks the thread to end, and then wakes it. The thread misses no wake-up,
// since it arms the doorbell before it checks if it must end.
void HandlerThread::EndThreads(int64_t patience) {
  if (!wanted_) return;
  thread_.AskToEnd();
  engine_.link().WakeOwn();
  thread_.End(patience);
  engine_.progress().Deactivate(witness_);
}

// Notes that a thread other than the handler thread serves. Runs on any thread
// that serves the network.
void HandlerThread::Witness(void* self) {
  auto& mine = *static_cast<HandlerThread*>(self);
  if (&thread::Self() == mine.self_.load(std::memory_order_relaxed)) return;
  mine.was_run_.store(true, std::memory_order_relaxed);
  mine.engine_.progress().Deactivate(mine.witness_);
}

void HandlerThread::Serve() {
  self_.store(&thread::Self(), std::memory_order_relaxed);
  // Completions of transfers are counted only by threads that have a log.
  observe::LogOfThread();
  Round round;
  while (!thread_.IsEnding()) {
    const int64_t nap = pace_.Next(round);
    round = nap > 0 ? Nap(nap) : LookAndSleep();
  }
}

HandlerThread::Round HandlerThread::Nap(int64_t nanos) {
  thread_.Nap(nanos);
  return {.clients_served = HaveOthersServed()};
}

HandlerThread::Round HandlerThread::LookAndSleep() {
  Round round;
  network::Link& link = engine_.link();
  const uint32_t epoch = link.Arm();
  round.handled = ServeOnce();
  if (round.handled == 0 && !thread_.IsEnding()) {
    const int64_t began = NowNanos();
    round.woken = !link.Sleep(epoch, kNever);
    round.slept = NowNanos() - began;
    hostshm::Rails::PollAllNext();
    round.handled = ServeOnce();
  }
  link.Disarm();
  round.clients_served = HaveOthersServed();
  return round;
}

// Polls once. Polls by handlers and progress functions during this poll count
// as the thread's own.
unsigned HandlerThread::ServeOnce() {
  const uint32_t before = engine_.link().PollCount();
  const unsigned handled = engine_.Poll();
  engine_.progress().Run();
  own_polls_ += engine_.link().PollCount() - before;
  return handled;
}

bool HandlerThread::HaveOthersServed() {
  const uint32_t others = engine_.link().PollCount() - own_polls_;
  const bool polled = others != others_polls_;
  others_polls_ = others;
  const bool was_run = was_run_.exchange(false, std::memory_order_relaxed);
  engine_.progress().Activate(witness_);
  return polled || was_run;
}

}  // namespace gasnet
