// The linkage of the exported functions.
//
// The functions are weak, because libgasnet-* and libgasnet_tools-* both
// contain them, and a program may link the two in any order. All functions and
// their state come from the library that is linked first.
#ifndef GASNET_TOOLS_SRC_EXPORT_H_
#define GASNET_TOOLS_SRC_EXPORT_H_

#define GASNETTI_EXPORT extern "C" __attribute__((weak, visibility("default")))

#endif  // GASNET_TOOLS_SRC_EXPORT_H_
