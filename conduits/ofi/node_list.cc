#include "conduits/ofi/node_list.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <limits>
#include <system_error>

namespace gasnet::ofi {
namespace {

// Parses a node number. Accepts only digits.
std::optional<Rank> ParseNode(std::string_view text) {
  Rank node = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, node);
  if (error != std::errc() || rest != end) return std::nullopt;
  return node;
}

}  // namespace

std::optional<NodeList::Range> NodeList::ParseRange(std::string_view text) {
  const size_t dash = text.find('-');
  const std::optional<Rank> first = ParseNode(text.substr(0, dash));
  const std::optional<Rank> last =
      dash == std::string_view::npos ? first : ParseNode(text.substr(dash + 1));
  if (!first || !last || *last < *first) return std::nullopt;
  return Range{*first, *last};
}

std::optional<NodeList> NodeList::Parse(std::string_view text) {
  NodeList list;
  if (text == "*") {
    list.ranges_.push_back({0, std::numeric_limits<Rank>::max()});
    return list;
  }
  for (bool more = true; more;) {
    const size_t comma = text.find(',');
    const std::optional<Range> range = ParseRange(text.substr(0, comma));
    if (!range) return std::nullopt;
    list.ranges_.push_back(*range);
    more = comma != std::string_view::npos;
    if (more) text.remove_prefix(comma + 1);
  }
  return list;
}

bool NodeList::Has(Rank node) const {
  return std::any_of(ranges_.begin(), ranges_.end(), [node](const Range& each) {
    return each.first <= node && node <= each.last;
  });
}

}  // namespace gasnet::ofi
