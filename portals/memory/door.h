// The way to the memory of our interfaces for peers that may not open
// descriptors of this process: the kernel forbids that of a process that is not
// dumpable (setuid, with file capabilities, PR_SET_DUMPABLE).
//
// A peer connects to the claim of our identifier (memory/region.h), sends the
// label of the memory that it wants, and gets a descriptor of it. A thread of
// ours answers, those of our effective user alone. Only a process that is shut
// has such a thread; others are not asked for a descriptor.
//
// The door owns the thread. States: made, kept, closed.
#ifndef PORTALS_MEMORY_DOOR_H_
#define PORTALS_MEMORY_DOOR_H_

#include <pthread.h>

#include <map>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "base/unique_fd.h"

namespace gasnet::portals4 {

// Returns true if no other process of the user may open descriptors of this
// one, nor copy from and to its memory.
bool IsShut();

class Door {
 public:
  // Keeps it from now on. `claim` listens, and outlives the door.
  explicit Door(int claim);
  // Ends the thread; the claim listens no more.
  ~Door();
  Door(const Door&) = delete;
  Door& operator=(const Door&) = delete;

  // Memory that peers may have. The file stays open until it is hidden. Any
  // thread.
  void Show(const std::string& label, int file);
  void Hide(const std::string& label);

 private:
  static void* Run(void* door);
  void Serve();
  void Answer(int looker);

  const int claim_;
  bool running_ = false;
  pthread_t thread_ = {};
  absl::Mutex mutex_;
  std::map<std::string, int> files_ ABSL_GUARDED_BY(mutex_);
};

// Asks the process at the other end of a connection for memory; invalid where
// it does not answer in time, or has none of that label.
UniqueFd AskAtDoor(int connection, const std::string& label);

}  // namespace gasnet::portals4

#endif  // PORTALS_MEMORY_DOOR_H_
