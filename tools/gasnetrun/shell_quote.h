// Quotes text for a shell.
#ifndef TOOLS_GASNETRUN_SHELL_QUOTE_H_
#define TOOLS_GASNETRUN_SHELL_QUOTE_H_

#include <string>
#include <string_view>
#include <vector>

namespace gasnet::gasnetrun {

// Returns `text` in single quotes, or unchanged if it needs no quotes.
std::string ShellQuote(std::string_view text);

// Quotes each word as ShellQuote does. Returns the words with spaces between
// them.
std::string ShellQuoteAll(const std::vector<std::string>& words);

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_SHELL_QUOTE_H_
