#include "job/profiles.h"

// Of the program: each is there only if some of it is compiled for that
// profiler. gcc keeps __gcov_exit, which every such program has, from shared
// libraries; those see __gcov_dump where the program shows it.
extern "C" {
[[gnu::weak]] void __gcov_exit();               // NOLINT
[[gnu::weak]] void __gcov_dump();               // NOLINT
[[gnu::weak]] int __llvm_profile_write_file();  // NOLINT
[[gnu::weak]] void __gmon_start__();            // NOLINT
[[gnu::weak]] void _mcleanup();                 // NOLINT
}

namespace gasnet::job {

void WriteProfiles() {
  if (__gcov_exit != nullptr) {
    __gcov_exit();
  } else if (__gcov_dump != nullptr) {
    __gcov_dump();
  }
  if (__llvm_profile_write_file != nullptr) __llvm_profile_write_file();
  // The C library always has the second, and would write what nobody counted.
  if (__gmon_start__ != nullptr && _mcleanup != nullptr) _mcleanup();
}

}  // namespace gasnet::job
