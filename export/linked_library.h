// The functions of a library's core that the library's front calls.
//
// A library for clients has two parts:
// - The core is the same for all conduits. One installed core serves the
//   fronts of all conduits.
// - The front belongs to one conduit. It has gasnet_init and the symbols
//   that identify this library (linked_library.inc).
//
// Functions named gasneti_core_* are the interface between the two parts. No
// client uses them.
#ifndef EXPORT_LINKED_LIBRARY_H_
#define EXPORT_LINKED_LIBRARY_H_

#include <cstdint>

#include "gasnet/ex_types.h"
#include "gasnet/types.h"

namespace gasnet {
struct Conduit;
}  // namespace gasnet

extern "C" {

// Implements gasnet_init for the library of this conduit. config is the
// library's GASNET_CONFIG_STRING.
int gasneti_core_init(int* argc, char*** argv, const gasnet::Conduit* conduit,
                      const char* config);

// Implements gex_Client_Init for the library of this conduit.
int gasneti_core_client_init(gex_Client_t* client_p, gex_EP_t* ep_p,
                             gex_TM_t* tm_p, const char* name, int* argc,
                             char*** argv, gex_Flags_t flags,
                             const gasnet::Conduit* conduit,
                             const char* config);

// Implements gasnet_init of version 0.5 (gasnet_0_5.h), except for the part
// that the current gasnet_init does. The caller must have called the current
// gasnet_init before.
int gasneti_core_attach_0_5(gasnet_handlerentry_t* table, int numentries,
                            uintptr_t segsize);

// Ends the process, since it has loaded two libraries. first and second are the
// libraries' configurations.
[[noreturn]] void gasneti_core_refuse_two_libraries(const char* first,
                                                    const char* second);

}  // extern "C"

#endif  // EXPORT_LINKED_LIBRARY_H_
