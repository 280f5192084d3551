#include "gasnet_tools/number.h"

#include <stdio.h>

#include "base/log.h"
#include "gasnet_tools/src/export.h"
#include "gasnet_tools/src/number_text.h"

GASNETTI_EXPORT char* gasnett_format_number(int64_t value, char* buffer,
                                            size_t size, int is_mem_size) {
  const std::string text = gasnet::tools::FormatNumber(value, is_mem_size != 0);
  snprintf(buffer, size, "%s", text.c_str());
  return buffer;
}

GASNETTI_EXPORT int64_t gasnett_parse_int(const char* text,
                                          uint64_t mem_size_multiplier) {
  const auto value = gasnet::tools::ParseNumber(text, mem_size_multiplier);
  if (!value.has_value()) {
    gasnet::Fatal("gasnett_parse_int: '%s' is not accepted; it must be %s",
                  text, gasnet::tools::AcceptedNumbers(mem_size_multiplier));
  }
  return *value;
}
