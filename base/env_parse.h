// How the text of a setting is read. Pure functions; nothing is accepted in
// part. base/env.h adds the variables and the complaints.
#ifndef BASE_ENV_PARSE_H_
#define BASE_ENV_PARSE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gasnet {

// Decimal, or hexadecimal after 0x; an optional sign.
std::optional<int64_t> ParseInt(std::string_view text);

// Finite; decimal or exponent notation, in any locale.
std::optional<double> ParseDouble(std::string_view text);

std::optional<bool> ParseBool(std::string_view text);

// See EnvSize.
std::optional<uint64_t> ParseSize(std::string_view text);

// The bytes of a text that is two hexadecimal digits for each.
std::optional<std::string> ParseHexBytes(std::string_view text);

}  // namespace gasnet

#endif  // BASE_ENV_PARSE_H_
