// Constants that tell which sanitizer this build uses. Code that must behave
// differently under a sanitizer, or must inform it, tests them. GCC announces a
// sanitizer by a macro, clang by __has_feature.
#ifndef BASE_SANITIZER_H_
#define BASE_SANITIZER_H_

#if defined(__has_feature)
#define GASNETI_HAS_FEATURE(feature) __has_feature(feature)
#else
#define GASNETI_HAS_FEATURE(feature) 0
#endif

namespace gasnet {

#if defined(__SANITIZE_THREAD__) || GASNETI_HAS_FEATURE(thread_sanitizer)
inline constexpr bool kThreadSanitizer = true;
#else
inline constexpr bool kThreadSanitizer = false;
#endif

#if defined(__SANITIZE_ADDRESS__) || GASNETI_HAS_FEATURE(address_sanitizer)
inline constexpr bool kAddressSanitizer = true;
#else
inline constexpr bool kAddressSanitizer = false;
#endif

}  // namespace gasnet

#undef GASNETI_HAS_FEATURE

#endif  // BASE_SANITIZER_H_
