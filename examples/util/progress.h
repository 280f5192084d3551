// One line on stderr that shows the progress of a long job.
//
// It prints only on the first rank, and nothing if the job is short. On a
// terminal the line is rewritten in place; elsewhere a new line is printed now
// and then.

#ifndef EXAMPLES_UTIL_PROGRESS_H_
#define EXAMPLES_UTIL_PROGRESS_H_

#include <cstdint>
#include <string>

namespace example {

class Progress {
 public:
  // total: in bytes.
  Progress(std::string label, uint64_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Reports progress. Cheap enough to call every few milliseconds.
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
