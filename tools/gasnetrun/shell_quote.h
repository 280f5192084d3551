// Quotes text for a shell.
#ifndef TOOLS_GASNETRUN_SHELL_QUOTE_H_
#define TOOLS_GASNETRUN_SHELL_QUOTE_H_

#include <string>
#include <string_view>
#include <vector>

namespace gasnet::gasnetrun {

// Returns `text` unchanged if nothing needs quoting, otherwise in single
// quotes.
std::string ShellQuote(std::string_view text);

// Returns the words, each quoted as by ShellQuote, with spaces between them.
std::string ShellQuoteAll(const std::vector<std::string>& words);

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_SHELL_QUOTE_H_
