/* Macros for handlers with pointer arguments that work on 32-bit and 64-bit
 * processors. Programs include this header explicitly, after or in place of
 * gasnet.h. gasnet.h does not include it, because these names have no prefix.
 *
 * A pointer takes one message argument on a 32-bit processor and two on a
 * 64-bit one. So each macro takes an argument count for either kind of
 * processor; this library uses the second count:
 *
 *   static void put_inner(gasnet_token_t token, void *at, int value) {...}
 *
 *   SHORT_HANDLER(put, 2, 3, (token, UNPACK(a0), a1),
 *                 (token, UNPACK2(a0, a1), a2));
 *
 *   gasnet_handlerentry_t table[] = {
 *       gasneti_handler_tableentry_with_bits(put)};
 *
 *   SHORT_REQ(2, 3, (node, gasneti_handleridx(put), PACK(at), value));
 *
 * gasneti_handleridx(put) expands to the name of an index that the program
 * defines.
 */
#ifndef GASNET_HANDLER_H_
#define GASNET_HANDLER_H_

#include "gasnet.h"

/* Convert a pointer to two message arguments and back. */
#define PACK(pointer) GASNETI_HIWORD(pointer), GASNETI_LOWORD(pointer)
#define UNPACK2(high, low) ((void *)GASNETI_MAKEWORD(high, low))
/* Converts a single 32-bit argument to a pointer. */
#define UNPACK(word) ((void *)(uintptr_t)(word))

/* The name of a handler's index, and the handler's entry in the table of
 * gasnet_attach.
 */
#define gasneti_handleridx(name) gasneti_index_of_##name
#define gasneti_handler_tableentry_no_bits(name) \
  { gasneti_handleridx(name), (void (*)())name }
#define gasneti_handler_tableentry_with_bits(name) \
  { gasneti_handleridx(name), (void (*)())name##_64 }

/* The prefix of every handler's definition. A program may define the prefix
 * itself, for example as static. */
#ifndef GASNETI_HANDLER_SCOPE
#define GASNETI_HANDLER_SCOPE
#endif

/* The parameters of a handler after the fixed ones: a0, a1 and so on. */
#define ARGS0
#define ARGS1 ARGS0, gasnet_handlerarg_t a0
#define ARGS2 ARGS1, gasnet_handlerarg_t a1
#define ARGS3 ARGS2, gasnet_handlerarg_t a2
#define ARGS4 ARGS3, gasnet_handlerarg_t a3
#define ARGS5 ARGS4, gasnet_handlerarg_t a4
#define ARGS6 ARGS5, gasnet_handlerarg_t a5
#define ARGS7 ARGS6, gasnet_handlerarg_t a6
#define ARGS8 ARGS7, gasnet_handlerarg_t a7
#define ARGS9 ARGS8, gasnet_handlerarg_t a8
#define ARGS10 ARGS9, gasnet_handlerarg_t a9
#define ARGS11 ARGS10, gasnet_handlerarg_t a10
#define ARGS12 ARGS11, gasnet_handlerarg_t a11
#define ARGS13 ARGS12, gasnet_handlerarg_t a12
#define ARGS14 ARGS13, gasnet_handlerarg_t a13
#define ARGS15 ARGS14, gasnet_handlerarg_t a14
#define ARGS16 ARGS15, gasnet_handlerarg_t a15

/* Declare the handler that a table entry (tableentry_with_bits) names. */
#define SHORT_HANDLER_DECL(name, count32, count64) \
  GASNETI_HANDLER_SCOPE void name##_64(gasnet_token_t token ARGS##count64)
#define MEDIUM_HANDLER_DECL(name, count32, count64)                      \
  GASNETI_HANDLER_SCOPE void name##_64(gasnet_token_t token, void *addr, \
                                       size_t nbytes ARGS##count64)
#define LONG_HANDLER_DECL(name, count32, count64) \
  MEDIUM_HANDLER_DECL(name, count32, count64)

/* Define the handler that the macros above declare. The handler calls
 * name_inner with args64, the arguments in parentheses. args64 may use token,
 * a0, a1 and so on; in a Medium or Long also addr and nbytes. A semicolon
 * follows the macro. */
#define SHORT_HANDLER(name, count32, count64, args32, args64)         \
  SHORT_HANDLER_DECL(name, count32, count64) { name##_inner args64; } \
  struct gasneti_handler_##name
#define MEDIUM_HANDLER(name, count32, count64, args32, args64)         \
  MEDIUM_HANDLER_DECL(name, count32, count64) { name##_inner args64; } \
  struct gasneti_handler_##name
#define LONG_HANDLER(name, count32, count64, args32, args64) \
  MEDIUM_HANDLER(name, count32, count64, args32, args64)

/* Send a message by a call with a fixed number of message arguments, such as
 * gasnet_AMRequestShortM. args are the arguments of that call, in
 * parentheses. */
#define SHORT_REQ(count32, count64, args) gasnet_AMRequestShort##count64 args
#define SHORT_REP(count32, count64, args) gasnet_AMReplyShort##count64 args
#define MEDIUM_REQ(count32, count64, args) gasnet_AMRequestMedium##count64 args
#define MEDIUM_REP(count32, count64, args) gasnet_AMReplyMedium##count64 args
#define LONG_REQ(count32, count64, args) gasnet_AMRequestLong##count64 args
#define LONG_REP(count32, count64, args) gasnet_AMReplyLong##count64 args
#define LONGASYNC_REQ(count32, count64, args) \
  gasnet_AMRequestLongAsync##count64 args

#endif /* GASNET_HANDLER_H_ */
