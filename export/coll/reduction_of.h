// How a call's elements are combined: what its type and operation, or the index
// of its function, stand for.
#ifndef EXPORT_COLL_REDUCTION_OF_H_
#define EXPORT_COLL_REDUCTION_OF_H_

#include <cstddef>

#include "coll/request.h"
#include "export/coll/set_up.h"
#include "gasnet/all_compute.h"

namespace gasnet::exported {

// Of gasnet_coll_reduce. Fatal where there is no such function, and where the
// vector has more bytes than there are.
coll::Reduction FunctionReduction(const CollSetUp& set_up, const char* call,
                                  gasnet_coll_fn_handle_t func, int func_arg,
                                  size_t elem_size, size_t elem_count);

// Of gasnet_all_reduce and its like. Fatal also where the type is none, or has
// no such operation.
coll::Reduction TypedReduction(const CollSetUp& set_up, const char* call,
                               gasnet_all_type_t type, gasnet_all_op_t op,
                               int op_arg, size_t elem_count);

}  // namespace gasnet::exported

#endif  // EXPORT_COLL_REDUCTION_OF_H_
