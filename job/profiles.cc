#include "job/profiles.h"

// Functions of the program. Each exists only if a part of the program is
// compiled for the function's profiler. Every program for gcov has __gcov_exit,
// but gcc hides it from shared libraries. They see __gcov_dump instead, if the
// program exports it.
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
  // Tests __gmon_start__ too, because the C library always has _mcleanup.
  // Without -pg, _mcleanup would write a file without counts.
  if (__gmon_start__ != nullptr && _mcleanup != nullptr) _mcleanup();
}

}  // namespace gasnet::job
