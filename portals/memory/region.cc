#include "portals/memory/region.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "base/cancellation.h"
#include "base/clock.h"
#include "base/core_dump.h"
#include "portals/memory/door.h"
#include "portals/memory/life.h"
#include "portals/memory/shortage.h"
#include "portals/tuning.h"

namespace gasnet::portals4 {
namespace {

uint64_t job_name = 0;  // set before any search for peers; 0: no job

using Directory = std::unique_ptr<DIR, int (*)(DIR*)>;

struct RegionSocketAddress {
  sockaddr_un address = {};
  socklen_t size = 0;
};

RegionSocketAddress AddressOf(uint32_t nid, uint32_t pid) {
  RegionSocketAddress of;
  of.address.sun_family = AF_UNIX;
  // An abstract name begins with 0.
  char* const name = of.address.sun_path + 1;
  const int length = std::snprintf(
      name, sizeof of.address.sun_path - 1, "portals4/%u/%llx/%u/%u", geteuid(),
      static_cast<unsigned long long>(job_name), nid, pid);
  of.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 +
                                   static_cast<size_t>(length));
  return of;
}

UniqueFd StreamSocket() {
  return UniqueFd(
      socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

constexpr pid_t kUntold = -1;

// The process that listens under an identifier. The process may belong to any
// user.
struct Listener {
  UniqueFd connection;
  pid_t pid = 0;  // 0: none; kUntold: unknown, because the backlog is full
  uid_t user = 0;
};

Listener Reach(uint32_t nid, uint32_t pid) {
  const NoCancellation whole;
  Listener listener;
  UniqueFd socket = StreamSocket();
  const RegionSocketAddress to = AddressOf(nid, pid);
  if (connect(socket.get(), reinterpret_cast<const sockaddr*>(&to.address),
              to.size) != 0) {
    listener.pid = errno == EAGAIN ? kUntold : 0;
    return listener;
  }
  ucred peer = {};
  socklen_t size = sizeof peer;
  if (getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0) {
    listener = {std::move(socket), peer.pid, peer.uid};
  }
  return listener;
}

// Does the same as Reach, but finds only processes of this process's user.
Listener ReachOurs(uint32_t nid, uint32_t pid) {
  Listener listener = Reach(nid, pid);
  return listener.pid > 0 && listener.user != geteuid() ? Listener()
                                                        : std::move(listener);
}

bool IsRefusal() { return errno == EACCES || errno == EPERM; }

// Opens the memfd with label `label` among a process's descriptors. Sets
// `refused` if the kernel does not let this process open the descriptors.
UniqueFd OpenLabelled(pid_t pid, const std::string& label, bool& refused) {
  const NoCancellation whole;
  const std::string folder = "/proc/" + std::to_string(pid) + "/fd";
  const std::string wanted = "/memfd:" + label + " (deleted)";
  const Directory files(opendir(folder.c_str()), &closedir);
  if (files == nullptr) {
    refused = IsRefusal();
    return UniqueFd();
  }
  while (const dirent* const entry = readdir(files.get())) {
    const std::string path = folder + "/" + entry->d_name;
    char target[128];
    const ssize_t length = readlink(path.c_str(), target, sizeof target);
    refused = refused || (length < 0 && IsRefusal());
    if (length > 0 &&
        wanted == std::string(target, static_cast<size_t>(length))) {
      return UniqueFd(open(path.c_str(), O_RDWR | O_CLOEXEC));
    }
  }
  return UniqueFd();
}

// Returns true if the limit on the size of files permits `size` bytes. A file
// above the limit would raise a signal.
bool MayMakeFile(size_t size) {
  rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) != 0 ||
         limit.rlim_cur == RLIM_INFINITY || size <= limit.rlim_cur;
}

// Returns true if nobody can shrink the file. Touching a mapping beyond the end
// of its file would raise a signal.
bool IsWhole(int file) {
  const int seals = fcntl(file, F_GET_SEALS);
  return seals >= 0 && (seals & F_SEAL_SHRINK) != 0;
}

void* MapAll(int file, size_t size) {
  void* const memory =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) return nullptr;
  LeaveOutOfCore(memory, size);
  return memory;
}

}  // namespace

