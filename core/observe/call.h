// The calls of clients that statistics and traces name, and their groups.
//
// calls.inc lists the calls. Each group has a letter in GASNET_STATSMASK and
// GASNET_TRACEMASK.
#ifndef CORE_OBSERVE_CALL_H_
#define CORE_OBSERVE_CALL_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::observe {

enum class Call : uint8_t {
#define CALL(enumerator, name, group) enumerator,
#include "core/observe/calls.inc"  // NOLINT
#undef CALL
  kNone,  // no call, or a call that is not observed
};
inline constexpr size_t kCalls = static_cast<size_t>(Call::kNone);
static_assert(kCalls < 256);

// Returns the name of a call as clients know it. The name of kNone is empty.
const char* NameOf(Call call);

namespace internal {
inline constexpr char kGroups[] = {
#define CALL(enumerator, name, group) group,
#include "core/observe/calls.inc"  // NOLINT
#undef CALL
    'O',
};
}  // namespace internal

// Returns the letter of a call's group. kNone has the group of calls that are
// not observed by themselves.
constexpr char GroupOf(Call call) {
  return internal::kGroups[static_cast<size_t>(call)];
}

}  // namespace gasnet::observe

#endif  // CORE_OBSERVE_CALL_H_
