// Copies memory for peers that may not do so themselves: a seccomp filter or a
// setting of the kernel refuses them process_vm_readv, and the memory has no
// file that they could map. A thread of the owner, the helper, copies instead.
//
// The helper also performs atomic operations on memory that a peer has not
// mapped, if the owner's interface has PTL_COHERENT_ATOMICS: only the owner can
// use locked instructions there.
//
// The owner's shared memory has a mailbox (HelpDesk) and an area. One peer at a
// time holds the lock of the HelpDesk, writes its request, and advances
// `asked`. The helper copies and advances `answered`. The bytes pass through
// the area. Both counters are futexes, and order the fields of the request:
// each counter is stored with release after the fields, and loaded with acquire
// before them.
//
// A peer that takes the lock over from a dead peer waits until the helper is
// done with the dead peer's request. Until then no flight of a dead process is
// ended. Otherwise the helper might write into memory that its owner has
// reclaimed.
//
// The helper copies by pread and pwrite of the shared memory's own file. So
// missing memory causes an error and not a signal. The helper takes no lock.
// Before an atomic operation it asks the kernel if the memory is there. A
// program that unmaps the memory at this very moment may crash.
//
// A process starts its helper in one of two cases:
//
// - An entry, or an operation that waits for a counter, has memory that
//   peers cannot map, and the kernel might refuse this process too, or the
//   interface has PTL_COHERENT_ATOMICS.
// - A peer has asked. The owner notices this in every call that looks,
//   waits, or finds a lock taken.
//
// So a peer waits for long only if the kernel refuses the peer but not the
// owner, and the owner makes none of these calls.
#ifndef PORTALS_MEMORY_HELP_H_
#define PORTALS_MEMORY_HELP_H_

#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "portals/engine/view.h"
#include "portals/tuning.h"

namespace gasnet::portals4 {

// Returns true if the kernel may refuse to let this process copy from the
// memory of another process. The answer holds for all processes with the same
// restrictions.
bool MayBeRefused();

// Makes the owner's helper copy between `here` and the owner's memory, and
// waits. Returns false if the owner's memory does not exist, or the owner has
// ended.
bool AskForHelp(const View& owner, HelpDesk::Way way, uint64_t address,
                void* here, size_t size);

// An atomic operation on some items of a target.
struct HelpItems {
  static constexpr size_t kMaxOperand = 32;

  uint32_t operation = 0;
  uint32_t datatype = 0;
  alignas(kMaxOperand) std::byte operand[kMaxOperand] = {};
  // first the items of the source, and then the previous items of the target
  std::byte items[kAtomicUnit];
};

// Combines `size` bytes of items with this process's own memory at `address`.
// Returns false if the memory does not exist, or the request makes no sense.
bool CombineOwn(uint64_t address, size_t size, HelpItems& request);
// Makes the owner's helper do that with the owner's memory, and waits. Returns
// false also if the owner has ended, or has no helper. An owner starts its
// helper before it appends an entry that needs one. So if there is none, the
// entry or the peer is faulty, and the owner may never start one.
bool AskToCombine(const View& owner, uint64_t address, size_t size,
                  HelpItems& request);

// Returns true if a peer has asked for help and has no answer yet.
inline bool HelpIsWanted(const View& owner) {
  const HelpDesk& desk = owner.header().help;
  const uint32_t asked = desk.asked.load(std::memory_order_relaxed);
  return asked != desk.answered.load(std::memory_order_relaxed) &&
         (asked & HelpDesk::kClosed) == 0;
}

// The helper thread of an owner. Its states are: not running, running, ended. A
// thread that has ended never runs again.
class Helper {
 public:
  // `file` is the shared memory's file.
  Helper(const View& view, int file);
  ~Helper();
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;

  // Starts the thread. Any thread may call it, any number of times. If no
  // thread can be created, peers are refused.
  void Start();
  // Ends the thread; peers that ask are refused from now on. May be called any
  // number of times.
  void End();

  // Starts helpers of this process that peers have asked for and that are not
  // running. A helper that has ended must not be destroyed while threads may be
  // in this function.
  static void StartWhereWanted();
  // Forgets all helpers. Called in a forked child: the helpers belong to its
  // parent.
  static void ForgetAll();

 private:
  static void* Run(void* helper);
  void Serve();
  // Answers a request. The peer that asked holds the lock of `desk` until the
  // answer.
  void Answer(HelpDesk& desk) const ABSL_NO_THREAD_SAFETY_ANALYSIS;
  bool Copy(HelpDesk::Way way, uint64_t address, size_t size) const;
  bool Combine(uint64_t address, size_t size) const;

  const View view_;
  const int file_;
  // true if the thread runs, or never will run
  std::atomic<bool> settled_{false};
  // true if the thread shall end. Other processes can set the flag kClosed, so
  // that flag does not end it.
  std::atomic<bool> ends_{false};
  absl::Mutex mutex_;
  bool running_ ABSL_GUARDED_BY(mutex_) = false;
  pthread_t thread_ ABSL_GUARDED_BY(mutex_) = {};
};

}  // namespace gasnet::portals4

#endif  // PORTALS_MEMORY_HELP_H_
