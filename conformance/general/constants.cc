// The types and the compile-time constants (sections 1.5, 1.7 and 1.8). Most of
// them are checked when this file is compiled.
#include <string.h>

#include <type_traits>

#include "conformance/harness.h"

// Exactly one threading mode and exactly one kind of segment must be defined.
#if defined(GASNET_SEQ) + defined(GASNET_PARSYNC) + defined(GASNET_PAR) != 1
#error "not exactly one of GASNET_SEQ, GASNET_PARSYNC and GASNET_PAR"
#endif
#if defined(GASNET_SEGMENT_FAST) + defined(GASNET_SEGMENT_LARGE) + \
        defined(GASNET_SEGMENT_EVERYTHING) !=                      \
    1
#error "not exactly one of GASNET_SEGMENT_{FAST,LARGE,EVERYTHING}"
#endif

// The preprocessor must be able to compute with these constants.
#if GASNET_SPEC_VERSION_MAJOR != 1 || GASNET_SPEC_VERSION_MINOR != 8
#error "not an implementation of version 1.8"
#endif
#if GASNET_VERSION != GASNET_SPEC_VERSION_MAJOR
#error "GASNET_VERSION is the major version of the specification"
#endif
#if GASNET_ALIGNED_SEGMENTS != 0 && GASNET_ALIGNED_SEGMENTS != 1
#error "GASNET_ALIGNED_SEGMENTS is 0 or 1"
#endif
#if GASNET_PAGESIZE <= 0 || (GASNET_PAGESIZE & (GASNET_PAGESIZE - 1)) != 0
#error "GASNET_PAGESIZE is not a power of two"
#endif
#if SIZEOF_GASNET_REGISTER_VALUE_T != 4 && SIZEOF_GASNET_REGISTER_VALUE_T != 8
#error "SIZEOF_GASNET_REGISTER_VALUE_T is not the size of a register"
#endif

namespace conformance {
namespace {

static_assert(std::is_unsigned_v<gasnet_node_t>);
static_assert(std::is_unsigned_v<gasnet_handler_t>);
static_assert(static_cast<gasnet_handler_t>(255) == 255);
static_assert(std::is_signed_v<gasnet_handlerarg_t>);
static_assert(sizeof(gasnet_handlerarg_t) == 4);
static_assert(std::is_unsigned_v<gasnet_register_value_t>);
static_assert(sizeof(gasnet_register_value_t) ==
              SIZEOF_GASNET_REGISTER_VALUE_T);
static_assert(std::is_same_v<gasnet_threadinfo_t, void*>);

// An explicit handle is a scalar wide enough for 2^16 - 1 different values.
static_assert(std::is_scalar_v<gasnet_handle_t>);
static_assert(sizeof(gasnet_handle_t) >= 2);
static_assert(sizeof(gasnet_valget_handle_t) > 0);
static_assert(sizeof(gasnet_token_t) > 0);
static_assert(sizeof(gasnet_hsl_t) > 0);

static_assert(
    std::is_same_v<decltype(gasnet_handlerentry_t::index), gasnet_handler_t>);
static_assert(std::is_pointer_v<decltype(gasnet_handlerentry_t::fnptr)>);
static_assert(std::is_same_v<decltype(gasnet_seginfo_t::addr), void*>);
static_assert(std::is_same_v<decltype(gasnet_seginfo_t::size), uintptr_t>);

static_assert(GASNET_MAXNODES > 0 &&
              static_cast<gasnet_node_t>(GASNET_MAXNODES) == GASNET_MAXNODES);
// Programs compare this version with that of the release which first had the
// features they use.
static_assert(GASNET_RELEASE_VERSION_MAJOR == 2025);
static_assert(GASNET_RELEASE_VERSION_MINOR == 8);
static_assert(GASNET_RELEASE_VERSION_PATCH == 0);

// Returns true if all values differ. Constants with different meanings must
// differ.
template <typename... Values>
constexpr bool AllDifferent(Values... values) {
  const long long list[] = {values...};
  for (size_t i = 0; i < sizeof...(values); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (list[i] == list[j]) return false;
    }
  }
  return true;
}

static_assert(GASNET_OK == 0);
static_assert(AllDifferent(GASNET_OK, GASNET_ERR_RESOURCE, GASNET_ERR_BAD_ARG,
                           GASNET_ERR_NOT_INIT, GASNET_ERR_BARRIER_MISMATCH,
                           GASNET_ERR_NOT_READY));
static_assert(AllDifferent(0, GASNET_BARRIERFLAG_ANONYMOUS,
                           GASNET_BARRIERFLAG_MISMATCH));
static_assert(AllDifferent(GASNET_WAIT_SPIN, GASNET_WAIT_BLOCK,
                           GASNET_WAIT_SPINBLOCK));

// Checks that the handle whose bytes are all zero is the invalid handle.
void CheckInvalidHandle() {
  gasnet_handle_t zero;
  memset(&zero, 0, sizeof(zero));
  CHECK(zero == GASNET_INVALID_HANDLE);
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::StartJob(&argc, &argv, nullptr, 0, 0);
  conformance::CheckInvalidHandle();
  CHECK(gasnet_nodes() <= GASNET_MAXNODES);
  return conformance::FinishJob();
}
