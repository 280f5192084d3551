#include "coll/kernels/loops.h"

namespace gasnet::coll::internal {

const KernelTable& PortableKernels() { return kTable; }

}  // namespace gasnet::coll::internal
