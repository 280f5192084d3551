/* Settings from the environment.
 *
 * In a client of gasnet.h, these functions read the same environment as
 * gasnet_getenv. From gasnet_init on, this is the environment with which the
 * job was spawned. It is the same on every node.
 *
 * With GASNET_VERBOSEENV=1, node 0 alone reports each variable on stderr the
 * first time that the variable is read:
 *   ENV parameter: NAME = value   (default)
 */
#ifndef GASNET_TOOLS_ENVIRONMENT_H_
#define GASNET_TOOLS_ENVIRONMENT_H_

#include <stdint.h>

#include "gasnet_tools/annotations.h"

GASNETT_BEGIN_EXTERNC

/* Returns the value of variable `key`, or NULL. Do not write to the string.
 * The string is valid until the variable is set again. */
char *gasnett_getenv(const char *key);

/* Sets the variable for this process. getenv and all functions of this file
 * then return the new value. The strings are copied. Illegal while another
 * thread reads a variable. */
void gasnett_setenv(const char *key, const char *value);

/* Removes the variable from this process. getenv and all functions of this file
   then treat the variable as unset. */
void gasnett_unsetenv(const char *key);

/* Returns the value of a variable, or the pointer `dflt`. */
char *gasnett_getenv_withdefault(const char *key, const char *dflt);

/* Return the value of a variable, or `dflt` if the variable is unset or empty.
 * An invalid value ends the process with a message that names the variable, the
 * value and the accepted values.
 * - yesno: accepts 1, yes, y, true, on and 0, no, n, false, off, in upper
 *   or lower case. Returns 1 or 0.
 * - int: gasnett_parse_int explains the values and mem_size_multiplier.
 * - dbl: accepts a finite number in decimal or exponent notation. */
int gasnett_getenv_yesno_withdefault(const char *key, int dflt);
int64_t gasnett_getenv_int_withdefault(const char *key, int64_t dflt,
                                       uint64_t mem_size_multiplier);
double gasnett_getenv_dbl_withdefault(const char *key, double dflt);

/* Returns nonzero if this process reports variables. */
int gasnett_verboseenv(void);

/* Report a variable that the program has read itself, in the form shown at the
 * top of this file. The variable may have any name. is_dflt is nonzero if the
 * value is the default. is_mem_size is nonzero to print the value as a size. */
void gasnett_envint_display(const char *key, int64_t value, int is_dflt,
                            int is_mem_size);
void gasnett_envdbl_display(const char *key, double value, int is_dflt);
void gasnett_envstr_display(const char *key, const char *value, int is_dflt);

GASNETT_END_EXTERNC

#endif /* GASNET_TOOLS_ENVIRONMENT_H_ */
