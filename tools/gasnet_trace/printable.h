// Makes text of a trace fit for output. Text of a trace may contain any bytes.
#ifndef TOOLS_GASNET_TRACE_PRINTABLE_H_
#define TOOLS_GASNET_TRACE_PRINTABLE_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace gasnet::trace {

// Returns the text for a line on a terminal. Each byte of a control character,
// and each byte that is not UTF-8, becomes \xNN.
std::string Printable(std::string_view text);

// Returns a JSON string, with its quotes. Bytes that are not UTF-8 become the
// replacement character.
std::string JsonString(std::string_view text);

// Returns a number with a comma between groups of three digits.
std::string Grouped(uint64_t number);

}  // namespace gasnet::trace

#endif  // TOOLS_GASNET_TRACE_PRINTABLE_H_
