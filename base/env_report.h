// The lines that GASNET_VERBOSEENV asks for: which variables were looked at,
// and what came of it.
#ifndef BASE_ENV_REPORT_H_
#define BASE_ENV_REPORT_H_

#include <string>

namespace gasnet {

// Whether this value of GASNET_VERBOSEENV, null if it is not set, asks for
// reports. One that cannot be read does: it is complained about where it is
// first used, which must not be in the middle of reporting another variable.
bool AsksForEnvReports(const char* value);

// Writes the line to stderr, unless there was one for that name.
void ReportEnvOnce(const char* name, const std::string& value, bool is_default);

}  // namespace gasnet

#endif  // BASE_ENV_REPORT_H_
