// The library in this process: its state (open or not), its interfaces, and all
// peers that it has found.
//
// One lock guards set-up. Finding the interface of a handle takes one load.
// Peers and closed interfaces stay until the last PtlFini.
#ifndef PORTALS_API_LIBRARY_H_
#define PORTALS_API_LIBRARY_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "base/unique_fd.h"
#include "portals/api/handles.h"
#include "portals/api/interface.h"
#include "portals/memory/door.h"

namespace gasnet::portals4 {

class Library {
 public:
  bool IsOpen() const { return uses_.load(std::memory_order_acquire) > 0; }
  bool IsAborted() const { return aborted_.load(std::memory_order_acquire); }

  void Open();
  void Close();
  // Marks the library as aborted, and wakes all threads that wait in any
  // interface.
  void Abort();

  int OpenInterface(ptl_interface_t number, unsigned options, ptl_pid_t pid,
                    const ptl_ni_limits_t* desired, Interface*& opened);
  int CloseInterface(ptl_handle_ni_t handle);

  // Returns the interface of an interface handle. Returns null if the handle
  // names no interface or is stale.
  Interface* FromHandle(ptl_handle_ni_t handle) const;
  // Returns the interface to which the object of a handle belongs.
  Interface* Of(ptl_handle_any_t handle) const {
    return interfaces_[InterfaceOf(handle)].load(std::memory_order_acquire);
  }
  ptl_handle_ni_t HandleOf(const Interface& interface) const;
  // Returns true if a thread sleeps in a wait and no other thread has woken it
  // yet. The caller must ensure that no interface is closed during this call
  // (see Carrier::Pause).
  bool IsAsleep() const;

  // Returns the interface of kind `kind` in the process `physical`, or null if
  // the process has no such interface.
  PeerInterface* FindPeer(uint64_t physical, uint32_t kind);
  // Like FindPeer, but only for this process's own interfaces. Takes no lock.
  PeerInterface* FindOwn(uint64_t physical, uint32_t kind) const;

  // Accepts connections of processes that look for this process. Does nothing
  // if another thread holds the lock.
  void AcceptLookers();

  // Resets the library in a forked child: the child has none of the parent's
  // interfaces and peers.
  void Forget();
  absl::Mutex& mutex() ABSL_LOCK_RETURNED(mutex_) { return mutex_; }

 private:
  struct Number {  // The state that all kinds of an interface number share.
    UniqueFd claim;
    std::unique_ptr<Door> door;  // Null if not needed. Destroyed before claim.
    uint32_t pid = 0;
    uint32_t open = 0;
  };
  struct Found {
    Region region;
    PeerInterface peer;
    explicit Found(Region attached);
  };

  struct Known {
    Found* found = nullptr;
    Claimer claimer;
  };

  int Claim(uint32_t which, Number& number, ptl_pid_t wanted)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  int ClaimOne(Number& number, bool ours_alone) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void CloseAll();
  void ReleaseNumber(Number& number) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  static void Release(Number& number);
  void AcceptAll() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void OpenDoorWhereNeeded(uint32_t which)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  std::atomic<uint32_t> uses_{0};
  std::atomic<bool> aborted_{false};
  std::array<std::atomic<Interface*>, kMaxInterfaces> interfaces_ = {};

  // Written under the lock. Relaxed accesses suffice, because a handle is used
  // only while its interface stays open.
  std::array<std::atomic<uint32_t>, kMaxInterfaces> generations_ = {};

  absl::Mutex mutex_;
  std::array<Number, kInterfaces> numbers_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<Interface>> made_ ABSL_GUARDED_BY(mutex_);
  std::map<std::pair<uint64_t, uint32_t>, Known> peers_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<Found>> found_ ABSL_GUARDED_BY(mutex_);
  uint32_t nid_ ABSL_GUARDED_BY(mutex_) = 0;
};

namespace internal {
// The library, or null until GetLibrary is called; never destroyed.
extern constinit std::atomic<Library*> library;
Library& MakeLibrary();
}  // namespace internal

// Returns the library, or null if it was not made yet. Costs only a load.
inline Library* FindLibrary() {
  return internal::library.load(std::memory_order_acquire);
}

inline Library& GetLibrary() {
  Library* const library = FindLibrary();
  if (library == nullptr) [[unlikely]]
    return internal::MakeLibrary();
  return *library;
}

}  // namespace gasnet::portals4

#endif  // PORTALS_API_LIBRARY_H_
