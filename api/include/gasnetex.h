/* GASNet-EX: the header that clients of GASNet-EX include. gasnet.h includes it
 * too. It also defines the gasnet_* names that these clients use.
 *
 * Define exactly one of GASNET_SEQ, GASNET_PARSYNC or GASNET_PAR, and link the
 * library of that mode, as with gasnet.h. Calls whose name has no number of
 * arguments, such as gex_AM_RequestShort, need C99 or C++11.
 *
 * gasnet_coll.h, gasnet_vis.h, gasnet_ratomic.h and gasnet_mk.h have
 * collectives, non-contiguous transfers, atomics, and kinds of memory.
 *
 * Reading order: ../gasnet_fwd.h, ex_types.h, ex_job.h, ex_endpoint.h,
 * ex_team.h, ex_am.h, ex_am_prepared.h, ex_rma.h, ex_event.h, ex_barrier.h,
 * ex_lock.h.
 */
#ifndef GASNETEX_H_
#define GASNETEX_H_

#include "gasnet/config.h"
#include "gasnet/ex_features.h"
#include "gasnet/platform.h"
#include "gasnet/system_headers.h"
#include "gasnet/types.h"
#include "gasnet_fwd.h"

#include "gasnet/abi.h"

#include "gasnet/am.h"
#include "gasnet/barrier.h"
#include "gasnet/job.h"
#include "gasnet/threads.h"

#include "gasnet/ex_am.h"
#include "gasnet/ex_am_prepared.h"
#include "gasnet/ex_barrier.h"
#include "gasnet/ex_endpoint.h"
#include "gasnet/ex_event.h"
#include "gasnet/ex_job.h"
#include "gasnet/ex_lock.h"
#include "gasnet/ex_rma.h"
#include "gasnet/ex_team.h"
#include "gasnet/ex_types.h"

#include "gasnet/ex_am_calls.h"

#include "gasnet/link_check.h"

#endif /* GASNETEX_H_ */
