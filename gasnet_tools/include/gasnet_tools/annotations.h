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

/* Defines function fn, which is never inlined. The remaining arguments are its
 * definition. */
#pragma GCC diagnostic push /* C90 has no variadic macros */
#pragma GCC diagnostic ignored "-Wvariadic-macros"
#define GASNETT_NEVER_INLINE(fn, ...) __attribute__((__noinline__)) __VA_ARGS__
#pragma GCC diagnostic pop

/* States that the function returns new memory, to which no other pointer
 * points. Placed after GASNETT_INLINE(fn) of a definition or after the
 * declarator of a declaration.
 */
#define GASNETT_MALLOC __attribute__((__malloc__))

/* States that the function never returns. Placed before a definition or after
 * the declarator of a declaration. */
#define GASNETT_NORETURN __attribute__((__noreturn__))
/* PURE states that the result depends only on the arguments and on memory,
 * CONST that it depends only on the arguments. Place them like
 * GASNETT_NORETURN. */
#define GASNETT_PURE __attribute__((__pure__))
#define GASNETT_CONST __attribute__((__const__))
/* State a property of a function that is already declared. They have no effect,
 * since gcc and clang use the attributes of the declaration. No semicolon
 * follows. */
#define GASNETT_NORETURNP(fn)
#define GASNETT_MALLOCP(fn)
#define GASNETT_PUREP(fn)
#define GASNETT_CONSTP(fn)

/* State a property of the function: it is called often, or hardly ever; it is
 * deprecated; or its caller must use the result. Place them like
 * GASNETT_NORETURN. */
#define GASNETT_HOT __attribute__((__hot__))
#define GASNETT_COLD __attribute__((__cold__))
#define GASNETT_DEPRECATED __attribute__((__deprecated__))
#define GASNETT_WARN_UNUSED_RESULT __attribute__((__warn_unused_result__))

/* States that the function or variable is kept even if it seems unused. */
#define GASNETT_USED __attribute__((__used__))

/* Declares that fn takes a printf format as argument number fmtarg, and the
 * format's values from argument number firstvararg on (both counted from 1).
 * The remaining arguments are the declarator of fn:
 *   void GASNETT_FORMAT_PRINTF(say, 1, 2, say(const char *format, ...)) {...}
 */
#pragma GCC diagnostic push /* C90 has no variadic macros */
#pragma GCC diagnostic ignored "-Wvariadic-macros"
#define GASNETT_FORMAT_PRINTF(fn, fmtarg, firstvararg, ...) \
  __attribute__((__format__(__printf__, fmtarg, firstvararg))) __VA_ARGS__
/* Like GASNETT_FORMAT_PRINTF, but for a pointer to a function. */
#define GASNETT_FORMAT_PRINTF_FUNCPTR(fn, fmtarg, firstvararg, ...) \
  __VA_ARGS__ __attribute__((__format__(__printf__, fmtarg, firstvararg)))
#pragma GCC diagnostic pop

#define GASNETT_RESTRICT __restrict__

/* The value of expr, with a hint that it is nearly always nonzero, or nearly
 * always 0. */
#define GASNETT_PREDICT_TRUE(expr) __builtin_expect(!!(expr), 1)
#define GASNETT_PREDICT_FALSE(expr) __builtin_expect(!!(expr), 0)

/* 1 if the compiler knows the value of expr, else 0. */
#define gasnett_constant_p(expr) __builtin_constant_p(expr)

/* States that this point is never reached. */
#define gasnett_unreachable() __builtin_unreachable()

/* Marks the end of a case that falls through to the next one. No semicolon
 * follows. */
#define GASNETT_FALLTHROUGH __attribute__((__fallthrough__));

/* Evaluate each argument once and discard the values. */
#define GASNETT_UNUSED_ARGS1(a) ((void)(a))
#define GASNETT_UNUSED_ARGS2(a, b) (GASNETT_UNUSED_ARGS1(a), (void)(b))
#define GASNETT_UNUSED_ARGS3(a, b, c) (GASNETT_UNUSED_ARGS2(a, b), (void)(c))
#define GASNETT_UNUSED_ARGS4(a, b, c, d) \
  (GASNETT_UNUSED_ARGS3(a, b, c), (void)(d))
#define GASNETT_UNUSED_ARGS5(a, b, c, d, e) \
  (GASNETT_UNUSED_ARGS4(a, b, c, d), (void)(e))
#define GASNETT_UNUSED_ARGS6(a, b, c, d, e, f) \
  (GASNETT_UNUSED_ARGS5(a, b, c, d, e), (void)(f))
#define GASNETT_UNUSED_ARGS7(a, b, c, d, e, f, g) \
  (GASNETT_UNUSED_ARGS6(a, b, c, d, e, f), (void)(g))
#define GASNETT_UNUSED_ARGS8(a, b, c, d, e, f, g, h) \
  (GASNETT_UNUSED_ARGS7(a, b, c, d, e, f, g), (void)(h))

/* Keeps the object even if the linker discards unused sections. */
#if defined(__has_attribute)
#if __has_attribute(retain)
#define GASNETTI_KEEP __attribute__((used, retain))
#endif
#endif
#ifndef GASNETTI_KEEP
#define GASNETTI_KEEP __attribute__((used))
#endif

/* Write GASNETT_IDENT(name, "text"); at file scope. It leaves the text in the
 * executable, where strings(1) finds it. The same name may be used several
 * times in a program and in a file. */
#define GASNETTI_IDENT_NUMBERED(name, number, text) \
  static const char name##_##number[] GASNETTI_KEEP = text
#define GASNETTI_IDENT_EXPANDED(name, number, text) \
  GASNETTI_IDENT_NUMBERED(name, number, text)
#define GASNETT_IDENT(name, text) \
  GASNETTI_IDENT_EXPANDED(name, __COUNTER__, text)

#endif /* GASNET_TOOLS_ANNOTATIONS_H_ */
