// Translates the data type and the operation of GASNet-EX's reductions for the
// engine of collectives.
#ifndef EXPORT_EX_REDUCTION_H_
#define EXPORT_EX_REDUCTION_H_

#include <cstddef>

#include "coll/request.h"
#include "gasnet_coll.h"

namespace gasnet::exported {

// Returns the reduction. An invalid type, size or operation ends the job, in
// every build.
coll::Reduction ExReduction(const char* call, gex_DT_t dt, size_t dt_sz,
                            size_t dt_cnt, gex_OP_t op,
                            gex_Coll_ReduceFn_t user_op,
                            const void* user_cdata);

}  // namespace gasnet::exported

#endif  // EXPORT_EX_REDUCTION_H_
