// Copies of memory for peers that may not make them: a seccomp filter or a
// setting of the kernel refuses them process_vm_readv, and the memory is of no
// file that they could map. A thread of the owner's makes them instead.
//
// The owner's shared memory has a desk (HelpDesk) and an area. One peer at a
// time holds the desk's lock, says what it wants, and advances `asked`; the
// helper does it and advances `answered`. Bytes pass through the area. Both
// counters are futexes, and order what is said: each is stored by release after
// it and loaded by acquire before. The next peer that gets the lock of a dead
// one waits until the helper is through; until then no flight of a dead process
// is ended, so that nothing is written into memory that its owner has taken
// back.
//
// The helper copies by pread and pwrite of the shared memory's own file, so
// that memory which is not there is an error and no signal. It takes no lock.
//
// A process has no such thread until it is needed: one of its entries, or an
// operation that waits for a counter, has memory that peers cannot map, and
// this process finds that it might be refused itself; or a peer has asked. The
// latter is seen by every call of the owner's that looks, waits, or finds a
// lock taken: only where peers are refused what the owner is not, and it makes
// no such call, they wait.
#ifndef PORTALS_MEMORY_HELP_H_
#define PORTALS_MEMORY_HELP_H_

#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "portals/engine/view.h"

namespace gasnet::portals4 {

// Whether the kernel may refuse a process like ours to copy from another one.
bool MayBeRefused();

// Has the owner's helper copy between `here` and the owner's memory, and waits.
// False: it is not there, or the owner is gone.
bool AskForHelp(const View& owner, HelpDesk::Way way, uint64_t address,
                void* here, size_t size);

// Whether somebody asked and has not been answered.
inline bool HelpIsWanted(const View& owner) {
  const HelpDesk& desk = owner.header().help;
  const uint32_t asked = desk.asked.load(std::memory_order_relaxed);
  return asked != desk.answered.load(std::memory_order_relaxed) &&
         (asked & HelpDesk::kClosed) == 0;
}

// The owner's end. Not running, running, ended; it never runs again.
class Helper {
 public:
  // `file` is the shared memory's.
  Helper(const View& view, int file);
  ~Helper();
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;

  // Any thread, any number of times. Where no thread can be had, peers are
  // told.
  void Start();
  // From now on who asks is refused. Any number of times.
  void End();

  // Starts those of this process that are wanted and do not run. One that has
  // ended must live on while threads may be in here.
  static void StartWhereWanted();
  // A forked child's, whose parent's they are.
  static void ForgetAll();

 private:
  static void* Run(void* helper);
  void Serve();
  // The peer that asks holds the desk's lock until it is answered.
  void Answer(HelpDesk& desk) const ABSL_NO_THREAD_SAFETY_ANALYSIS;
  bool Copy(HelpDesk::Way way, uint64_t address, size_t size) const;

  const View view_;
  const int file_;
  std::atomic<bool> settled_{false};  // it runs, or never will
  absl::Mutex mutex_;
  bool running_ ABSL_GUARDED_BY(mutex_) = false;
  pthread_t thread_ ABSL_GUARDED_BY(mutex_) = {};
};

}  // namespace gasnet::portals4

#endif  // PORTALS_MEMORY_HELP_H_