uint32_t HostNid() {
  // FNV-1a over two properties of this process. Two processes can share memory
  // if and only if both have the same properties.
  uint32_t hash = 2166136261;
  const auto add = [&](const char* at, size_t size) {
    for (size_t i = 0; i < size; ++i) {
      hash = (hash ^ static_cast<unsigned char>(at[i])) * 16777619;
    }
  };
  char boot[64] = {};
  const UniqueFd file(
      open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC));
  if (file.valid() && read(file.get(), boot, sizeof boot) > 0) {
    add(boot, sizeof boot);
  }
  struct stat network;
  if (stat("/proc/self/ns/net", &network) == 0) {
    add(reinterpret_cast<const char*>(&network.st_ino), sizeof network.st_ino);
  }
  // The nid is never a wildcard, and never negative when printed as an int.
  const uint32_t nid = hash & 0x7fffffff;
  return nid == PTL_NID_ANY ? 1 : nid;
}

void NameJob(uint64_t name) { job_name = name; }

std::string LabelOf(uint32_t nid, uint32_t pid, uint32_t kind) {
  return "portals4-" + std::to_string(job_name) + "-" + std::to_string(nid) +
         "-" + std::to_string(pid) + "-" + std::to_string(kind);
}

void TellHolder(uint32_t nid, uint32_t pid, bool of_any_user) {
  const Listener holder = Reach(nid, pid);
  const bool is_strange = holder.pid > 0 && holder.user != geteuid();
  if (!of_any_user && !is_strange) return;
  TellTaken(AddressOf(nid, pid).address.sun_path + 1, std::max(holder.pid, 0),
            holder.user);
}

UniqueFd ClaimPid(uint32_t nid, uint32_t pid) {
  UniqueFd socket = StreamSocket();
  const RegionSocketAddress mine = AddressOf(nid, pid);
  if (!socket.valid() ||
      bind(socket.get(), reinterpret_cast<const sockaddr*>(&mine.address),
           mine.size) != 0 ||
      listen(socket.get(), kMaxLookers) != 0) {
    return UniqueFd();
  }
  return socket;
}

