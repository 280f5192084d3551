#include "gasnet_tools/backtrace.h"
#include "absl/strings/match.h"

#include <dlfcn.h>
#include <elf.h>
#include <execinfo.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/failure.h"
#include "base/syscall.h"
#include "base/tuning.h"
#include "gasnet_tools/environment.h"
#include "gasnet_tools/src/client.h"
#include "gasnet_tools/src/crash_backtrace.h"
#include "gasnet_tools/src/export.h"
#include "gasnet_tools/src/symbols.h"

GASNETTI_EXPORT gasnett_backtrace_type_t gasnett_backtrace_user;
gasnett_backtrace_type_t gasnett_backtrace_user = {};

namespace gasnet::tools {
namespace {

constexpr char kThisProgram[] = "/proc/self/exe";
constexpr const char* kDefaultTypes = "USER,EXECINFO";

// A copy of the argument of gasnett_backtrace_init; never freed.
std::atomic<const char*> program_file{nullptr};

// Returns true if the file is the program's executable. In the executable the
// program headers, to which AT_PHDR points, directly follow the ELF header at
// the base.
bool IsProgram(const Dl_info& info) {
  return getauxval(AT_PHDR) - reinterpret_cast<uintptr_t>(info.dli_fbase) <
         sizeof(Elf64_Ehdr) + 1;
}

// Returns the path of the file. dladdr(3) knows the program's own file only by
// the name that the user typed. That name may be relative.
const char* FileOf(const Dl_info& info) {
  if (!IsProgram(info)) return info.dli_fname;
  const char* told = program_file.load(std::memory_order_acquire);
  return access(kThisProgram, R_OK) == 0 || told == nullptr ? kThisProgram
                                                            : told;
}

// Returns an address inside the function that made the call. The return address
// itself may be just after that function's last byte.
uintptr_t CallOf(void* frame) { return reinterpret_cast<uintptr_t>(frame) - 1; }

void PrintFrame(int fd, int number, void* frame) {
  Dl_info info = {};
  dladdr(reinterpret_cast<void*>(CallOf(frame)), &info);
  const char* name = info.dli_fname != nullptr ? info.dli_fname : "";
  const SymbolFile symbols(*name != '\0' ? FileOf(info) : name);
  Symbol symbol =
      symbols.Find(CallOf(frame), reinterpret_cast<uintptr_t>(info.dli_fbase));
  if (symbol.name == nullptr && info.dli_sname != nullptr) {
    symbol = {info.dli_sname,
              CallOf(frame) - reinterpret_cast<uintptr_t>(info.dli_saddr)};
  }
  char line[1024];
  const int length =
      snprintf(line, sizeof line, "#%d %p in %s+%#jx (%s)\n", number, frame,
               symbol.name != nullptr ? symbol.name : "??",
               uintmax_t{symbol.offset}, name);
  WriteFull(fd, line, std::min<size_t>(length, sizeof line - 1));
}

int PrintOwnBacktrace(int fd) {
  void* frames[kBacktraceCalls];
  const int count = backtrace(frames, kBacktraceCalls);
  for (int i = 0; i < count; ++i) PrintFrame(fd, i, frames[i]);
  return count > 0 ? 0 : 1;
}

int PrintUserBacktrace(int fd) {
  return gasnett_backtrace_user.fnp == nullptr ? 1
                                               : gasnett_backtrace_user.fnp(fd);
}

bool IsUser(std::string_view type) {
  return absl::EqualsIgnoreCase(type, "USER") ||
         (gasnett_backtrace_user.name != nullptr &&
          absl::EqualsIgnoreCase(type, gasnett_backtrace_user.name));
}

int PrintAs(std::string_view type, int fd) {
  if (absl::EqualsIgnoreCase(type, "EXECINFO")) return PrintOwnBacktrace(fd);
  return IsUser(type) ? PrintUserBacktrace(fd) : 1;
}

std::string_view Types() {
  const char* types = gasnett_getenv("GASNET_BACKTRACE_TYPE");
  return types == nullptr || *types == '\0' ? kDefaultTypes : types;
}

int PrintFirstPossible(std::string_view types, int fd) {
  while (!types.empty()) {
    const size_t end = std::min(types.find(','), types.size());
    if (PrintAs(types.substr(0, end), fd) == 0) return 0;
    types.remove_prefix(std::min(end + 1, types.size()));
  }
  return 1;
}

// A copy of GASNET_BACKTRACE_TYPE that signal handlers can read; never freed.
std::atomic<const char*> crash_types{kDefaultTypes};

int PrintCrashBacktrace(int fd) {
  return PrintFirstPossible(crash_types.load(std::memory_order_acquire), fd);
}

}  // namespace

void PrepareCrashBacktraces() {
  const std::string types(Types());
  crash_types.store(strdup(types.c_str()), std::memory_order_release);
  SetBacktracePrinter(PrintCrashBacktrace);
}

}  // namespace gasnet::tools

GASNETTI_EXPORT void gasnett_backtrace_init(const char* exename) {
  if (exename != nullptr) {
    gasnet::tools::program_file.store(strdup(exename),
                                      std::memory_order_release);
  }
  // Calls backtrace(3) once now, because the first call loads libgcc_s. A
  // signal handler must not load a library.
  void* frame;
  backtrace(&frame, 1);
  gasnet::tools::EnsureFailureHandling();
}

GASNETTI_EXPORT int gasnett_print_backtrace(int fd) {
  return gasnet::tools::PrintFirstPossible(gasnet::tools::Types(), fd);
}

GASNETTI_EXPORT int (*gasnett_print_backtrace_ifenabled)(int fd);
int (*gasnett_print_backtrace_ifenabled)(int fd) = [](int fd) {
  return gasnett_getenv_yesno_withdefault("GASNET_BACKTRACE", 0) != 0
             ? gasnett_print_backtrace(fd)
             : 1;
};
