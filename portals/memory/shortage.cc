#include "portals/memory/shortage.h"

#include <errno.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <memory>

#include "base/log.h"

namespace gasnet::portals4 {
namespace {

// Returns the size of the address space that this process uses, in bytes.
uint64_t AddressesInUse() {
  const std::unique_ptr<FILE, int (*)(FILE*)> file(
      std::fopen("/proc/self/statm", "re"), &std::fclose);
  uint64_t pages = 0;
  if (file == nullptr || std::fscanf(file.get(), "%" SCNu64, &pages) != 1) {
    return 0;
  }
  return pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

// Returns the name of a process's program, or an empty string if it cannot be
// read.
std::string NameOfProcess(int pid) {
  const std::string path = "/proc/" + std::to_string(pid) + "/comm";
  const std::unique_ptr<FILE, int (*)(FILE*)> file(
      std::fopen(path.c_str(), "re"), &std::fclose);
  char name[32] = "";
  if (file == nullptr || std::fscanf(file.get(), "%31[^\n]", name) != 1) {
    return "";
  }
  return std::string(" (") + name + ")";
}

bool IsFirst(std::atomic<bool>& told) {
  return !told.exchange(true, std::memory_order_relaxed);
}

}  // namespace

void TellUnmapped(const std::string& what, size_t size, int error) {
  static std::atomic<bool> told{false};
  if (!IsFirst(told)) return;
  rlimit limit;
  const bool limited = error == ENOMEM && getrlimit(RLIMIT_AS, &limit) == 0 &&
                       limit.rlim_cur != RLIM_INFINITY;
  if (!limited) {
    return Warn("Portals: cannot map %zu bytes, %s: %s", size, what.c_str(),
                strerror(error));
  }
  Warn(
      "Portals: cannot map %zu bytes, %s: this process may have %" PRIu64
      " bytes of addresses ('ulimit -v', RLIMIT_AS), and has %" PRIu64
      ". It needs as many for itself and for each process of this host that it "
      "talks to, of which most are never touched; 'ulimit -v unlimited' lifts "
      "the limit",
      size, what.c_str(), static_cast<uint64_t>(limit.rlim_cur),
      AddressesInUse());
}

void TellShut(int pid) {
  static std::atomic<bool> told{false};
  if (!IsFirst(told)) return;
  Warn(
      "Portals: process %d%s does not let this process open its descriptors "
      "(it is setuid, has file capabilities, is not dumpable, or has more "
      "capabilities than this process), and did not hand out its memory",
      pid, NameOfProcess(pid).c_str());
}

void TellTaken(const std::string& socket, int pid, unsigned user) {
  static std::atomic<bool> told{false};
  if (!IsFirst(told)) return;
  if (pid == 0) {
    return Warn(
        "PtlNIInit: the identifier is taken: another process, which "
        "does not answer, has the socket @%s",
        socket.c_str());
  }
  Warn(
      "PtlNIInit: the identifier is taken: process %d%s of user %u has the "
      "socket @%s; this process is of user %u",
      pid, NameOfProcess(pid).c_str(), user, socket.c_str(), geteuid());
}

}  // namespace gasnet::portals4
