#include "job/status/status_socket_name.h"

#include <sys/socket.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/unique_fd.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace gasnet::job {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

// Returns the launchers of user 1000 if sockets with these names exist. Writes
// the names in lines like those of the kernel.
std::vector<pid_t> Launchers(const std::vector<std::string_view>& names) {
  std::string text =
      "Num       RefCount Protocol Flags    Type St Inode Path\n";
  for (const std::string_view name : names) {
    text += "0000000000000000: 00000002 00000000 00010000 0001 01 34567";
    if (!name.empty()) text += ' ';
    text += name;
    text += '\n';
  }
  std::istringstream sockets(text);
  return LaunchersOf(1000, sockets);
}

TEST(StatusSocketName, IsOfTheUserAndTheProcess) {
  EXPECT_EQ(StatusSocketName(1000, 42), "gasnetrun/1000/42");
}

TEST(LaunchersOfTest, AreThoseOfTheUser) {
  EXPECT_THAT(Launchers({"@gasnetrun/1000/42", "@gasnetrun/1001/43",
                         "@gasnetrun/100/44", "@gasnetrun/10001/45", "/run/x/7",
                         "", "@gasnetrun/1000/7"}),
              ElementsAre(7, 42));
}

// A connection has the name of its listener, so a name may occur several times.
TEST(LaunchersOfTest, AreNamedOnce) {
  EXPECT_THAT(Launchers({"@gasnetrun/1000/42", "@gasnetrun/1000/7",
                         "@gasnetrun/1000/42", "@gasnetrun/1000/7"}),
              ElementsAre(7, 42));
}

TEST(LaunchersOfTest, NoOtherNameIsTaken) {
  EXPECT_THAT(Launchers({}), IsEmpty());
  EXPECT_THAT(
      Launchers({"@gasnetrun/1000/", "@gasnetrun/1000", "@gasnetrun/1000/0",
                 "@gasnetrun/1000/-7", "@gasnetrun/1000/+7",
                 "@gasnetrun/1000/0x10", "@gasnetrun/1000/012",
                 "@gasnetrun/1000/12x", "@gasnetrun/1000/12/13",
                 "@gasnetrun/1000/4294967338", "@gasnetrun/1000/99999999999999",
                 "gasnetrun/1000/12", "/gasnetrun/1000/12",
                 "@@gasnetrun/1000/12", "@gasnetrun/1000/12@"}),
      IsEmpty());
}

TEST(LaunchersOfTest, AnyTextIsRead) {
  for (const char* text :
       {"", "\n", " ", "x", "@gasnetrun/1000/42", " \n \n"}) {
    std::istringstream sockets(text);
    EXPECT_THAT(LaunchersOf(1000, sockets), IsEmpty()) << text;
  }
}

TEST(StatusSocketAddressTest, TheKernelListsASocketWithThatName) {
  const auto launchers = [] {
    std::ifstream sockets("/proc/net/unix");
    return LaunchersOf(geteuid(), sockets);
  };
  const StatusSocketAddress address(StatusSocketName(geteuid(), getpid()));
  {
    const UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    ASSERT_EQ(bind(socket.get(), address.get(), address.size), 0);
    EXPECT_THAT(launchers(), Contains(getpid()));
  }
  EXPECT_THAT(launchers(), Not(Contains(getpid())));
}

TEST(StatusSocketAddressTest, ANameThatIsTooLongIsCut) {
  const StatusSocketAddress address(std::string(1000, 'x'));
  EXPECT_EQ(address.size, sizeof(sockaddr_un));
  EXPECT_EQ(address.address.sun_path[0], '\0');
}

}  // namespace
}  // namespace gasnet::job
