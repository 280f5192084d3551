#include "conduits/testing/fake/fake_conduit.h"

#include "conduits/testing/fake/fake_network.h"

namespace gasnet::fake {

const Conduit kConduit = {
    .name = "fake", .open = &OpenNetwork<FakeNetwork>, .most_near = 1};

}  // namespace gasnet::fake
