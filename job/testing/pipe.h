// For tests: a pipe on which one process waits for the progress of another
// process. The end of the stream shows that the writing process has ended.
#ifndef JOB_TESTING_PIPE_H_
#define JOB_TESTING_PIPE_H_

#include <fcntl.h>
#include <unistd.h>

#include <string>

#include "base/syscall.h"
#include "base/unique_fd.h"
#include "gtest/gtest.h"

namespace gasnet::job {

class TestPipe {
 public:
  TestPipe() {
    int ends[2];
    EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
    reader_.Reset(ends[0]);
    writer_.Reset(ends[1]);
  }

  // Sends a word of one character. If another process had the writer's end
  // open, the stream would not end when this process ends.
  void Say(char word) const {
    if (!WriteFull(writer_.get(), &word, 1)) _exit(EXIT_FAILURE);
  }
  int writer() const { return writer_.get(); }
  void CloseWriter() { writer_.Reset(); }

  // Returns the next word, or '\0' at the end of the stream.
  char Await() const {
    char word = '\0';
    return ReadFull(reader_.get(), &word, 1) == 1 ? word : '\0';
  }
  bool HasEnded() const { return Await() == '\0'; }

 private:
  UniqueFd reader_;
  UniqueFd writer_;
};

}  // namespace gasnet::job

#endif  // JOB_TESTING_PIPE_H_
