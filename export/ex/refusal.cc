#include "export/ex/refusal.h"

#include <cstdarg>
#include <cstdio>

#include "base/log.h"
#include "ex/client.h"

namespace gasnet::exported {

int Refuse(int error, const char* format, ...) {
  if (!ex::Client::Mine().verbose_errors().load()) return error;
  char message[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  Warn("%s", message);
  return error;
}

}  // namespace gasnet::exported
