#include "job/managed/pmi/pmi2_manager.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/syscall.h"
#include "base/unique_fd.h"
#include "gtest/gtest.h"
#include "job/managed/pmi/pmi2_message.h"
#include "job/managed/pmi/process_manager.h"

namespace gasnet::job {
namespace {

constexpr char kGreeting[] =
    "cmd=response_to_init rc=0 pmi_version=2 pmi_subversion=0\n";

std::string Framed(const std::string& body) {
  std::string length = std::to_string(body.size());
  length.resize(Pmi2Message::kLengthBytes, ' ');
  return length + body;
}

std::string InitResponse(const std::string& rank, const std::string& size) {
  return Framed("cmd=fullinit-response;rc=0;pmi-version=2;rank=" + rank +
                ";size=" + size + ";appnum=-1;");
}

// Returns the answer with a process mapping, such as "(vector,...)".
std::string Mapping(const std::string& value) {
  return Framed("cmd=info-getjobattr-response;rc=0;found=TRUE;value=" + value +
                ";");
}

// A launcher that gives these answers, one for each request, and then hangs up.
// The test can read the requests once the launcher has been stopped.
class Launcher {
 public:
  explicit Launcher(std::vector<std::string> answers) {
    int pair[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    setenv("PMI_FD", std::to_string(pair[1]).c_str(), 1);
    setenv("PMI_RANK", "0", 1);
    setenv("PMI_SIZE", "4", 1);
    setenv("PMI_JOBID", "7.1", 1);
    thread_ =
        std::thread([this, socket = pair[0], answers = std::move(answers)] {
          UniqueFd mine(socket);
          for (const std::string& answer : answers) {
            char request[4096];
            const ssize_t got = RetryOnEintr(
                [&] { return recv(mine.get(), request, sizeof request, 0); });
            if (got <= 0) return;
            asked_ += std::string(request, static_cast<size_t>(got));
            if (!WriteFull(mine.get(), answer.data(), answer.size())) return;
          }
        });
  }
  ~Launcher() { Stop(); }

  std::string Stop() {
    if (thread_.joinable()) thread_.join();
    return asked_;
  }

 private:
  std::string asked_;
  std::thread thread_;
};

std::string ErrorAfter(std::vector<std::string> answers) {
  Launcher launcher(std::move(answers));
  const auto manager = ConnectToPmi2();
  return manager.ok() ? "none" : std::string(manager.status().message());
}

TEST(Pmi2ManagerTest, ExchangesAValue) {
  Launcher launcher({kGreeting, InitResponse("0", "4"),
                     Mapping("(vector,(0,1,4))"),
                     Framed("cmd=kvs-put-response;rc=0;"),
                     Framed("cmd=kvs-fence-response;rc=0;"),
                     Framed("cmd=kvs-get-response;rc=0;found=TRUE;value=a/b;"),
                     Framed("cmd=finalize-response;rc=0;")});
  auto manager = ConnectToPmi2();
  ASSERT_TRUE(manager.ok()) << manager.status();
  EXPECT_EQ((*manager)->rank(), 0u);
  EXPECT_EQ((*manager)->size(), 4u);
  EXPECT_TRUE((*manager)->is_on_one_host());
  const auto value = (*manager)->Broadcast("a/b");
  ASSERT_TRUE(value.ok()) << value.status();
  EXPECT_EQ(*value, "a/b");
  EXPECT_TRUE((*manager)->Finish().ok());
  EXPECT_EQ(launcher.Stop(),
            "cmd=init pmi_version=2 pmi_subversion=0\n" +
                Framed("cmd=fullinit;pmijobid=7.1;pmirank=0;threaded=FALSE;") +
                Framed("cmd=info-getjobattr;key=PMI_process_mapping;") +
                Framed("cmd=kvs-put;key=gasnet-head;value=a/b;") +
                Framed("cmd=kvs-fence;") +
                Framed("cmd=kvs-get;jobid=7.1;srcid=0;key=gasnet-head;") +
                Framed("cmd=finalize;"));
}

TEST(Pmi2ManagerTest, SeveralHostsAreNotOne) {
  for (const char* mapping :
       {"(vector,(0,2,2))", "(vector,(0,1,3),(1,1,1))", "", "nonsense"}) {
    Launcher launcher({kGreeting, InitResponse("1", "4"), Mapping(mapping)});
    const auto manager = ConnectToPmi2();
    ASSERT_TRUE(manager.ok()) << manager.status();
    EXPECT_EQ((*manager)->rank(), 1u);
    EXPECT_FALSE((*manager)->is_on_one_host()) << mapping;
  }
}

TEST(Pmi2ManagerTest, RefusesAPlaceThatMakesNoSense) {
  for (const auto& [rank, size] :
       std::vector<std::pair<std::string, std::string>>{
           {"4", "4"},
           {"-1", "4"},
           {"0", "0"},
           {"0", "65536"},
           {"x", "4"},
           {"0", "99999999999999999999"}}) {
    EXPECT_NE(ErrorAfter({kGreeting, InitResponse(rank, size)})
                  .find("accepted: 1 to 65535 processes"),
              std::string::npos)
        << rank << " of " << size;
  }
}

TEST(Pmi2ManagerTest, RefusesWhatIsNotTheProtocol) {
  const std::vector<std::string> garbage = {
      "",
      "12",
      "abcdef",
      "      cmd=",
      "-5    ",
      "999999",
      "0     ",
      Framed("no pairs at all"),
      Framed("cmd=fullinit-response;rc=0"),  // the last ';' is missing
      Framed("=;"),
      Framed("rank=0;cmd=fullinit-response;"),
      Framed("cmd=finalize-response;rc=0;"),
      Framed("cmd=fullinit-response;rank=0;size=2;"),
      Framed("cmd=fullinit-response;rc=5;errmsg=no;rank=0;size=2;"),
      InitResponse("0", "4").substr(0, 40),
  };
  for (const std::string& answer : garbage) {
    EXPECT_NE(ErrorAfter({kGreeting, answer}).find("PMI2 ("), std::string::npos)
        << answer;
  }
}

TEST(Pmi2ManagerTest, RefusesAnotherGreeting) {
  for (const char* greeting :
       {"", "cmd=response_to_init rc=0 pmi_version=1 pmi_subversion=1\n",
        "cmd=response_to_init rc=-1 pmi_version=2 pmi_subversion=0\n",
        "something\n"}) {
    EXPECT_NE(ErrorAfter({greeting}).find("PMI2 ("), std::string::npos);
  }
  EXPECT_NE(ErrorAfter({std::string(5000, 'x')}).find("PMI2 ("),
            std::string::npos);
}

TEST(Pmi2ManagerTest, RefusesAValueThatIsNone) {
  for (const std::string& answer :
       {std::string("cmd=kvs-get-response;rc=0;found=FALSE;"),
        std::string("cmd=kvs-get-response;rc=0;found=TRUE;value=;"),
        std::string("cmd=kvs-get-response;rc=0;found=TRUE;value=a b;"),
        "cmd=kvs-get-response;rc=0;found=TRUE;value=" + std::string(1024, 'a') +
            ";"}) {
    Launcher launcher({kGreeting, InitResponse("1", "4"), Mapping(""),
                       Framed("cmd=kvs-fence-response;rc=0;"), Framed(answer)});
    auto manager = ConnectToPmi2();
    ASSERT_TRUE(manager.ok()) << manager.status();
    EXPECT_FALSE((*manager)->Broadcast("").ok()) << answer;
  }
}

TEST(Pmi2ManagerTest, NeedsASocket) {
  setenv("PMI_SIZE", "2", 1);
  for (const char* fd : {"", "x", "-1", "1000000", "99999999999"}) {
    setenv("PMI_FD", fd, 1);
    EXPECT_NE(std::string(ConnectToPmi2().status().message())
                  .find("which is no open socket"),
              std::string::npos);
  }
}

TEST(Pmi2ManagerTest, OneProcessNeedsNobody) {
  setenv("PMI_SIZE", "1", 1);
  setenv("PMI_FD", "-1", 1);
  const auto manager = ConnectToPmi2();
  ASSERT_TRUE(manager.ok()) << manager.status();
  EXPECT_EQ(*manager, nullptr);
}

TEST(Pmi2MessageTest, ReadsWhatItWrites) {
  const Pmi2Message message({{"cmd", "x"}, {"key", ";a;;b=c"}, {"empty", ""}});
  const std::string text = message.Encode();
  EXPECT_EQ(text, "28    cmd=x;key=;;a;;;;b=c;empty=;");
  const auto read = Pmi2Message::Parse(
      std::string_view(text).substr(Pmi2Message::kLengthBytes));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(*read->Find("key"), ";a;;b=c");
  EXPECT_EQ(*read->Find("empty"), "");
  EXPECT_EQ(read->Find("none"), nullptr);
}

}  // namespace
}  // namespace gasnet::job
