// Translates the type and operation of a call, or the index of its function, to
// the reduction that combines the elements.
#ifndef EXPORT_COLL_REDUCTION_OF_H_
#define EXPORT_COLL_REDUCTION_OF_H_

#include <cstddef>

#include "coll/request.h"
#include "export/coll/set_up.h"
#include "gasnet/all_compute.h"

namespace gasnet::exported {

// Returns the reduction of gasnet_coll_reduce. It is fatal if there is no such
// function, or if the elements' total size overflows.
coll::Reduction FunctionReduction(const CollSetUp& set_up, const char* call,
                                  gasnet_coll_fn_handle_t func, int func_arg,
                                  size_t elem_size, size_t elem_count);

// Returns the reduction of gasnet_all_reduce and similar calls. It is fatal if
// the type is invalid or lacks the operation. User functions fail as in
// FunctionReduction().
coll::Reduction TypedReduction(const CollSetUp& set_up, const char* call,
                               gasnet_all_type_t type, gasnet_all_op_t op,
                               int op_arg, size_t elem_count);

}  // namespace gasnet::exported

#endif  // EXPORT_COLL_REDUCTION_OF_H_
