// Handles. A handle consists of the kind of object, the number of an interface
// of this process, and a Ref (engine/records.h).
#ifndef PORTALS_API_HANDLES_H_
#define PORTALS_API_HANDLES_H_

#include <cstdint>

#include "portals/engine/records.h"
#include "portals4.h"

namespace gasnet::portals4 {

enum class Object : uint32_t { kInterface, kEq, kCt, kMd, kEntry };

inline constexpr uint32_t kInterfaces = 8;  // The number of interface numbers.
// The number of kinds of interfaces with one interface number.
inline constexpr uint32_t kKinds = 4;
inline constexpr uint32_t kMaxInterfaces = kInterfaces * kKinds;

constexpr ptl_handle_any_t MakeHandle(Object object, uint32_t interface_index,
                                      Ref ref) {
  return (static_cast<uint32_t>(object) << 29) | (interface_index << 24) | ref;
}
constexpr Object ObjectOf(ptl_handle_any_t handle) {
  return static_cast<Object>(handle >> 29);
}
constexpr uint32_t InterfaceOf(ptl_handle_any_t handle) {
  return (handle >> 24) & (kMaxInterfaces - 1);
}
constexpr Ref RefOf(ptl_handle_any_t handle) { return handle & 0xffffff; }

// No object has the handle PTL_EQ_NONE or PTL_CT_NONE, because the slot number
// in these handles is above the number of slots.
static_assert(ObjectOf(PTL_EQ_NONE) == Object::kEq);
static_assert(ObjectOf(PTL_CT_NONE) == Object::kCt);
static_assert(ObjectRef::Slot(RefOf(PTL_EQ_NONE)) > ObjectRef::kMaxSlots);

}  // namespace gasnet::portals4

#endif  // PORTALS_API_HANDLES_H_
