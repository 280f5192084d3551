/* Unprefixed names that describe the target platform. The value of a name is 1,
 * or the bare token of a family. Names of other platforms are not defined.
 * Programs include this header explicitly; gasnet/platform.h has the names that
 * gasnet.h defines.
 *
 * All definitions are written so that another library's header may repeat them
 * without a conflict.
 */
#ifndef GASNET_PORTABLE_PLATFORM_H_
#define GASNET_PORTABLE_PLATFORM_H_

#include "gasnet/platform.h"

/* The compiler. */
#ifdef __clang__
#ifndef PLATFORM_COMPILER_CLANG
#define PLATFORM_COMPILER_CLANG 1
#endif
#elif !defined(PLATFORM_COMPILER_GNU)
#define PLATFORM_COMPILER_GNU 1
#endif

/* The system. */
#ifndef PLATFORM_OS_LINUX
#define PLATFORM_OS_LINUX 1
#endif
#ifndef PLATFORM_OS_FAMILYNAME
#define PLATFORM_OS_FAMILYNAME LINUX
#endif

/* The processor. */
#if defined(__x86_64__)
#ifndef PLATFORM_ARCH_X86_64
#define PLATFORM_ARCH_X86_64 1
#endif
#ifndef PLATFORM_ARCH_FAMILYNAME
#define PLATFORM_ARCH_FAMILYNAME X86_64
#endif
#elif defined(__aarch64__)
#ifndef PLATFORM_ARCH_AARCH64
#define PLATFORM_ARCH_AARCH64 1
#endif
#ifndef PLATFORM_ARCH_FAMILYNAME
#define PLATFORM_ARCH_FAMILYNAME AARCH64
#endif
#elif defined(__powerpc64__)
#ifndef PLATFORM_ARCH_POWERPC
#define PLATFORM_ARCH_POWERPC 1
#endif
#ifndef PLATFORM_ARCH_FAMILYNAME
#define PLATFORM_ARCH_FAMILYNAME POWERPC
#endif
#endif
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#ifndef PLATFORM_ARCH_LITTLE_ENDIAN
#define PLATFORM_ARCH_LITTLE_ENDIAN 1
#endif
#elif !defined(PLATFORM_ARCH_BIG_ENDIAN)
#define PLATFORM_ARCH_BIG_ENDIAN 1
#endif

#endif /* GASNET_PORTABLE_PLATFORM_H_ */
