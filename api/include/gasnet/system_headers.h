/* The C library headers that existing programs expect gasnet.h and
 * gasnet_tools.h to include. A program that itself includes all headers it
 * needs can define GASNET_STRICT_INCLUDES before it includes either of the two.
 */
#ifndef GASNET_SYSTEM_HEADERS_H_
#define GASNET_SYSTEM_HEADERS_H_

#ifndef GASNET_STRICT_INCLUDES
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(GASNET_PAR) || defined(GASNET_PARSYNC)
#include <pthread.h> /* needed by gasnet_tools/lock.h */
#endif
#endif

#endif /* GASNET_SYSTEM_HEADERS_H_ */
