#include "export/coll/flags.h"

#include <span>
#include <string>

#include "base/log.h"

namespace gasnet::exported::internal {
namespace {

struct CollFlag {
  int bit;
  const char* name;
};
constexpr CollFlag kIn[] = {{GASNET_COLL_IN_NOSYNC, "GASNET_COLL_IN_NOSYNC"},
                            {GASNET_COLL_IN_MYSYNC, "GASNET_COLL_IN_MYSYNC"},
                            {GASNET_COLL_IN_ALLSYNC, "GASNET_COLL_IN_ALLSYNC"}};
constexpr CollFlag kOut[] = {
    {GASNET_COLL_OUT_NOSYNC, "GASNET_COLL_OUT_NOSYNC"},
    {GASNET_COLL_OUT_MYSYNC, "GASNET_COLL_OUT_MYSYNC"},
    {GASNET_COLL_OUT_ALLSYNC, "GASNET_COLL_OUT_ALLSYNC"}};
constexpr CollFlag kAddressing[] = {{GASNET_COLL_SINGLE, "GASNET_COLL_SINGLE"},
                                    {GASNET_COLL_LOCAL, "GASNET_COLL_LOCAL"}};

void RequireOneOf(const char* call, int flags, std::span<const CollFlag> of) {
  std::string given;
  std::string all;
  int count = 0;
  for (const CollFlag& flag : of) {
    all += all.empty() ? "" : ", ";
    all += flag.name;
    if ((flags & flag.bit) == 0) continue;
    given += count++ == 0 ? "" : " and ";
    given += flag.name;
  }
  if (count == 1) return;
  Fatal("%s: flags (0x%x) have %s; they must have one of %s", call,
        static_cast<unsigned>(flags), count == 0 ? "none" : given.c_str(),
        all.c_str());
}

}  // namespace

void CheckModes(const char* call, int flags) {
  RequireOneOf(call, flags, kIn);
  RequireOneOf(call, flags, kOut);
  RequireOneOf(call, flags, kAddressing);
}

void RequireLocal(const char* call, int flags) {
  if ((flags & GASNET_COLL_SINGLE) == 0) return;
  Fatal(
      "%s: flags (0x%x) have GASNET_COLL_SINGLE; this call "
      "supports only GASNET_COLL_LOCAL",
      call, static_cast<unsigned>(flags));
}

}  // namespace gasnet::exported::internal
