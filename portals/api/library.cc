#include "portals/api/library.h"

#include <errno.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <memory>
#include <mutex>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "base/asymmetric_fence.h"
#include "portals/api/given_job.h"
#include "portals/api/held_back.h"
#include "portals/api/limits.h"
#include "portals/engine/deliver.h"
#include "portals/engine/due.h"
#include "portals/engine/process.h"

namespace gasnet::portals4 {
namespace {

constexpr uint32_t kGenerations = 1U << 24;

// Keeps other threads out of the library while the process forks.
void BeforeFork() ABSL_NO_THREAD_SAFETY_ANALYSIS {
  GetLibrary().mutex().Lock();
}
void AfterFork() ABSL_NO_THREAD_SAFETY_ANALYSIS {
  GetLibrary().mutex().Unlock();
}
// Resets the library in a forked child. The child has copies of the interfaces
// and peers, but owns none of them.
void InForkedChild() { GetLibrary().Forget(); }

void WatchForks() { pthread_atfork(BeforeFork, AfterFork, InForkedChild); }

// Maps the options of an interface to the number of its kind, 0 to 3.
uint32_t KindIndex(unsigned options) {
  return ((options & PTL_NI_NO_MATCHING) != 0 ? 1U : 0U) |
         ((options & PTL_NI_PHYSICAL) != 0 ? 2U : 0U);
}

bool IsOneOf(unsigned options, unsigned a, unsigned b) {
  return ((options & a) != 0) != ((options & b) != 0);
}

bool AreAcceptable(unsigned options) {
  return (options & ~static_cast<unsigned>(PTL_NI_INIT_OPTIONS_MASK)) == 0 &&
         IsOneOf(options, PTL_NI_MATCHING, PTL_NI_NO_MATCHING) &&
         IsOneOf(options, PTL_NI_LOGICAL, PTL_NI_PHYSICAL);
}

}  // namespace

namespace internal {

constinit std::atomic<Library*> library{nullptr};

Library& MakeLibrary() {
  static Library* const made = new Library();
  library.store(made, std::memory_order_release);
  return *made;
}

}  // namespace internal

Library::Found::Found(Region attached)
    : region(std::move(attached)),
      peer(View(region.memory(), region.counts()), region.pid(), false) {}

void Library::Open() {
  static std::once_flag once;
  std::call_once(once, WatchForks);
  const absl::MutexLock lock(&mutex_);
  if (uses_.load(std::memory_order_relaxed) == 0) {
    IdentifyThisProcess();
    AsymmetricFence::Register();
    const GivenJob* const job = GetJob();
    if (job != nullptr) NameJob(job->name);
    nid_ = job != nullptr ? job->nid() : HostNid();
    aborted_.store(false, std::memory_order_relaxed);
    // Some systems let only a tracer read a process's memory. On these systems,
    // this call permits every process of the user to trace this process.
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  }
  uses_.fetch_add(1, std::memory_order_release);
}

void Library::Close() {
  Carrier* const carrier = GetCarrier();
  if (carrier == nullptr) {
    CloseAll();
    return;
  }
  if (uses_.load(std::memory_order_acquire) == 1) carrier->Drain();
  carrier->Pause();
  CloseAll();
  carrier->Resume();
}

void Library::CloseAll() {
  const absl::MutexLock lock(&mutex_);
  if (uses_.load(std::memory_order_relaxed) == 0 ||
      uses_.fetch_sub(1, std::memory_order_acq_rel) > 1) {
    return;
  }
  if (Carrier* const carrier = GetCarrier()) carrier->Forget();
  // Destroys the doors first, because they hand out memory that is about to be
  // unmapped.
  for (Number& number : numbers_) number.door.reset();
  for (uint32_t i = 0; i < kMaxInterfaces; ++i) {
    Interface* const open =
        interfaces_[i].exchange(nullptr, std::memory_order_acq_rel);
    if (open == nullptr) continue;
    open->Close();
    generations_[i].fetch_add(1, std::memory_order_relaxed);
  }
  for (Number& number : numbers_) Release(number);
  // The carrier dropped some operations. Triggered operations that waited for
  // their ends may now be due, but must not run any more.
  ForgetDue();
  made_.clear();
  peers_.clear();
  found_.clear();
}

void Library::Abort() {
  aborted_.store(true, std::memory_order_seq_cst);
  const absl::MutexLock lock(&mutex_);
  for (const std::atomic<Interface*>& slot : interfaces_) {
    Interface* const open = slot.load(std::memory_order_acquire);
    if (open != nullptr) open->view().header().doorbell.Ring();
  }
}

void Library::Forget() {
  // Makes a new mutex. The copied mutex may list waiting threads of the parent
  // that do not exist in the child.
  std::construct_at(&mutex_);
  const absl::MutexLock lock(&mutex_);
  SetJob(nullptr);
  uses_.store(0, std::memory_order_relaxed);
  for (std::atomic<Interface*>& slot : interfaces_) {
    slot.store(nullptr, std::memory_order_relaxed);
  }
  Helper::ForgetAll();
  // Release() closes only the child's copy of the claim on the identifier. The
  // child does not touch the memory and descriptors of the parent's interfaces,
  // or the parent's thread at the door.
  for (Number& number : numbers_) {
    static_cast<void>(number.door.release());
    Release(number);
  }
  for (std::unique_ptr<Interface>& interface : made_) {
    ForgetHeldBack(interface->own());
    static_cast<void>(interface.release());
  }
  made_.clear();
  for (std::unique_ptr<Found>& found : found_) {
    static_cast<void>(found.release());
  }
  found_.clear();
  peers_.clear();
}

// Claims the identifier number.pid. If the identifier is in use by another
// user's process, prints a warning. If `ours_alone` is true, also prints a
// warning if another process of this user holds the identifier.
int Library::ClaimOne(Number& number, bool ours_alone) const {
  number.claim = ClaimPid(nid_, number.pid);
  if (number.claim.valid()) return PTL_OK;
  if (errno == EADDRINUSE) TellHolder(nid_, number.pid, ours_alone);
  return PTL_PID_IN_USE;
}

int Library::Claim(uint32_t which, Number& number, ptl_pid_t wanted) {
  if (const GivenJob* const job = GetJob()) {
    number.pid = job->PidOn(which);
    if (wanted != PTL_PID_ANY && wanted != number.pid) return PTL_PID_IN_USE;
    return ClaimOne(number, /*ours_alone=*/true);
  }
  if (wanted != PTL_PID_ANY) {
    number.pid = wanted;
    return ClaimOne(number, /*ours_alone=*/false);
  }
  // Begins at the process's own number. Processes that start together mostly
  // have consecutive numbers, and so do not collide.
  const auto begin = static_cast<uint32_t>(getpid());
  for (uint32_t i = 0; i < PTL_PID_MAX; ++i) {
    number.pid = (begin + i) % PTL_PID_MAX;
    if (ClaimOne(number, /*ours_alone=*/false) == PTL_OK) return PTL_OK;
  }
  return PTL_NO_SPACE;
}

void Library::Release(Number& number) {
  number.door.reset();
  number = Number();
}

void Library::ReleaseNumber(Number& number) {
  if (--number.open == 0) Release(number);
}

int Library::OpenInterface(ptl_interface_t number_asked, unsigned options,
                           ptl_pid_t pid, const ptl_ni_limits_t* desired,
                           Interface*& opened) {
  const uint32_t which = number_asked == PTL_IFACE_DEFAULT ? 0 : number_asked;
  if (which >= kInterfaces || !AreAcceptable(options) ||
      (pid != PTL_PID_ANY && pid > PTL_PID_MAX)) {
    return PTL_ARG_INVALID;
  }
  const absl::MutexLock lock(&mutex_);
  const uint32_t index = which * kKinds + KindIndex(options);
  opened = interfaces_[index].load(std::memory_order_relaxed);
  if (opened != nullptr) {
    ++opened->uses;
    return PTL_OK;
  }
  Number& number = numbers_[which];
  if (number.open == 0) {
    const int claimed = Claim(which, number, pid);
    if (claimed != PTL_OK) return claimed;
  }
  ++number.open;
  std::unique_ptr<Interface> made = Interface::Open({.index = index,
                                                     .kind = options,
                                                     .nid = nid_,
                                                     .pid = number.pid,
                                                     .uid = getuid()},
                                                    ActualLimits(desired));
  if (made == nullptr) {
    ReleaseNumber(number);
    return PTL_NO_SPACE;
  }
  opened = made.get();
  opened->uses = 1;
  interfaces_[index].store(opened, std::memory_order_release);
  made_.push_back(std::move(made));
  OpenDoorWhereNeeded(which);
  return PTL_OK;
}

int Library::CloseInterface(ptl_handle_ni_t handle) {
  Interface* const interface = FromHandle(handle);
  if (interface == nullptr) return PTL_ARG_INVALID;
  const absl::MutexLock lock(&mutex_);
  if (--interface->uses > 0) return PTL_OK;
  const uint32_t index = interface->identity().index;
  interfaces_[index].store(nullptr, std::memory_order_release);
  generations_[index].fetch_add(1, std::memory_order_relaxed);
  if (Door* const door = numbers_[index / kKinds].door.get()) {
    door->Hide(interface->label());
  }
  interface->Close();
  ReleaseNumber(numbers_[index / kKinds]);
  return PTL_OK;
}

ptl_handle_ni_t Library::HandleOf(const Interface& interface) const {
  const uint32_t index = interface.identity().index;
  const uint32_t generation =
      generations_[index].load(std::memory_order_relaxed);
  return MakeHandle(Object::kInterface, index, generation % kGenerations);
}

Interface* Library::FromHandle(ptl_handle_ni_t handle) const {
  if (ObjectOf(handle) != Object::kInterface) return nullptr;
  Interface* const interface = Of(handle);
  if (interface == nullptr || HandleOf(*interface) != handle) return nullptr;
  return interface;
}

bool Library::IsAsleep() const {
  for (const std::atomic<Interface*>& slot : interfaces_) {
    const Interface* const open = slot.load(std::memory_order_acquire);
    if (open != nullptr && open->IsAsleep()) return true;
  }
  return false;
}

PeerInterface* Library::FindOwn(uint64_t physical, uint32_t kind) const {
  for (const std::atomic<Interface*>& slot : interfaces_) {
    Interface* const open = slot.load(std::memory_order_acquire);
    if (open != nullptr && open->identity().kind == kind &&
        PackPhysical(open->identity().nid, open->identity().pid) == physical) {
      return &open->own();
    }
  }
  return nullptr;
}

PeerInterface* Library::FindPeer(uint64_t physical, uint32_t kind) {
  const absl::MutexLock lock(&mutex_);
  if (PeerInterface* const own = FindOwn(physical, kind)) return own;
  Known& known = peers_[{physical, kind}];
  if (known.found != nullptr && IsThere(known.found->peer.view)) {
    return &known.found->peer;
  }
  known.found = nullptr;
  const auto nid = static_cast<uint32_t>(physical);
  if (nid != nid_) return nullptr;
  // First accepts processes that look for this one. If all processes start
  // together, the peer may itself wait until this process accepts it.
  AcceptAll();
  Region region = Region::Attach(nid, static_cast<uint32_t>(physical >> 32),
                                 kind, known.claimer);
  // The region is invalid if the interface does not exist, or if this process
  // itself has closed it.
  if (!region.valid()) return nullptr;
  found_.push_back(std::make_unique<Found>(std::move(region)));
  known.found = found_.back().get();
  PeerInterface& peer = known.found->peer;
  return IsThere(peer.view) ? &peer : nullptr;
}

void Library::AcceptAll() {
  for (uint32_t which = 0; which < kInterfaces; ++which) {
    const Number& number = numbers_[which];
    if (!number.claim.valid()) continue;
    OpenDoorWhereNeeded(which);
    if (number.door == nullptr) portals4::AcceptLookers(number.claim);
  }
}

// Opens the door if it is needed. After that, the door accepts all processes
// that look for this process.
void Library::OpenDoorWhereNeeded(uint32_t which) {
  Number& number = numbers_[which];
  if (number.door == nullptr && !IsShut()) return;
  if (number.door == nullptr) {
    number.door = std::make_unique<Door>(number.claim.get());
  }
  for (uint32_t kind = 0; kind < kKinds; ++kind) {
    const Interface* const open =
        interfaces_[which * kKinds + kind].load(std::memory_order_relaxed);
    if (open != nullptr) number.door->Show(open->label(), open->file());
  }
}

void Library::AcceptLookers() {
  if (!mutex_.TryLock()) return;
  AcceptAll();
  mutex_.Unlock();
}

}  // namespace gasnet::portals4
