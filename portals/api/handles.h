// Handles: what kind of object, of which interface of this process, and which
// one (engine/records.h, Ref).
#ifndef PORTALS_API_HANDLES_H_
#define PORTALS_API_HANDLES_H_

#include <cstdint>

#include "portals/engine/records.h"
#include "portals4.h"

namespace gasnet::portals4 {

enum class Object : uint32_t { kInterface, kEq, kCt, kMd, kEntry };

inline constexpr uint32_t kInterfaces = 8;  // numbers of interfaces
inline constexpr uint32_t kKinds = 4;       // of each
inline constexpr uint32_t kMostInterfaces = kInterfaces * kKinds;

constexpr ptl_handle_any_t MakeHandle(Object object, uint32_t interface_index,
                                      Ref ref) {
  return (static_cast<uint32_t>(object) << 29) | (interface_index << 24) | ref;
}
constexpr Object ObjectOf(ptl_handle_any_t handle) {
  return static_cast<Object>(handle >> 29);
}
constexpr uint32_t InterfaceOf(ptl_handle_any_t handle) {
  return (handle >> 24) & (kMostInterfaces - 1);
}
constexpr Ref RefOf(ptl_handle_any_t handle) { return handle & 0xffffff; }

// No object has them, since no slot has the number that they end in.
static_assert(ObjectOf(PTL_EQ_NONE) == Object::kEq);
static_assert(ObjectOf(PTL_CT_NONE) == Object::kCt);
static_assert(ObjectRef::Slot(RefOf(PTL_EQ_NONE)) > ObjectRef::kMostSlots);

}  // namespace gasnet::portals4

#endif  // PORTALS_API_HANDLES_H_
