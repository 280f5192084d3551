/* Annotations of declarations, the same in C and C++. */
#ifndef GASNET_TOOLS_ANNOTATIONS_H_
#define GASNET_TOOLS_ANNOTATIONS_H_

/* C linkage for one declaration, or for all between BEGIN and END. */
#ifdef __cplusplus
#define GASNETT_EXTERNC extern "C"
#define GASNETT_BEGIN_EXTERNC extern "C" {
#define GASNETT_END_EXTERNC }
#else
#define GASNETT_EXTERNC extern
#define GASNETT_BEGIN_EXTERNC
#define GASNETT_END_EXTERNC
#endif

/* The name of the enclosing function, a const char *. */
#define GASNETT_CURRENT_FUNCTION (__extension__ __func__)

/* Begins the definition of function fn in a header:
 *   GASNETT_INLINE(twice) int twice(int x) { return 2 * x; } */
#define GASNETT_INLINE(fn) static __inline__ __attribute__((__unused__))

/* The function answers new memory, which nothing else points to. After
 * GASNETT_INLINE(fn) of a definition or after the declarator of a
 * declaration. */
#define GASNETT_MALLOC __attribute__((__malloc__))

/* The function never returns. Before a definition or after the declarator of a
 * declaration. */
#define GASNETT_NORETURN __attribute__((__noreturn__))
/* The same of a function that is declared already; gcc and clang have seen all
 * they need at its declaration. Takes no semicolon. */
#define GASNETT_NORETURNP(fn)

/* Declares that fn, whose declarator is the rest of the arguments, takes a
 * format of printf as argument fmtarg and its values from argument firstvararg
 * on (counted from 1):
 *   void GASNETT_FORMAT_PRINTF(say, 1, 2, say(const char *format, ...)) {...}
 */
#pragma GCC diagnostic push /* C90 has no such macros */
#pragma GCC diagnostic ignored "-Wvariadic-macros"
#define GASNETT_FORMAT_PRINTF(fn, fmtarg, firstvararg, ...) \
  __attribute__((__format__(__printf__, fmtarg, firstvararg))) __VA_ARGS__
#pragma GCC diagnostic pop

#define GASNETT_RESTRICT __restrict__

/* Kept even by a linker that collects unused sections. */
#if defined(__has_attribute)
#if __has_attribute(retain)
#define GASNETTI_KEEP __attribute__((used, retain))
#endif
#endif
#ifndef GASNETTI_KEEP
#define GASNETTI_KEEP __attribute__((used))
#endif

/* GASNETT_IDENT(name, "text"); at file scope leaves the text in the executable,
 * where strings(1) finds it. The same name may come again in a program and in a
 * file. */
#define GASNETTI_IDENT_NUMBERED(name, number, text) \
  static const char name##_##number[] GASNETTI_KEEP = text
#define GASNETTI_IDENT_EXPANDED(name, number, text) \
  GASNETTI_IDENT_NUMBERED(name, number, text)
#define GASNETT_IDENT(name, text) \
  GASNETTI_IDENT_EXPANDED(name, __COUNTER__, text)

#endif /* GASNET_TOOLS_ANNOTATIONS_H_ */
