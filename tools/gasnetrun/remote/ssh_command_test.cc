#include "tools/gasnetrun/remote/ssh_command.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace gasnet::gasnetrun {
namespace {

using Words = std::vector<std::string>;

TEST(SplitWordsTest, AsAShellWould) {
  EXPECT_EQ(*SplitWords("  ssh -p 22\t-i ~/k "),
            (Words{"ssh", "-p", "22", "-i", "~/k"}));
  EXPECT_EQ(*SplitWords("a\\ b 'c \"d' \"e 'f\\\"\" ''"),
            (Words{"a b", "c \"d", "e 'f\"", ""}));
  EXPECT_TRUE(SplitWords("")->empty());
}

TEST(SplitWordsTest, AnOpenQuoteIsRefused) {
  EXPECT_FALSE(SplitWords("a 'b").ok());
  EXPECT_FALSE(SplitWords("\"").ok());
}

TEST(SshCommandTest, OptionsOfTheUserComeBeforeOurs) {
  SshSettings settings;
  settings.command = {"my-ssh", "-q"};
  settings.options = {"-o", "BatchMode=no"};
  settings.agent = "/bin/gasnetrun";
  const Words words = SshCommand(settings, "host");
  EXPECT_EQ(words[0], "my-ssh");
  const auto user = std::find(words.begin(), words.end(), "BatchMode=no");
  const auto ours = std::find(words.begin(), words.end(), "BatchMode=yes");
  EXPECT_LT(user, ours);
  EXPECT_LT(ours, words.end());
  EXPECT_EQ(words[words.size() - 2], "host");
}

TEST(SshCommandTest, TheAgentIsLookedForInBothPlaces) {
  SshSettings settings;
  settings.agent = "/it's here/gasnetrun";
  settings.remote_path = "/there";
  const std::string command = SshCommand(settings, "host").back();
  EXPECT_TRUE(command.ends_with("'/it'\\''s here/gasnetrun' /there/gasnetrun"))
      << command;
  settings.remote_path.clear();
  EXPECT_EQ(SshCommand(settings, "host").back().find("/there"),
            std::string::npos);
}

}  // namespace
}  // namespace gasnet::gasnetrun
