// The environment the job was spawned with, and GASNET_* settings read from it.
//
// Until SetEnvironment the process's own environment is asked; after it, only
// the snapshot, which is the same on every rank and never changes, until
// ForgetEnvironment. These two are called while no other thread asks; the rest
// may be called from any thread.
//
// A setting that is not set, or set to the empty string, has its default. One
// with a bad value ends the process (base/log.h Fatal) with a message that
// names the variable, the value and what is accepted. With GASNET_VERBOSEENV
// on, rank 0 reports every GASNET_* variable the first time it is asked for.
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
// The process's own environment is asked again.
void ForgetEnvironment();

// "NAME=VALUE" of this process's own environment.
std::vector<std::string> ProcessEnvironment();

// Whether GASNET_VERBOSEENV is on and this is rank 0: for news of what was
// chosen where a setting leaves it open.
bool ReportsEnvironment();

// The value, or null. Lives as long as the snapshot, once there is one.
const char* GetEnv(const char* name);

// The text as it is written, for callers that parse it in a way of their own.
// `def` too is a text that lives as long as the snapshot.
const char* EnvText(const char* name, const char* def);

int64_t EnvInt(const char* name, int64_t def, int64_t min, int64_t max);
double EnvDouble(const char* name, double def, double min, double max);

// 1, yes, y, true, on; 0, no, n, false, off; in any case.
bool EnvBool(const char* name, bool def);

// Bytes: a number, with a fraction if you like, and K, M, G or T (powers of
// 1024; a B or iB after it is accepted).
uint64_t EnvSize(const char* name, uint64_t def);

// One of `choices`, in any case; answers its index. `def` is an index too.
size_t EnvChoice(const char* name, std::span<const char* const> choices,
                 size_t def);

}  // namespace gasnet

#endif  // BASE_ENV_H_
