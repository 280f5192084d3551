// The report of GASNET_VERBOSEENV: the variables that were read and their
// values.
#ifndef BASE_ENV_REPORT_H_
#define BASE_ENV_REPORT_H_

#include <string>

namespace gasnet {

// Returns true if this value of GASNET_VERBOSEENV (null if unset) asks for
// reports. Also returns true for an invalid value. The first use of the setting
// then ends the process with an error message.
bool AsksForEnvReports(const char* value);

// Writes a line with the variable and its value to stderr, once for each name.
void ReportEnvOnce(const char* name, const std::string& value, bool is_default);

}  // namespace gasnet

#endif  // BASE_ENV_REPORT_H_
