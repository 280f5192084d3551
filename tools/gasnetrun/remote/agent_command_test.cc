#include "tools/gasnetrun/remote/agent_command.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace gasnet::gasnetrun {
namespace {

TEST(AgentCommandTest, SshIsTheDefault) {
  const SshSettings settings = {.agent = "/bin/gasnetrun"};
  EXPECT_EQ(AgentCommand(settings, "node"), SshCommand(settings, "node"));
  EXPECT_EQ(AgentWayName(settings), "ssh");
}

TEST(AgentCommandTest, SrunStartsOneTaskOnTheHost) {
  const SshSettings settings = {
      .command = {"srun"}, .agent = "/bin/gasnetrun", .way = AgentWay::kSlurm};
  const std::vector<std::string> words = AgentCommand(settings, "node7");
  const std::string all = testing::PrintToString(words);
  EXPECT_EQ(words.front(), "srun");
  EXPECT_NE(all.find("\"--nodelist=node7\""), std::string::npos) << all;
  EXPECT_NE(all.find("\"--ntasks=1\""), std::string::npos) << all;
  EXPECT_EQ(words.back(), "--agent");
  EXPECT_EQ(words[words.size() - 2], "/bin/gasnetrun");
}

TEST(AgentCommandTest, MpirunStartsOneProcessOnTheHost) {
  const SshSettings settings = {
      .command = {"mpirun"}, .agent = "/bin/gasnetrun", .way = AgentWay::kPmix};
  EXPECT_EQ(AgentCommand(settings, "node7"),
            (std::vector<std::string>{"mpirun", "-n", "1", "--host", "node7",
                                      "--bind-to", "none", "/bin/gasnetrun",
                                      "--agent"}));
  EXPECT_EQ(AgentWayName(settings), "mpirun");
}

TEST(AgentCommandTest, PrterunDoesNotWaitForTheEndsOfLines) {
  const SshSettings settings = {.command = {"prterun"},
                                .agent = "/bin/gasnetrun",
                                .way = AgentWay::kPmix};
  EXPECT_EQ(AgentCommand(settings, "node7"),
            (std::vector<std::string>{"prterun", "-n", "1", "--host", "node7",
                                      "--bind-to", "none", "--output", ":raw",
                                      "/bin/gasnetrun", "--agent"}));
  EXPECT_EQ(AgentWayName(settings), "prterun");
}

}  // namespace
}  // namespace gasnet::gasnetrun
