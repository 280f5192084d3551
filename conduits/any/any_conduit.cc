#include "conduits/any/any_conduit.h"

#include "conduits/any/choice.h"

namespace gasnet::any {

const Conduit kConduit = {
    .name = "any", .choose = &ChooseConduit, .before_start = &BeforeStart};

}  // namespace gasnet::any
