#include "ex/handler_entries.h"

#include <bitset>
#include <vector>

#include "absl/strings/str_cat.h"

namespace gasnet::ex {
namespace {

using Taken = std::bitset<am::kHandlers>;

bool IsCategory(gex_Flags_t flags) {
  return flags == GEX_FLAG_AM_SHORT || flags == GEX_FLAG_AM_MEDIUM ||
         flags == GEX_FLAG_AM_LONG || flags == GEX_FLAG_AM_MEDLONG;
}
bool IsDirection(gex_Flags_t flags) {
  return flags == GEX_FLAG_AM_REQUEST || flags == GEX_FLAG_AM_REPLY ||
         flags == GEX_FLAG_AM_REQREP;
}
constexpr gex_Flags_t kCategories = GEX_FLAG_AM_SHORT | GEX_FLAG_AM_MEDIUM |
                                    GEX_FLAG_AM_LONG | GEX_FLAG_AM_MEDLONG;

std::string NameOf(size_t place, const gex_AM_Entry_t& entry) {
  return absl::StrCat("entry ", place, " (index ", entry.gex_index,
                      entry.gex_name == nullptr ? "" : ", ",
                      entry.gex_name == nullptr ? "" : entry.gex_name, ")");
}

absl::Status CheckEntry(size_t place, const gex_AM_Entry_t& entry) {
  const auto refuse = [&](const char* why) {
    return absl::InvalidArgumentError(
        absl::StrCat(NameOf(place, entry), " ", why));
  };
  if (entry.gex_fnptr == nullptr) return refuse("has no function");
  if (!IsCategory(entry.gex_flags & kCategories)) {
    return refuse(
        "needs one of GEX_FLAG_AM_SHORT, _MEDIUM, _LONG and _MEDLONG in "
        "gex_flags");
  }
  if (!IsDirection(entry.gex_flags & ~kCategories)) {
    return refuse(
        "needs one of GEX_FLAG_AM_REQUEST, _REPLY and _REQREP in gex_flags");
  }
  if (entry.gex_nargs > am::kMaxArgs) {
    return refuse("has more than gex_AM_MaxArgs() arguments in gex_nargs");
  }
  return absl::OkStatus();
}

am::Promise PromiseOf(const gex_AM_Entry_t& entry) {
  const auto bit = [](bool has, auto which) {
    return has ? 1u << static_cast<unsigned>(which) : 0u;
  };
  const auto has = [&](gex_Flags_t flag) {
    return (entry.gex_flags & flag) != 0;
  };
  return {.categories = static_cast<uint8_t>(
              bit(has(GEX_FLAG_AM_SHORT), am::Category::kShort) |
              bit(has(GEX_FLAG_AM_MEDIUM), am::Category::kMedium) |
              bit(has(GEX_FLAG_AM_LONG), am::Category::kLong)),
          .lanes = static_cast<uint8_t>(
              bit(has(GEX_FLAG_AM_REQUEST), am::Lane::kRequest) |
              bit(has(GEX_FLAG_AM_REPLY), am::Lane::kReply)),
          .num_args = static_cast<uint8_t>(entry.gex_nargs)};
}

absl::Status TakeFixed(std::span<const gex_AM_Entry_t> table, Taken& taken) {
  for (size_t i = 0; i < table.size(); ++i) {
    const absl::Status legal = CheckEntry(i, table[i]);
    if (!legal.ok()) return legal;
    const gex_AM_Index_t index = table[i].gex_index;
    if (index == 0) continue;
    if (index < GEX_AM_INDEX_BASE) {
      return absl::InvalidArgumentError(
          absl::StrCat(NameOf(i, table[i]), " is below GEX_AM_INDEX_BASE (",
                       GEX_AM_INDEX_BASE, ")"));
    }
    if (taken[index]) {
      return absl::ResourceExhaustedError(
          absl::StrCat(NameOf(i, table[i]), " has an index that is taken"));
    }
    taken[index] = true;
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status HandlerEntries::Register(std::span<gex_AM_Entry_t> table,
                                      am::HandlerTable& to) {
  const absl::MutexLock lock(&mutex_);
  Taken taken;
  for (unsigned i = am::kFirstClientHandler; i < am::kHandlers; ++i) {
    taken[i] = to.Find(static_cast<uint8_t>(i)) != nullptr;
  }
  const absl::Status fixed = TakeFixed(table, taken);
  if (!fixed.ok()) return fixed;
  std::vector<gex_AM_Index_t> indices;
  unsigned next = am::kHandlers - 1;
  for (size_t i = 0; i < table.size(); ++i) {
    if (table[i].gex_index != 0) {
      indices.push_back(table[i].gex_index);
      continue;
    }
    while (next >= am::kFirstClientHandler && taken[next]) --next;
    if (next < am::kFirstClientHandler) {
      return absl::ResourceExhaustedError(
          absl::StrCat(NameOf(i, table[i]), " finds no free index"));
    }
    indices.push_back(static_cast<gex_AM_Index_t>(next--));
  }
  for (size_t i = 0; i < table.size(); ++i) {
    table[i].gex_index = indices[i];
    entries_[indices[i] - am::kFirstClientHandler] = table[i];
    to.Note(indices[i], PromiseOf(table[i]));
    to.RegisterClient(indices[i],
                      reinterpret_cast<am::AnyHandler>(table[i].gex_fnptr));
  }
  return absl::OkStatus();
}

}  // namespace gasnet::ex
