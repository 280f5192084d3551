// For tests: a job whose ranks are forked from this process. Call RunForkedJob
// in a process of its own, such as the process of EXPECT_EXIT, because that
// process supervises the job and ends with the job's exit code. The code is 0
// if `run` has returned on all ranks and no rank's expectation has failed.
#ifndef JOB_TESTING_FORKED_JOB_H_
#define JOB_TESTING_FORKED_JOB_H_

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdint>
#include <string>

#include "gtest/gtest.h"
#include "job/job.h"

namespace gasnet::job {

template <class Run>
[[noreturn]] void RunForkedJob(uint32_t ranks, Run run) {
  setenv("GASNET_PSHM_NODES", std::to_string(ranks).c_str(), 1);
  const auto job = Job::Start(nullptr, nullptr, "test");
  if (!job.ok()) {
    fprintf(stderr, "%s\n", std::string(job.status().message()).c_str());
    _exit(EXIT_FAILURE);
  }
  run(**job);
  (*job)->Exit(testing::Test::HasFailure() ? EXIT_FAILURE : EXIT_SUCCESS);
}

}  // namespace gasnet::job

// Runs statements on `job` in each rank of a job.
#define EXPECT_JOB(ranks, ...)                                              \
  EXPECT_EXIT(                                                              \
      gasnet::job::RunForkedJob(                                            \
          ranks, [&]([[maybe_unused]] gasnet::job::Job & job) __VA_ARGS__), \
      testing::ExitedWithCode(0), "")

#endif  // JOB_TESTING_FORKED_JOB_H_
