#include "conduits/smp/smp_conduit.h"

namespace gasnet::smp {

const Conduit kConduit = {.name = "smp", .aligned_segments = true};

}  // namespace gasnet::smp
