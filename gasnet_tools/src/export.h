// How the exported functions are defined.
//
// Weak: libgasnet-* and libgasnet_tools-* both contain them, and a program may
// link the two in any order. All come from the one that is linked first, with
// the state that belongs to them.
#ifndef GASNET_TOOLS_SRC_EXPORT_H_
#define GASNET_TOOLS_SRC_EXPORT_H_

#define GASNETTI_EXPORT extern "C" __attribute__((weak, visibility("default")))

#endif  // GASNET_TOOLS_SRC_EXPORT_H_
