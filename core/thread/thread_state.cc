#include "core/thread/thread_state.h"

#include <limits.h>
#include <pthread.h>

#include <atomic>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "base/env.h"
#include "base/log.h"
#include "core/thread/tuning.h"

namespace gasnet::thread {
namespace {

// The default maximum number of threads, more than a process has in practice. A
// limit, not tuning.
constexpr uint32_t kMaxThreads = 65535;

}  // namespace

char internal::unresolved;

uint32_t MaxThreads() {
  if constexpr (!kManyThreads) return 1;
  return static_cast<uint32_t>(
      EnvInt("GASNET_MAX_THREADS", kMaxThreads, 1, kMaxThreads));
}

#if defined(GASNET_SEQ)

namespace internal {
ThreadState the_thread;
}  // namespace internal

void ForEachState(absl::FunctionRef<void(ThreadState&)> change) {
  change(internal::the_thread);
}

#else

namespace {

// all: every record. idle: the records that belong to no thread. Leaked on
// purpose, since threads may end after static destructors have run.
struct Registry {
  absl::Mutex mutex;
  std::vector<ThreadState*> idle ABSL_GUARDED_BY(mutex);
  std::vector<ThreadState*> all ABSL_GUARDED_BY(mutex);
};

Registry& TheRegistry() {
  static Registry* const registry = new Registry;
  return *registry;
}

// Releases the record when its thread ends.
void GiveBack(void* state) {
  internal::current = nullptr;
  static_cast<ThreadState*>(state)->crash_stack.End();
  static_cast<ThreadState*>(state)->image = kNoImage;
  static_cast<ThreadState*>(state)->prepared = nullptr;
  static_cast<ThreadState*>(state)->peer_completion = {};
  Registry& registry = TheRegistry();
  const absl::MutexLock lock(&registry.mutex);
  // Releases the log, which the record's next thread takes over. Needs the
  // registry's lock, since ForEachState may run at the same time.
  if (void**& active = static_cast<ThreadState*>(state)->active_log) {
    *active = &internal::unresolved;
    active = nullptr;
  }
  registry.idle.push_back(static_cast<ThreadState*>(state));
}

// Returns the key whose destructor releases a thread's record. This destructor
// runs after the destructors of all thread_local objects, since these may call
// GASNet. If a thread calls GASNet in the destructor of another key, this
// destructor runs again.
pthread_key_t LeaseKey() {
  static const pthread_key_t key = [] {
    pthread_key_t made;
    if (pthread_key_create(&made, &GiveBack) != 0) {
      Fatal(
          "pthread_key_create failed: the program uses all %d keys for "
          "thread-specific data, and GASNet needs one",
          PTHREAD_KEYS_MAX);
    }
    return made;
  }();
  return key;
}

ThreadState* Acquire() {
  Registry& registry = TheRegistry();
  const absl::MutexLock lock(&registry.mutex);
  if (!registry.idle.empty()) {
    ThreadState* const state = registry.idle.back();
    registry.idle.pop_back();
    return state;
  }
  const size_t made = registry.all.size();
  if (made == MaxThreads()) {
    Fatal(
        "thread %zu calls GASNet, but GASNET_MAX_THREADS is %u; set it higher",
        made + 1, MaxThreads());
  }
  ThreadState* const state = registry.all.emplace_back(new ThreadState);
  state->index = static_cast<uint32_t>(made);
  return state;
}

}  // namespace

void ForEachState(absl::FunctionRef<void(ThreadState&)> change) {
  Registry& registry = TheRegistry();
  const absl::MutexLock lock(&registry.mutex);
  for (ThreadState* const state : registry.all) change(*state);
}

namespace internal {

constinit thread_local ThreadState* current = nullptr;

ThreadState* Discover() {
  current = Acquire();
  current->crash_stack.Begin();
  if (pthread_setspecific(LeaseKey(), current) != 0) {
    Fatal("pthread_setspecific failed: out of memory for thread %u",
          current->index);
  }
  return current;
}

}  // namespace internal

#endif

}  // namespace gasnet::thread
