// The threading mode of this build of the library (spec 1.5), as constants, so
// that code need not use the preprocessor.
#ifndef CORE_THREAD_MODE_H_
#define CORE_THREAD_MODE_H_

namespace gasnet::thread {

#if defined(GASNET_PAR)
// Client threads call GASNet concurrently.
inline constexpr bool kConcurrent = true;
inline constexpr bool kManyThreads = true;
#elif defined(GASNET_PARSYNC)
// Several client threads call GASNet, but never two at a time.
inline constexpr bool kConcurrent = false;
inline constexpr bool kManyThreads = true;
#else
inline constexpr bool kConcurrent = false;
inline constexpr bool kManyThreads = false;
#endif

#if defined(GASNET_DEBUG)
// Enables every check of the specification's rules.
inline constexpr bool kChecks = true;
#else
inline constexpr bool kChecks = false;
#endif

}  // namespace gasnet::thread

#endif  // CORE_THREAD_MODE_H_
