// Functions of the interface's tables that the provider does not have: calling
// one is a violation that names it.
#ifndef CONDUITS_OFI_TESTING_STRICT_UNUSED_H_
#define CONDUITS_OFI_TESTING_STRICT_UNUSED_H_

#include <cstddef>

#include "conduits/ofi/testing/strict/violation.h"

namespace gasnet::ofi::strict {

// A name as a template's argument.
template <size_t kSize>
struct Name {
  constexpr Name(const char (&from)[kSize]) {  // NOLINT: from a literal
    for (size_t i = 0; i < kSize; ++i) text[i] = from[i];
  }
  char text[kSize] = {};
};

template <Name kName, class Result, class... Arguments>
Result Unused(Arguments...) {
  Violation("%s is called, which this provider does not have", kName.text);
}

// Fills in a function that nobody is to call.
template <Name kName, class Result, class... Arguments>
void Without(Result (*&function)(Arguments...)) {
  function = &Unused<kName, Result, Arguments...>;
}

}  // namespace gasnet::ofi::strict

#endif  // CONDUITS_OFI_TESTING_STRICT_UNUSED_H_
