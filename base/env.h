// The environment of the job's launch, and the GASNET_* settings in it.
//
// SetEnvironment installs a snapshot of the environment; ForgetEnvironment
// drops it. While there is a snapshot, settings are read from it alone. The
// snapshot is the same on every rank and never changes. At other times settings
// are read from the process's own environment. SetEnvironment and
// ForgetEnvironment are called while no other thread reads settings. Any thread
// may call the other functions.
//
// A setting that is unset or empty has its default. A setting with a bad value
// ends the process (base/log.h Fatal) with a message that names the variable,
// its value and the accepted values. With GASNET_VERBOSEENV on, rank 0 reports
// every GASNET_* variable when the variable is first read.
#ifndef BASE_ENV_H_
#define BASE_ENV_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gasnet {

// Installs the snapshot: "NAME=VALUE" strings.
void SetEnvironment(std::vector<std::string> environment);
// Drops the snapshot. Settings come from the process's own environment again.
void ForgetEnvironment();

// Returns the "NAME=VALUE" strings of this process's own environment.
std::vector<std::string> ProcessEnvironment();

// Returns true if GASNET_VERBOSEENV is on and this is rank 0. Callers then
// report choices that were made automatically.
bool ReportsEnvironment();

// Returns the variable's value, or null if it is not set. The result points
// into the snapshot, if there is one, and is valid as long as the snapshot.
const char* GetEnv(const char* name);

// Returns the variable's text unparsed, for callers with their own syntax.
// `def` must live as long as the snapshot.
const char* EnvText(const char* name, const char* def);

int64_t EnvInt(const char* name, int64_t def, int64_t min, int64_t max);
double EnvDouble(const char* name, double def, double min, double max);

// Returns the truth value. Accepts 1, yes, y, true, on, 0, no, n, false and
// off, in any case.
bool EnvBool(const char* name, bool def);

// Returns bytes. Accepts a number, optionally with a fraction, and K, M, G or T
// (powers of 1024), optionally followed by B or iB.
uint64_t EnvSize(const char* name, uint64_t def);

// Returns the index in `choices` of the variable's value, in upper or lower
// case. `def` is an index too.
size_t EnvChoice(const char* name, std::span<const char* const> choices,
                 size_t def);

}  // namespace gasnet

#endif  // BASE_ENV_H_
