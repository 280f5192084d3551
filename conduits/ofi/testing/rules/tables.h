// Default tables of operations of libfabric's interface. Each function in a
// table reports a violation with the function's name. A fake provider replaces
// the functions that it supports.
#ifndef CONDUITS_OFI_TESTING_RULES_TABLES_H_
#define CONDUITS_OFI_TESTING_RULES_TABLES_H_

#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_eq.h>
#include <rdma/fi_rma.h>

namespace gasnet::ofi::rules {

template <class Table>
Table Without();
template <>
fi_ops Without();
template <>
fi_ops_fabric Without();
template <>
fi_ops_domain Without();
template <>
fi_ops_mr Without();
template <>
fi_ops_cq Without();
template <>
fi_ops_av Without();
template <>
fi_ops_ep Without();
template <>
fi_ops_cm Without();
template <>
fi_ops_msg Without();
template <>
fi_ops_rma Without();

}  // namespace gasnet::ofi::rules

#endif  // CONDUITS_OFI_TESTING_RULES_TABLES_H_
