/* Backtraces: who called whom.
 *
 * There are two ways to print one. EXECINFO is ours: the stack of the calling
 * thread, with the names of functions. USER is the client's. The environment
 * variable GASNET_BACKTRACE_TYPE, one way or several with commas between, says
 * which to try and in which order, the default being USER,EXECINFO. USER may be
 * spelt as the client's own name for it. Ways that we do not have are passed
 * over.
 */
#ifndef GASNET_TOOLS_BACKTRACE_H_
#define GASNET_TOOLS_BACKTRACE_H_

#include "gasnet_tools/annotations.h"

GASNETT_BEGIN_EXTERNC

/* A client's way to print a backtrace. */
typedef struct {
  const char *name;   /* for GASNET_BACKTRACE_TYPE; may be NULL */
  int (*fnp)(int fd); /* prints to fd; 0 if it could. NULL: there is none. */
  int threadsupport;  /* whether it shows all threads; for the reader */
} gasnett_backtrace_type_t;

/* A client that has one defines this variable, with an initialiser. Otherwise
 * the library's definition, all zero, is used. */
extern gasnett_backtrace_type_t gasnett_backtrace_user;

/* Prepares for backtraces. `exename` is the program's file, which is asked for
 * names where /proc does not tell it; may be NULL. From here on, in a program
 * without gasnet_init, GASNET_BACKTRACE=1 and GASNET_FREEZE_ON_ERROR=1 are
 * honoured by crashes too. Call it once, first thing in main. */
void gasnett_backtrace_init(const char *exename);

/* Prints the stack of the calling thread to a file descriptor, whatever
 * GASNET_BACKTRACE says. 0 if that was possible. */
int gasnett_print_backtrace(int fd);

GASNETT_END_EXTERNC

#endif /* GASNET_TOOLS_BACKTRACE_H_ */
