#include "job/managed/pmi/process_manager.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "job/wire/limits.h"

namespace gasnet::job {
namespace {

constexpr char kKey[] = "gasnet-head";

bool IsValue(std::string_view text) {
  constexpr std::string_view kOthers = ".:,/-";
  return !text.empty() && text.size() <= ProcessManager::kMaxValueBytes &&
         std::all_of(text.begin(), text.end(), [&](char c) {
           return absl::ascii_isalnum(c) || kOthers.find(c) != kOthers.npos;
         });
}

absl::Status NotAValue(const char* whose, std::string_view text) {
  return absl::DataLossError(absl::StrCat(
      "the value ", whose, " (", text.size(),
      " bytes) is none; accepted: 1 to ", ProcessManager::kMaxValueBytes,
      " letters, digits and .:,/-"));
}

}  // namespace

absl::StatusOr<std::string> ProcessManager::Broadcast(std::string_view mine) {
  absl::Status status;
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

absl::Status ProcessManager::SetPlace(int64_t rank, int64_t size) {
  if (size < 1 || size > int64_t{kMaxNodes} || rank < 0 || rank >= size) {
    return absl::OutOfRangeError(absl::StrCat(
        "the launcher says that this is process ", rank, " of ", size,
        "; accepted: 1 to ", kMaxNodes, " processes, numbered from 0"));
  }
  rank_ = static_cast<uint32_t>(rank);
  size_ = static_cast<uint32_t>(size);
  return absl::OkStatus();
}

}  // namespace gasnet::job
