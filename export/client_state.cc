// The state that the client's inlined functions read (gasnet/abi.h).
#include <cstdint>
#include <iterator>

#include "base/forked.h"
#include "gasnet.h"

extern "C" {

gasneti_world_t gasneti_world = {0, 0};
void (*gasnet_client_attach_hook)(void*, uintptr_t) = nullptr;
gasneti_tm gasneti_tm_all = {nullptr, 0, 1};
alignas(gasnet::kWipeUnit) uintptr_t gasneti_displacement[1 << 16];
static_assert(std::size(gasneti_displacement) > GASNET_MAXNODES,
              "a value that is not a node's index needs an entry that stays 0");
static_assert(sizeof gasneti_displacement % gasnet::kWipeUnit == 0);

}  // extern "C"
