#include "export/handler_assignment.h"

#include <bitset>

namespace gasnet::exported {
namespace {

using Taken = std::bitset<am::kHandlers>;

// Marks the indices that the table names as taken. Returns false if the table
// is invalid.
bool TakeNamed(std::span<const gasnet_handlerentry_t> table, unsigned first,
               Taken& taken) {
  for (const gasnet_handlerentry_t& entry : table) {
    if (entry.fnptr == nullptr) return false;
    if (entry.index == 0) continue;
    if (entry.index < first || taken[entry.index]) return false;
    taken[entry.index] = true;
  }
  return true;
}

}  // namespace

std::optional<std::vector<gasnet_handler_t>> AssignHandlers(
    std::span<const gasnet_handlerentry_t> table, unsigned first) {
  Taken taken;
  if (!TakeNamed(table, first, taken)) return std::nullopt;
  std::vector<gasnet_handler_t> assigned;
  unsigned next = first;
  for (const gasnet_handlerentry_t& entry : table) {
    unsigned index = entry.index;
    if (index == 0) {
      while (next < am::kHandlers && taken[next]) ++next;
      if (next == am::kHandlers) return std::nullopt;
      index = next++;
    }
    assigned.push_back(static_cast<gasnet_handler_t>(index));
  }
  return assigned;
}

}  // namespace gasnet::exported
