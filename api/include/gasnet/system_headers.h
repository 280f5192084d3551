/* The headers of the C library that existing programs expect of gasnet.h and
 * gasnet_tools.h, and do not include themselves. A program that would rather
 * name what it uses defines GASNET_STRICT_INCLUDES before it includes either.
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
#include <pthread.h> /* the tools alone: gasnet_tools/lock.h */
#endif
#endif

#endif /* GASNET_SYSTEM_HEADERS_H_ */
