// Sums of numbers that other processes report. The sums saturate instead of
// overflowing.
#ifndef JOB_STATISTICS_SATURATING_H_
#define JOB_STATISTICS_SATURATING_H_

#include <limits>

namespace gasnet::job {

// Adds a number that is not negative. If the sum would overflow, it becomes the
// largest number of its type.
template <typename Number>
void AddTo(Number& sum, Number more) {
  if (__builtin_add_overflow(sum, more, &sum)) {
    sum = std::numeric_limits<Number>::max();
  }
}

}  // namespace gasnet::job

#endif  // JOB_STATISTICS_SATURATING_H_
