// Functions of the core of a library that its front calls.
//
// A library for clients has two parts. The core is everything that is the same
// for whatever conduit. The front is one conduit's: it has gasnet_init, and
// what tells this library from others (linked_library.inc). One installed core
// serves the fronts of all conduits. Names with gasneti_core_ go between the
// two, and no client uses them.
#ifndef EXPORT_LINKED_LIBRARY_H_
#define EXPORT_LINKED_LIBRARY_H_

#include <cstdint>

#include "gasnet/types.h"

namespace gasnet {
struct Conduit;
}  // namespace gasnet

extern "C" {

// gasnet_init of a library for that conduit. config: GASNET_CONFIG_STRING of
// the library.
int gasneti_core_init(int* argc, char*** argv, const gasnet::Conduit* conduit,
                      const char* config);

// gasnet_init of version 0.5 (gasnet_0_5.h), but for that of today, which comes
// before.
int gasneti_core_attach_0_5(gasnet_handlerentry_t* table, int numentries,
                            uintptr_t segsize);

// Ends the process, which has both libraries: their configurations.
[[noreturn]] void gasneti_core_refuse_two_libraries(const char* first,
                                                    const char* second);

}  // extern "C"

#endif  // EXPORT_LINKED_LIBRARY_H_
