// Numbers as text, exactly: what gasnet_tools/number.h says of
// gasnett_format_number and gasnett_parse_int, without the complaints.
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

// The numbers that ParseNumber accepts, in words.
const char* AcceptedNumbers(uint64_t mem_size_multiplier);

}  // namespace gasnet::tools

#endif  // GASNET_TOOLS_SRC_NUMBER_TEXT_H_
