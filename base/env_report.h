// The lines that GASNET_VERBOSEENV asks for: the variables that were read and
// their values.
#ifndef BASE_ENV_REPORT_H_
#define BASE_ENV_REPORT_H_

#include <string>

namespace gasnet {

// Returns true if this value of GASNET_VERBOSEENV (null if it is not set) asks
// for reports. An invalid value does: the error is reported when the setting is
// first used, which must not be in the middle of reporting another variable.
bool AsksForEnvReports(const char* value);

// Writes the line to stderr, unless that name has had one.
void ReportEnvOnce(const char* name, const std::string& value, bool is_default);

}  // namespace gasnet

#endif  // BASE_ENV_REPORT_H_
