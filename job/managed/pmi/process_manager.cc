#include "job/managed/pmi/process_manager.h"

#include <algorithm>

#include "base/strings.h"
#include "job/wire/limits.h"

namespace gasnet::job {
namespace {

constexpr char kKey[] = "gasnet-head";

bool IsValue(std::string_view text) {
  constexpr std::string_view kOthers = ".:,/-";
  return !text.empty() && text.size() <= ProcessManager::kMaxValueBytes &&
         std::all_of(text.begin(), text.end(), [&](char c) {
           return IsAsciiAlphanumeric(c) || kOthers.find(c) != kOthers.npos;
         });
}

Status NotAValue(const char* whose, std::string_view text) {
  return DataLossError(StrCat("the value ", whose, " (", text.size(),
                              " bytes) is none; accepted: 1 to ",
                              ProcessManager::kMaxValueBytes,
                              " letters, digits and .:,/-"));
}

}  // namespace

StatusOr<std::string> ProcessManager::Broadcast(std::string_view mine) {
  Status status;
  if (rank_ == 0) {
    if (!IsValue(mine)) return NotAValue("of rank 0", mine);
    status = Put(kKey, std::string(mine));
  }
  if (status.ok()) status = Fence();
  if (!status.ok()) return status;
  auto value = Get(kKey);
  if (value.ok() && !IsValue(*value)) {
    return NotAValue("that the launcher gives for rank 0", *value);
  }
  return value;
}

Status ProcessManager::SetPlace(int64_t rank, int64_t size) {
  if (size < 1 || size > int64_t{kMaxNodes} || rank < 0 || rank >= size) {
    return OutOfRangeError(StrCat("the launcher says that this is process ",
                                  rank, " of ", size, "; accepted: 1 to ",
                                  kMaxNodes, " processes, numbered from 0"));
  }
  rank_ = static_cast<uint32_t>(rank);
  size_ = static_cast<uint32_t>(size);
  return OkStatus();
}

}  // namespace gasnet::job
