// A door hands out the memory of this process's interfaces to peers that may
// not open this process's descriptors. The kernel does not let peers open them
// if this process is not dumpable (setuid, with file capabilities,
// PR_SET_DUMPABLE). Such a process is called shut below.
//
// A peer connects to the claim of this process's identifier (memory/region.h),
// sends the label of the memory that it wants, and gets a descriptor of that
// memory. The door's thread answers, but only to peers of this process's
// effective user. Only a shut process has a door thread. Peers never ask other
// processes for a descriptor.
//
// The door owns the thread: the constructor starts it, and the destructor ends
// it.
#ifndef PORTALS_MEMORY_DOOR_H_
#define PORTALS_MEMORY_DOOR_H_

#include <pthread.h>

#include <map>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "base/unique_fd.h"

namespace gasnet::portals4 {

// Returns true if this process is shut: other processes of the user may neither
// open its descriptors nor copy from and to its memory.
bool IsShut();

class Door {
 public:
  // Starts the thread. `claim` is a listening socket. It must outlive the door.
  explicit Door(int claim);
  // Ends the thread. The claim no longer listens.
  ~Door();
  Door(const Door&) = delete;
  Door& operator=(const Door&) = delete;

  // Adds memory that peers may get. The file must stay open until Hide. Any
  // thread may call Show and Hide.
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

// Asks the process at the other end of a connection for memory. Returns an
// invalid descriptor if the process does not answer in time, or has no memory
// with this label.
UniqueFd AskAtDoor(int connection, const std::string& label);

}  // namespace gasnet::portals4

#endif  // PORTALS_MEMORY_DOOR_H_
