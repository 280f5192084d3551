#include "base/env_report.h"

#include <unistd.h>

#include <mutex>
#include <set>

#include "base/env_parse.h"
#include "base/syscall.h"

namespace gasnet {
namespace {

bool IsFirst(const char* name) {
  static std::mutex& mutex = *new std::mutex;
  static std::set<std::string>& reported = *new std::set<std::string>;
  const std::lock_guard lock(mutex);
  return reported.insert(name).second;
}

}  // namespace

bool AsksForEnvReports(const char* value) {
  return value != nullptr && *value != '\0' && ParseBool(value).value_or(true);
}

void ReportEnvOnce(const char* name, const std::string& value,
                   bool is_default) {
  if (!IsFirst(name)) return;
  const std::string line = std::string("ENV parameter: ") + name + " = " +
                           value + (is_default ? "   (default)\n" : "\n");
  WriteFull(STDERR_FILENO, line.data(), line.size());
}

}  // namespace gasnet
