// The names of the library's own handlers, as statistics and traces show them.
#ifndef CORE_OBSERVE_HANDLER_NAMES_H_
#define CORE_OBSERVE_HANDLER_NAMES_H_

#include <array>
#include <cstddef>

namespace gasnet::observe {

// The number of indices that belong to the library. The other handlers are the
// client's, and have no names.
inline constexpr size_t kOwnHandlers = 128;

// The names, by index. Null if the library has no handler of this index. A name
// is one word.
using HandlerNames = std::array<const char*, kOwnHandlers>;

}  // namespace gasnet::observe

#endif  // CORE_OBSERVE_HANDLER_NAMES_H_
