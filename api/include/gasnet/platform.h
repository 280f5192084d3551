/* Unprefixed names that programs expect from gasnet.h and gasnet_tools.h. The
 * names describe the platform and its features. If the program or another
 * library's header has already defined a name, that definition stays. A header
 * that defines the same name later causes no conflict.
 *
 * Two names are deliberately never defined: HAVE_SRAND_DETERMINISTIC and
 * PLATFORM_ARCH_32.
 */
#ifndef GASNET_PLATFORM_H_
#define GASNET_PLATFORM_H_

#if __SIZEOF_POINTER__ != 8
#error "GASNet needs a processor with 64-bit addresses"
#endif

/* Programs expect PLATFORM_ARCH_32 or PLATFORM_ARCH_64. GASNet supports only
   64-bit processors. */
#ifndef PLATFORM_ARCH_64
#define PLATFORM_ARCH_64 1
#endif

/* The compiler of this file, as a bare token and as a string. Open MPI's mpi.h
 * defines both macros without a guard. So the token is the same as in mpi.h,
 * even with clang. The string is an array, so that a later macro may hide it
 * without a conflict. */
#ifndef PLATFORM_COMPILER_FAMILYNAME
#define PLATFORM_COMPILER_FAMILYNAME GNU
#endif
#ifndef PLATFORM_COMPILER_VERSION_STR
static const char PLATFORM_COMPILER_VERSION_STR[] __attribute__((__unused__)) =
    __VERSION__;
#endif

/* The sizes in bytes of an int and of a gasnet_register_value_t. */
#ifndef SIZEOF_INT
#define SIZEOF_INT 4
#endif
#ifndef SIZEOF_GASNET_REGISTER_VALUE_T
#define SIZEOF_GASNET_REGISTER_VALUE_T 8
#endif

#ifndef HAVE_MMAP
#define HAVE_MMAP 1
#endif
#ifndef HAVE_PTHREAD_H
#define HAVE_PTHREAD_H 1
#endif
/* Strictly standard C gets no pthread_setconcurrency from <pthread.h>. */
#if defined(_GNU_SOURCE) && !defined(HAVE_PTHREAD_SETCONCURRENCY)
#define HAVE_PTHREAD_SETCONCURRENCY 1
#endif

/* GASNETI_CAST casts between numbers, and from a pointer to a more specific
 * type. GASNETI_BIT_CAST casts between addresses and numbers. In C++ both use
 * C++ casts, since a C++ program may enable warnings about C casts
 * (-Wold-style-cast). */
#ifdef __cplusplus
#define GASNETI_CAST(type, value) static_cast<type>(value)
#define GASNETI_BIT_CAST(type, value) reinterpret_cast<type>(value)
#else
#define GASNETI_CAST(type, value) ((type)(value))
#define GASNETI_BIT_CAST(type, value) ((type)(value))
#endif

/* Expands x, and makes the expansion a string literal. */
#ifndef _STRINGIFY
#define GASNETTI_STRINGIFY_UNEXPANDED(x) #x
#define _STRINGIFY(x) GASNETTI_STRINGIFY_UNEXPANDED(x)
#endif

/* `if` with a hint: cond is nearly always false (if_pf) or true (if_pt). */
#ifndef if_pf
#define if_pf(cond) if (__builtin_expect(!!(cond), 0))
#endif
#ifndef if_pt
#define if_pt(cond) if (__builtin_expect(!!(cond), 1))
#endif

#endif /* GASNET_PLATFORM_H_ */
