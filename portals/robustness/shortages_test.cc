// If an error code does not show its cause, one line on stderr names the cause.
// The line appears once.
#include <gtest/gtest.h>
#include <portals4.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <string>

#include "base/unique_fd.h"
#include "portals/testing/process.h"

namespace gasnet::portals4_tests::testing {
namespace {

constexpr unsigned kOptions = PTL_NI_MATCHING | PTL_NI_PHYSICAL;
constexpr rlim_t kMega = 1 << 20;
// Limits on the address space, in bytes. The tables of one interface take some
// 70 MB. So kTooFew is too small for any interface, and kForOne is enough for
// one.
constexpr rlim_t kTooFew = 20 * kMega;
constexpr rlim_t kForOne = 100 * kMega;

// Captures the standard error of children. Make the children after this object:
// they inherit its file.
class Told {
 public:
  Told() : file_(memfd_create("told", 0)) {}
  void Listen(Child& child) {
    child.Call([file = file_.get()] { dup2(file, STDERR_FILENO); });
  }
  std::string text() const {
    char text[4096] = "";
    const ssize_t size = pread(file_.get(), text, sizeof text, 0);
    return std::string(text, size > 0 ? static_cast<size_t>(size) : 0);
  }

 private:
  UniqueFd file_;
};

void LimitAddresses(rlim_t more) {
  unsigned long pages = 0;
  FILE* const file = fopen("/proc/self/statm", "r");
  if (file == nullptr || fscanf(file, "%lu", &pages) != 1) abort();
  fclose(file);
  const rlim_t most = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + more;
  const rlimit limit = {most, most};
  if (setrlimit(RLIMIT_AS, &limit) != 0) abort();
}

size_t CountOf(const std::string& part, const std::string& text) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST(Shortages, OwnTablesThatCannotBeMapped) {
  Told told;
  Process process(Process::Memory::kMapped);
  told.Listen(process.child());
  process.Call([] { LimitAddresses(kTooFew); });
  EXPECT_EQ(process.Open(kOptions), PTL_NO_SPACE);
  EXPECT_EQ(CountOf("the tables of its interface", told.text()), 1U)
      << told.text();
  EXPECT_NE(told.text().find("'ulimit -v unlimited'"), std::string::npos);
}

TEST(Shortages, APeersTablesThatCannotBeMapped) {
  Told told;
  Process target(Process::Memory::kMapped);
  Process initiator(Process::Memory::kMapped);
  told.Listen(initiator.child());
  ASSERT_EQ(target.Open(kOptions), PTL_OK);
  initiator.Call([] { LimitAddresses(kForOne); });
  ASSERT_EQ(initiator.Open(kOptions), PTL_OK);
  const ptl_handle_eq_t eq = initiator.Eq();
  const ptl_handle_md_t md = initiator.Md(eq, PTL_MD_EVENT_SEND_DISABLE);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(initiator.Put(target, {.md = md}), PTL_OK);
    EXPECT_EQ(initiator.Next(eq).value.ni_fail_type, PTL_NI_UNDELIVERABLE);
  }
  const std::string peer =
      "the tables of process " + std::to_string(target.child().pid());
  EXPECT_EQ(CountOf(peer, told.text()), 1U) << told.text();
  EXPECT_NE(told.text().find("'ulimit -v'"), std::string::npos);
}

// Opens an interface with the identifier `pid`.
int OpenAs(ptl_pid_t pid) {
  ptl_handle_ni_t ni;
  if (PtlInit() != PTL_OK) return -1;
  return PtlNIInit(PTL_IFACE_DEFAULT, kOptions, pid, nullptr, nullptr, &ni);
}

// Becomes user nobody, and listens on a socket whose name belongs to an
// identifier of root.
bool TakeFromRoot(ptl_nid_t nid, ptl_pid_t pid) {
  sockaddr_un name = {};
  name.sun_family = AF_UNIX;
  const int length = snprintf(name.sun_path + 1, sizeof name.sun_path - 1,
                              "portals4/0/0/%u/%u", nid, pid);
  constexpr uid_t kNobody = 65534;
  const int taken = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
  return setresuid(kNobody, kNobody, kNobody) == 0 &&
         bind(taken, reinterpret_cast<const sockaddr*>(&name),
              static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 +
                                     length)) == 0 &&
         listen(taken, 8) == 0;
}

TEST(Shortages, AnIdentifierThatAnotherUserHas) {
  if (getuid() != 0) GTEST_SKIP() << "only root can become another user";
  Told told;
  Process finder(Process::Memory::kMapped);
  ASSERT_EQ(finder.Open(kOptions), PTL_OK);
  const ptl_nid_t nid = finder.phys().phys.nid;
  const ptl_pid_t pid = (finder.phys().phys.pid + 1) % PTL_PID_MAX;
  Child other;
  Child process;
  told.Listen(process);
  ASSERT_TRUE(other.Call([nid, pid] { return TakeFromRoot(nid, pid); }));
  EXPECT_EQ(process.Call([pid] { return OpenAs(pid); }), PTL_PID_IN_USE);
  const std::string holder = "process " + std::to_string(other.pid());
  EXPECT_EQ(CountOf(holder, told.text()), 1U) << told.text();
  EXPECT_NE(told.text().find("of user 65534"), std::string::npos);
}

// Programs search for a free identifier by trying several. So there is no
// warning if this process already has the identifier.
TEST(Shortages, AnIdentifierThatWeHaveOurselves) {
  Told told;
  Process holder(Process::Memory::kMapped);
  ASSERT_EQ(holder.Open(kOptions), PTL_OK);
  Child process;
  told.Listen(process);
  const ptl_pid_t pid = holder.phys().phys.pid;
  EXPECT_EQ(process.Call([pid] { return OpenAs(pid); }), PTL_PID_IN_USE);
  EXPECT_EQ(told.text(), "");
}

}  // namespace
}  // namespace gasnet::portals4_tests::testing
