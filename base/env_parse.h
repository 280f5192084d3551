// Parsers for the text of a setting. All are pure functions. Each accepts a
// text as a whole or not at all. base/env.h adds the variables and the error
// messages.
#ifndef BASE_ENV_PARSE_H_
#define BASE_ENV_PARSE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gasnet {

// Parses a decimal number, or a hexadecimal one after 0x, with an optional
// sign.
std::optional<int64_t> ParseInt(std::string_view text);

// Parses a finite number in decimal or exponent notation, in any locale.
std::optional<double> ParseDouble(std::string_view text);

std::optional<bool> ParseBool(std::string_view text);

// Parses a size as EnvSize describes it.
std::optional<uint64_t> ParseSize(std::string_view text);

// Decodes a text with two hexadecimal digits for each byte.
std::optional<std::string> ParseHexBytes(std::string_view text);

}  // namespace gasnet

#endif  // BASE_ENV_PARSE_H_
