// Tests the messages that the ranks and the user get at the end of a job.
// exit_policy_test.cc tests the phases of the end and their times.
#include "job/launch/job_end.h"

#include <errno.h>
#include <signal.h>

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "job/launch/event_loop.h"
#include "job/launch/host_events.h"
#include "job/testing/fake_host.h"

namespace gasnet::job {
namespace {

constexpr int64_t kGrace = 10 * kNanosPerSecond;

// Ten ranks on one host that does nothing by itself.
class JobEndTest : public testing::Test {
 protected:
  JobEndTest() {
    Hosts hosts;
    hosts.push_back(std::make_unique<FakeHost>(0, 1, events_, host_));
    hosts_.Set(std::move(hosts));
  }

  std::string Said() {
    output_.Write();
    return testing::internal::GetCapturedStderr();
  }

  static JobPlan Plan() {
    testing::internal::CaptureStderr();
    JobPlan plan;
    plan.name = "launcher";
    plan.size = 10;
    return plan;
  }

  const JobPlan plan_ = Plan();
  FakeHost::Record host_;
  EventLoop loop_;
  JobOutput output_{loop_, plan_.name, false};
  JobHosts hosts_{plan_};
  JobEnd end_{hosts_, output_, kGrace};
  HostEvents events_{plan_.environment, hosts_, output_, end_};
};

TEST_F(JobEndTest, TellsTheEndToThoseThatHaveNotLeft) {
  EXPECT_FALSE(end_.SetLeft(0));
  EXPECT_TRUE(end_.SetEnded(0));
  end_.Failed(3, "it failed");
  EXPECT_FALSE(end_.IsTold());
  end_.Follow();
  EXPECT_TRUE(end_.IsTold());
  EXPECT_FALSE(host_.Has("end 0 code 3"));
  EXPECT_TRUE(host_.Has("end 1 code 3"));
  EXPECT_TRUE(host_.Has("end 9 code 3"));
  const size_t calls = host_.calls.size();
  end_.Failed(4, "it failed again");
  end_.Follow();
  EXPECT_EQ(host_.calls.size(), calls);
  EXPECT_EQ(Said(), "launcher: it failed\n");
}

TEST_F(JobEndTest, NamesEightOfThoseItKillsAndCountsTheOthers) {
  end_.policy().Interrupted(1, NowNanos());
  end_.policy().Interrupted(1, NowNanos());
  end_.SetEnded(0);
  end_.Follow();
  EXPECT_TRUE(host_.Has(absl::StrCat("groups ", SIGKILL)));
  EXPECT_EQ(Said(),
            "launcher: rank 1 (h0), rank 2 (h0), rank 3 (h0), rank 4 (h0), "
            "rank 5 (h0), rank 6 (h0), rank 7 (h0), rank 8 (h0) and 1 more did "
            "not end in time: killed\n");
}

TEST_F(JobEndTest, NamesTheRankThatReturnedOnceOthersAreEnded) {
  end_.SetEnded(2);
  end_.Returned(4, false, "rank 2 has exited with code 4");
  end_.Returned(5, false, "rank 3 has exited with code 5");
  end_.Follow();
  EXPECT_FALSE(end_.IsTold());
  end_.policy().Advance(NowNanos() + kGrace);
  end_.Follow();
  EXPECT_TRUE(host_.Has("end 1 code 4"));
  EXPECT_EQ(Said(),
            "launcher: rank 2 has exited with code 4 without calling "
            "gasnet_exit; ending the others\n");
}

TEST_F(JobEndTest, ReportsACrashInAnEndWithSuccessAndNoOther) {
  for (uint32_t rank = 0; rank < 10; ++rank) end_.policy().Left(0, NowNanos());
  end_.Follow();
  ASSERT_TRUE(end_.IsTold());
  end_.Crashed(1, SIGSEGV);
  end_.Crashed(2, SIGABRT);
  EXPECT_EQ(end_.policy().code(), 128 + SIGSEGV);
  EXPECT_FALSE(end_.has_crashed());
  EXPECT_EQ(Said(),
            "launcher: rank 1 (h0) was killed by SIGSEGV (Segmentation "
            "fault)\n");
}

TEST_F(JobEndTest, SaysOnceThatStandardOutputCannotBeWritten) {
  end_.StdoutFailed(ENOSPC);
  end_.StdoutFailed(ENOSPC);
  EXPECT_EQ(end_.policy().code(), kLauncherFailureCode);
  EXPECT_EQ(Said(),
            "launcher: cannot write standard output: No space left on "
            "device\n");
}

TEST_F(JobEndTest, EndsWithoutAWordWhereNobodyReadsStandardOutput) {
  end_.StdoutFailed(EPIPE);
  EXPECT_EQ(end_.policy().code(), 128 + SIGPIPE);
  EXPECT_EQ(Said(), "");
}

}  // namespace
}  // namespace gasnet::job
