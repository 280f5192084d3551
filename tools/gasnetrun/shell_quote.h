// Text as it would be typed into a shell.
#ifndef TOOLS_GASNETRUN_SHELL_QUOTE_H_
#define TOOLS_GASNETRUN_SHELL_QUOTE_H_

#include <string>
#include <string_view>
#include <vector>

namespace gasnet::gasnetrun {

// Unchanged where nothing needs quoting, otherwise in single quotes.
std::string ShellQuote(std::string_view text);

// Quoted words with spaces between.
std::string ShellQuoteAll(const std::vector<std::string>& words);

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_SHELL_QUOTE_H_
