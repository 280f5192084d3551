/* Settings from the environment.
 *
 * In a client of gasnet.h the environment is that of gasnet_getenv: from
 * gasnet_init on the one the job was spawned with, the same on every node.
 *
 * With GASNET_VERBOSEENV=1 every variable is reported on stderr the first time
 * it is asked for, by node 0 alone:
 *   ENV parameter: NAME = value   (default)
 */
#ifndef GASNET_TOOLS_ENVIRONMENT_H_
#define GASNET_TOOLS_ENVIRONMENT_H_

#include <stdint.h>

#include "gasnet_tools/annotations.h"

GASNETT_BEGIN_EXTERNC

/* The value of variable `key`, or NULL. Not to be written to; lives until the
 * variable is set again. */
char *gasnett_getenv(const char *key);

/* Sets the variable for this process, for getenv and all functions here. The
 * strings are copied. Not while another thread asks for a variable. */
void gasnett_setenv(const char *key, const char *value);

/* Removes the variable from this process in the same way. */
void gasnett_unsetenv(const char *key);

/* The value of a variable, or `dflt`, which lives as long as its owner says. */
char *gasnett_getenv_withdefault(const char *key, const char *dflt);

/* The value of a variable, or `dflt` if it is unset or empty. A value that
 * cannot be read ends the process with a message that names the variable, the
 * value and what is accepted.
 *
 * yesno: 1, yes, y, true, on; 0, no, n, false, off; in any case. Answers 1 or
 * 0. int: see gasnett_parse_int for the values and for mem_size_multiplier.
 * dbl: a finite number in decimal or exponent notation. */
int gasnett_getenv_yesno_withdefault(const char *key, int dflt);
int64_t gasnett_getenv_int_withdefault(const char *key, int64_t dflt,
                                       uint64_t mem_size_multiplier);
double gasnett_getenv_dbl_withdefault(const char *key, double dflt);

/* Nonzero if this process reports variables. */
int gasnett_verboseenv(void);

/* Report a variable that the program has read by itself, as above, whatever its
 * name: its value, which is the default if is_dflt. is_mem_size: as a size. */
void gasnett_envint_display(const char *key, int64_t value, int is_dflt,
                            int is_mem_size);
void gasnett_envdbl_display(const char *key, double value, int is_dflt);
void gasnett_envstr_display(const char *key, const char *value, int is_dflt);

GASNETT_END_EXTERNC

#endif /* GASNET_TOOLS_ENVIRONMENT_H_ */
