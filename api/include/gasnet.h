/* GASNet 1.8: the one header that a client includes.
 *
 * Define exactly one of GASNET_SEQ, GASNET_PARSYNC or GASNET_PAR before
 * including this header (spec 1.5), and link the library of that threading
 * mode.
 *
 * A conduit is the library's support for one network. With -I PREFIX/include
 * alone, a program is compiled for no particular conduit: it sees neutral
 * constants and links with any conduit's library. If -I
 * PREFIX/include/X-conduit is given as well, the program sees the constants of
 * conduit X and links with that conduit only.
 *
 * This header includes the C library headers that gasnet/system_headers.h
 * names, unless GASNET_STRICT_INCLUDES is defined.
 *
 * Reading order: types.h, job.h, am.h, atomicity.h, extended.h, barrier.h,
 * threads.h, ../gasnet_coll.h, ../gasnet_vis.h. abi.h holds the declarations
 * that inline functions need; clients do not use it. ../gasnetex.h is the other
 * interface, GASNet-EX; ex_hybrid.h is for programs that use both.
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
#include "gasnet_vis.h"
#include "gasnetex.h"

#include "gasnet/ex_hybrid.h"

#include "gasnet/link_check.h"

#endif /* _GASNET_H */
