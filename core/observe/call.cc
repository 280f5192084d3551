#include "core/observe/call.h"

namespace gasnet::observe {
namespace {

constexpr const char* kNames[] = {
#define CALL(enumerator, name, group) name,
#include "core/observe/calls.inc"  // NOLINT
#undef CALL
    "",
};
static_assert(sizeof kNames / sizeof *kNames == kCalls + 1);

}  // namespace

const char* NameOf(Call call) { return kNames[static_cast<size_t>(call)]; }

}  // namespace gasnet::observe
