/* GASNet 1.8: the one header a client includes.
 *
 * Define exactly one of GASNET_SEQ, GASNET_PARSYNC or GASNET_PAR before
 * including it (spec 1.5), and link the library of that threading mode.
 *
 * With -I PREFIX/include alone a program is compiled for no network in
 * particular: it sees neutral constants and links with any conduit's library.
 * With -I PREFIX/include/X-conduit as well it sees conduit X's constants and
 * links with that conduit only.
 *
 * It brings along the headers of the C library that gasnet/system_headers.h
 * names, unless GASNET_STRICT_INCLUDES is defined.
 *
 * Reading order: types.h, job.h, am.h, atomicity.h, extended.h, barrier.h,
 * threads.h, ../gasnet_coll.h. abi.h holds what the inline functions need; no
 * client uses it.
 */
#ifndef _GASNET_H
#define _GASNET_H

#include "gasnet/config.h"
#include "gasnet/platform.h"
#include "gasnet/system_headers.h"
#include "gasnet/types.h"

#include "gasnet/abi.h"

#include "gasnet/am.h"
#include "gasnet/atomicity.h"
#include "gasnet/barrier.h"
#include "gasnet/extended.h"
#include "gasnet/job.h"
#include "gasnet/threads.h"

#include "gasnet_coll.h"

#include "gasnet/link_check.h"

#endif /* _GASNET_H */
