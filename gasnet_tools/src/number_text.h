// Conversions of numbers to and from text, without error messages.
// gasnet_tools/number.h describes the formats at gasnett_format_number and
// gasnett_parse_int.
#ifndef GASNET_TOOLS_SRC_NUMBER_TEXT_H_
#define GASNET_TOOLS_SRC_NUMBER_TEXT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gasnet::tools {

std::string FormatNumber(int64_t value, bool is_mem_size);

std::optional<int64_t> ParseNumber(std::string_view text,
                                   uint64_t mem_size_multiplier);

// Returns a description of the numbers that ParseNumber accepts.
const char* AcceptedNumbers(uint64_t mem_size_multiplier);

}  // namespace gasnet::tools

#endif  // GASNET_TOOLS_SRC_NUMBER_TEXT_H_
