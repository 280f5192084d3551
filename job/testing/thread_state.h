// For tests: the kernel's state of a thread of this process.
#ifndef JOB_TESTING_THREAD_STATE_H_
#define JOB_TESTING_THREAD_STATE_H_

#include <sys/types.h>

#include <fstream>
#include <string>

namespace gasnet::job {

// Returns the state of a thread: 'R' if it is runnable, 'S' if it sleeps, and
// so on (proc(5)). Returns '\0' if the thread does not exist.
inline char StateOf(pid_t thread) {
  std::ifstream stat("/proc/self/task/" + std::to_string(thread) + "/stat");
  std::string number, name;
  char state = '\0';
  stat >> number >> name >> state;
  return state;
}

}  // namespace gasnet::job

#endif  // JOB_TESTING_THREAD_STATE_H_
