// One line on stderr that shows the progress of a long job.
//
// Only the first rank prints, and only if the job is not short. On a terminal
// the line is rewritten in place; elsewhere a new line is printed every few
// seconds.

#ifndef EXAMPLES_UTIL_PROGRESS_H_
#define EXAMPLES_UTIL_PROGRESS_H_

#include <cstdint>
#include <string>

namespace example {

class ProgressMeter {
 public:
  // `total` is in bytes.
  ProgressMeter(std::string label, uint64_t total);
  ~ProgressMeter();
  ProgressMeter(const ProgressMeter&) = delete;
  ProgressMeter& operator=(const ProgressMeter&) = delete;

  // Reports progress. `done` is in bytes. The call is cheap enough to be made
  // every few milliseconds.
  void Update(uint64_t done);

 private:
  const std::string label_;
  const uint64_t total_;
  const bool terminal_;
  const double start_;
  double next_;
  bool shown_ = false;
};

}  // namespace example

#endif  // EXAMPLES_UTIL_PROGRESS_H_
