// Tells ThreadSanitizer that Abseil's mutexes order the accesses of a waiting
// thread. Releases of Abseil before 2023 do not do so themselves.
// ThreadSanitizer does not see how a mutex passes on the record of a waiting
// thread. So it would report a race between making the record and using it.

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
extern "C" const char* __tsan_default_suppressions();

const char* __tsan_default_suppressions() {
  return "race:^absl::*synchronization_internal::Waiter::Post";
}
#endif
#endif
