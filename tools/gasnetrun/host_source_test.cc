#include "tools/gasnetrun/host_source.h"
#include "absl/status/statusor.h"

#include <stdlib.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <string>

#include "gtest/gtest.h"

namespace gasnet::gasnetrun {
namespace {

std::string WriteFile(const std::string& text) {
  const std::string path = std::string(getenv("TEST_TMPDIR")) + "/hosts";
  std::ofstream(path) << text;
  return path;
}

absl::StatusOr<HostList> Find(const std::map<std::string, std::string>& set,
                              const CommandLine& line = {}) {
  return FindHosts(line, [&](const std::string& name) {
    const auto found = set.find(name);
    return found == set.end() ? std::string() : found->second;
  });
}

TEST(HostSourceTest, NobodyAskedForHosts) { EXPECT_TRUE(Find({})->empty()); }

TEST(HostSourceTest, TheCommandLineComesFirst) {
  CommandLine line;
  line.hosts = "a,b";
  EXPECT_EQ(*Find({{"GASNET_SSH_SERVERS", "c"}}, line),
            (HostList{{"a", 0}, {"b", 0}}));
  CommandLine with_file;
  with_file.host_file = WriteFile("d slots=2\n");
  EXPECT_EQ(*Find({{"GASNET_SSH_SERVERS", "c"}}, with_file),
            (HostList{{"d", 2}}));
}

TEST(HostSourceTest, OurVariablesComeBeforeTheManagers) {
  const std::string file = WriteFile("b\n");
  EXPECT_EQ(*Find({{"GASNET_SSH_SERVERS", "c d"},
                   {"GASNET_SSH_NODEFILE", file},
                   {"SLURM_JOB_NODELIST", "s"}}),
            (HostList{{"c", 0}, {"d", 0}}));
  for (const char* name : {"GASNET_SSH_NODEFILE", "GASNET_NODEFILE"}) {
    EXPECT_EQ(*Find({{name, file}, {"SLURM_JOB_NODELIST", "s"}}),
              (HostList{{"b", 0}}));
  }
}

TEST(HostSourceTest, Slurm) {
  EXPECT_EQ(*Find({{"SLURM_JOB_NODELIST", "n[1-2]"},
                   {"SLURM_TASKS_PER_NODE", "4,2"}}),
            (HostList{{"n1", 4}, {"n2", 2}}));
}

TEST(HostSourceTest, PbsNamesAHostForEverySlot) {
  EXPECT_EQ(*Find({{"PBS_NODEFILE", WriteFile("a\na\nb\n")}}),
            (HostList{{"a", 2}, {"b", 1}}));
}

TEST(HostSourceTest, Lsf) {
  EXPECT_EQ(*Find({{"LSB_MCPU_HOSTS", "a 2 b 4"}, {"LSB_HOSTS", "x"}}),
            (HostList{{"a", 2}, {"b", 4}}));
  EXPECT_EQ(*Find({{"LSB_HOSTS", "a a b"}}), (HostList{{"a", 2}, {"b", 1}}));
}

TEST(HostSourceTest, Sge) {
  EXPECT_EQ(*Find({{"PE_HOSTFILE", WriteFile("a 4 all.q@a UNDEFINED\n")}}),
            (HostList{{"a", 4}}));
}

TEST(HostSourceTest, AnErrorNamesItsSource) {
  const auto message = [](const absl::StatusOr<HostList>& hosts) {
    return std::string(hosts.status().message());
  };
  EXPECT_EQ(message(Find({{"GASNET_SSH_NODEFILE", "no/such"}})),
            "GASNET_SSH_NODEFILE: cannot read 'no/such': No such file or "
            "directory");
  EXPECT_EQ(message(Find({{"GASNET_NODEFILE", "/"}})),
            "GASNET_NODEFILE: cannot read '/': Is a directory");
  EXPECT_EQ(
      message(
          Find({{"SLURM_JOB_NODELIST", "n1"}, {"SLURM_TASKS_PER_NODE", "x"}})),
      "SLURM_JOB_NODELIST with SLURM_TASKS_PER_NODE: 'x' is not a list in "
      "Slurm's form");
  EXPECT_EQ(message(Find({{"GASNET_SSH_SERVERS", "a:b"}})),
            "GASNET_SSH_SERVERS: 'b' in a list of hosts; accepted: a number of "
            "slots from 1 to 65535");
}

TEST(HostSourceTest, ThisHost) {
  char own[256] = "";
  gethostname(own, sizeof own - 1);
  EXPECT_TRUE(IsThisHost("localhost"));
  EXPECT_TRUE(IsThisHost(own));
  EXPECT_FALSE(IsThisHost("x" + std::string(own)));
  EXPECT_FALSE(IsThisHost("user@localhost"));
}

}  // namespace
}  // namespace gasnet::gasnetrun
