// The questions that a launcher asks a rank. A thread of the job answers them
// while the client goes on.
#ifndef JOB_QUESTION_H_
#define JOB_QUESTION_H_

#include <cstdint>
#include <functional>

namespace gasnet::job {

enum class Question : uint8_t {
  kPolls,       // asks if this rank polls (job/status/status_page.h)
  kStatistics,  // asks for this rank's statistics (job/statistics)
};

using OnQuestion = std::function<void(Question)>;

}  // namespace gasnet::job

#endif  // JOB_QUESTION_H_
