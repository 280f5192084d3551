/* There are two ways to print the backtrace of a thread, that is, its chain of
 * calls:
 * - EXECINFO is the library's own way. It prints the stack of the calling
 *   thread, with the names of functions.
 * - USER is the client's way.
 *
 * The environment variable GASNET_BACKTRACE_TYPE lists one way or several,
 * separated by commas, in the order in which they are tried. The default is
 * USER,EXECINFO. The list may name the client's way by the client's own name
 * instead of USER. Unknown ways are ignored.
 */
#ifndef GASNET_TOOLS_BACKTRACE_H_
#define GASNET_TOOLS_BACKTRACE_H_

#include "gasnet_tools/annotations.h"

GASNETT_BEGIN_EXTERNC

/* A client's way to print a backtrace. */
typedef struct {
  const char *name;   /* for GASNET_BACKTRACE_TYPE; may be NULL */
  int (*fnp)(int fd); /* prints to fd; returns 0 on success. NULL: none */
  int threadsupport;  /* nonzero if it shows all threads; ignored */
} gasnett_backtrace_type_t;

/* The client's way to print a backtrace. A client that has such a way
 * defines this variable, with an initialiser. Otherwise the library's
 * definition is used. It is all zero. */
extern gasnett_backtrace_type_t gasnett_backtrace_user;

/* Prepares for backtraces. `exename` is the program's file; it may be NULL. The
 * library reads the names of functions from `exename` if it cannot find the
 * program's file through /proc. From here on GASNET_BACKTRACE=1 and
 * GASNET_FREEZE_ON_ERROR=1 also apply to crashes of a program without
 * gasnet_init. Call it once, first in main. */
void gasnett_backtrace_init(const char *exename);

/* Prints the stack of the calling thread to a file descriptor, regardless of
 * GASNET_BACKTRACE. Returns 0 on success. */
int gasnett_print_backtrace(int fd);

/* Like gasnett_print_backtrace, but prints only if GASNET_BACKTRACE is on, and
 * returns nonzero otherwise. A client may replace the function. */
extern int (*gasnett_print_backtrace_ifenabled)(int fd);

GASNETT_END_EXTERNC

#endif /* GASNET_TOOLS_BACKTRACE_H_ */
