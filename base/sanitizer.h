// Which sanitizer this code is built with, for the few places that must tell it
// what it cannot see.
#ifndef GASNET_BASE_SANITIZER_H_
#define GASNET_BASE_SANITIZER_H_

namespace gasnet {

#if defined(__SANITIZE_THREAD__)
inline constexpr bool kThreadSanitizer = true;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
inline constexpr bool kThreadSanitizer = true;
#else
inline constexpr bool kThreadSanitizer = false;
#endif
#else
inline constexpr bool kThreadSanitizer = false;
#endif

}  // namespace gasnet

#endif  // GASNET_BASE_SANITIZER_H_