void AcceptLookers(const UniqueFd& claim) {
  const NoCancellation whole;
  for (int i = 0; i < kMaxLookers; ++i) {
    const UniqueFd looker(accept4(claim.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!looker.valid()) return;
  }
}

pid_t Claimer::Find(uint32_t nid, uint32_t pid) {
  const int64_t now = NowNanos();
  if (now - asked_ < kAskForListener && IsAlive(process_)) {
    return PidOf(process_);
  }
  asked_ = now;
  const pid_t listener = ReachOurs(nid, pid).pid;
  process_ = listener > 0 ? IdentifyProcess(listener) : 0;
  return listener;
}

UniqueFd Claimer::Ask(uint32_t nid, uint32_t pid, const std::string& label) {
  const int64_t now = NowNanos();
  if (now - refused_ < kAskAtDoorAgain) return UniqueFd();
  const Listener owner = ReachOurs(nid, pid);
  UniqueFd file;
  if (owner.pid > 0) file = AskAtDoor(owner.connection.get(), label);
  if (file.valid()) return file;
  refused_ = NowNanos();
  if (owner.pid > 0) TellShut(owner.pid);
  return file;
}

Region::Region(Region&& other) noexcept
    : file_(std::move(other.file_)),
      memory_(std::exchange(other.memory_, nullptr)),
      size_(other.size_),
      counts_(other.counts_),
      pid_(other.pid_),
      own_(other.own_),
      held_(other.held_),
      released_(other.released_) {}

namespace {

// The first pages of this process's destroyed regions. UnmapLeft unmaps them.
struct Left {
  absl::Mutex mutex;
  std::vector<void*> pages ABSL_GUARDED_BY(mutex);
};

Left& TheLeft() {
  static auto& left = *new Left;
  return left;
}

}  // namespace

void UnmapLeft() {
  Left& left = TheLeft();
  const absl::MutexLock lock(&left.mutex);
  for (void* const page : left.pages) munmap(page, kFirstPage);
  left.pages.clear();
}

Region::~Region() {
  if (memory_ == nullptr) return;
  if (!own_) {
    munmap(memory_, size_);
    return;
  }
  // Removes the pages. Peers that still have them mapped find zeros. The first
  // page stays: a thread that still runs may hold the lock `life` in this page.
  madvise(static_cast<char*>(memory_) + kFirstPage, size_ - kFirstPage,
          MADV_REMOVE);
  munmap(static_cast<char*>(memory_) + kFirstPage, size_ - kFirstPage);
  // The C library keeps a list of the locks that a thread holds. The links of
  // that list lie in the locks. So the page must stay mapped while any thread
  // holds `life`.
  if (!released_) return;
  Left& left = TheLeft();
  const absl::MutexLock lock(&left.mutex);
  left.pages.push_back(memory_);
}

Region Region::Create(const Identity& identity, const Counts& counts) {
  Region region;
  const size_t size = RegionLayout(counts).total();
  const std::string label = LabelOf(identity.nid, identity.pid, identity.kind);
  if (!MayMakeFile(size)) return region;
  region.file_.Reset(
      memfd_create(label.c_str(), MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!region.file_.valid() ||
      ftruncate(region.file_.get(), static_cast<off_t>(size)) != 0 ||
      fcntl(region.file_.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL) !=
          0) {
    return region;
  }
  region.memory_ = MapAll(region.file_.get(), size);
  if (region.memory_ == nullptr) {
    TellUnmapped("the tables of its interface", size, errno);
    return region;
  }
  region.size_ = size;
  region.counts_ = counts;
  region.pid_ = getpid();
  region.own_ = true;
  auto& header = *static_cast<RegionHeader*>(region.memory_);
  header.version = kRegionVersion;
  header.owner = ThisProcess();
  header.uid = identity.uid;
  header.nid = identity.nid;
  header.pid = identity.pid;
  header.kind = identity.kind;
  header.max_list_size = identity.max_list_size;
  header.coherent = identity.coherent;
  header.counts = counts;
  region.held_ = HoldLife(header.life);
  header.state.store(RegionHeader::kReady, std::memory_order_release);
  return region;
}

Region Region::Attach(uint32_t nid, uint32_t pid, uint32_t kind,
                      Claimer& claimer) {
  const NoCancellation whole;
  const std::string label = LabelOf(nid, pid, kind);
  const pid_t process = claimer.Find(nid, pid);
  if (process != kUntold) {
    bool refused = false;
    UniqueFd file = OpenLabelled(process, label, refused);
    if (!file.valid() && refused) {
      file = claimer.Ask(nid, pid, label);
    }
    return AttachTo(process, std::move(file));
  }
  const Directory processes(opendir("/proc"), &closedir);
  if (processes == nullptr) return Region();
  while (const dirent* const entry = readdir(processes.get())) {
    // `candidate` is 0 if the name is not a number. No process has the number
    // 0.
    const pid_t candidate = std::atoi(entry->d_name);
    bool refused = false;
    Region region =
        AttachTo(candidate, OpenLabelled(candidate, label, refused));
    if (region.valid()) return region;
  }
  return Region();
}

Region Region::AttachTo(pid_t process, UniqueFd file) {
  Region region;
  struct stat about;
  if (process <= 0 || !file.valid() || fstat(file.get(), &about) != 0 ||
      about.st_uid != geteuid()) {
    return region;
  }
  const auto size = static_cast<size_t>(about.st_size);
  if (size < sizeof(RegionHeader) || !IsWhole(file.get())) return region;
  void* const memory = MapAll(file.get(), size);
  if (memory == nullptr) {
    TellUnmapped("the tables of process " + std::to_string(process), size,
                 errno);
    return region;
  }
  region.memory_ = memory;
  region.size_ = size;
  region.pid_ = process;
  const auto& header = *static_cast<const RegionHeader*>(memory);
  const bool ready =
      header.state.load(std::memory_order_acquire) == RegionHeader::kReady;
  // Read only once: a process may change the counts between the check and the
  // use.
  region.counts_ = header.counts;
  // The owner's number is checked: a forked child of the owner has the same
  // file, but is not the owner.
  if (!ready || header.version != kRegionVersion ||
      PidOf(header.owner) != process ||
      !RegionLayout::AreAcceptable(region.counts_) ||
      RegionLayout(region.counts_).total() > size) {
    return Region();
  }
  return region;
}

void Region::Retire() {
  static_cast<RegionHeader*>(memory_)->state.store(RegionHeader::kGone,
                                                   std::memory_order_release);
}

void Region::Close() {
  released_ =
      ReleaseLife(*static_cast<RegionHeader*>(memory_), file_.get(), held_);
  file_.Reset();
}

}  // namespace gasnet::portals4
