// A runtime of events in C++. Its active messages are templates over the type
// of their payload. Each part of the runtime adds its own handlers to a table.
// Locks are objects. Several threads send while one thread polls.
#include <gasnet.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "runtime.h"

namespace {

class HandlerSafeMutex {
 public:
  HandlerSafeMutex() { gasnet_hsl_init(&lock_); }
  ~HandlerSafeMutex() { gasnet_hsl_destroy(&lock_); }
  void lock() { gasnet_hsl_lock(&lock_); }
  void unlock() { gasnet_hsl_unlock(&lock_); }
  bool try_lock() { return gasnet_hsl_trylock(&lock_) == GASNET_OK; }

 private:
  gasnet_hsl_t lock_;
};

class Held {
 public:
  explicit Held(HandlerSafeMutex& lock) : lock_(lock) { lock_.lock(); }
  ~Held() { lock_.unlock(); }

 private:
  HandlerSafeMutex& lock_;
};

std::vector<gasnet_handlerentry_t>& Table() {
  static std::vector<gasnet_handlerentry_t> table;
  return table;
}

// An active message with a payload of type Args. The receiver calls
// Args::Handle.
template <typename Args>
class Message {
 public:
  static void Register(gasnet_handler_t index) {
    index_ = index;
    gasnet_handlerentry_t entry;
    entry.index = index;
    entry.fnptr = (void (*)())Handle;
    Table().push_back(entry);
  }
  static void Send(gasnet_node_t node, Args args) {
    SAFE(gasnet_AMRequestMedium0(node, index_, &args, sizeof(args)));
  }

 private:
  static void Handle(gasnet_token_t token, void* buffer, size_t bytes) {
    gasnet_node_t from;
    SAFE(gasnet_AMGetMsgSource(token, &from));
    CHECK(bytes == sizeof(Args));
    static_cast<Args*>(buffer)->Handle(from);
  }
  static gasnet_handler_t index_;
};
template <typename Args>
gasnet_handler_t Message<Args>::index_;

const int kThreads = 3;
const int kEvents = 100;

HandlerSafeMutex* lock;
int arrived = 0;
long sum = 0;

struct Trigger {
  long value;
  char padding[120];
  void Handle(gasnet_node_t from) {
    Held held(*lock);
    CHECK(from < gasnet_nodes());
    sum += value;
    ++arrived;
  }
};

bool AllArrived() {
  Held held(*lock);
  return arrived == kThreads * kEvents * static_cast<int>(gasnet_nodes());
}

void SendEvents() {
  for (int i = 0; i < kEvents; ++i) {
    for (gasnet_node_t node = 0; node < gasnet_nodes(); ++node) {
      Trigger trigger;
      memset(&trigger, 0, sizeof(trigger));
      trigger.value = i;
      Message<Trigger>::Send(node, trigger);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  SAFE(gasnet_init(&argc, &argv));
  lock = new HandlerSafeMutex;
  Message<Trigger>::Register(128 + 22);
  SAFE(gasnet_attach(Table().data(), static_cast<int>(Table().size()),
                     std::min<uintptr_t>(gasnet_getMaxGlobalSegmentSize(),
                                         4 * GASNET_PAGESIZE),
                     0));
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(SendEvents);
  while (!AllArrived()) gasnet_AMPoll();
  for (std::thread& thread : threads) thread.join();
  CHECK(sum == kThreads * static_cast<long>(gasnet_nodes()) * kEvents *
                   (kEvents - 1) / 2);
  CHECK(lock->try_lock());
  lock->unlock();
  delete lock;
  return finish();
}
