// A setting in the environment of this process itself: for code that runs
// before the job's environment is known (base/env.h), or in a program without a
// job.
//
// An empty value is none, as it is for every setting. So nothing else of the
// libraries calls getenv, but where a client is to get the value as it is
// (`./dev lint` sees to it).
#ifndef BASE_OWN_ENV_H_
#define BASE_OWN_ENV_H_

#include <cstdlib>

namespace gasnet {

// Returns the value, or null where the variable is not set or is empty.
inline const char* OwnEnv(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

}  // namespace gasnet

#endif  // BASE_OWN_ENV_H_
