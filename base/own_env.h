// Reads a setting from the environment of this process itself. Meant for code
// that runs before the job's environment is known (base/env.h), or in a program
// without a job.
//
// An empty value counts as unset, for this function and for base/env.h. Nothing
// else in the libraries calls getenv, except to give a client the raw value
// (`./dev lint` checks this).
#ifndef BASE_OWN_ENV_H_
#define BASE_OWN_ENV_H_

#include <cstdlib>

namespace gasnet {

// Returns the value, or null if the variable is not set or is empty.
inline const char* OwnEnv(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

}  // namespace gasnet

#endif  // BASE_OWN_ENV_H_
