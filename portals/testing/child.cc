#include "portals/testing/child.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace gasnet::portals4_tests::testing {

namespace {

void Require(bool holds, const char* what) {
  if (holds) return;
  perror(what);
  abort();
}

bool Readable(int socket, int milliseconds) {
  pollfd waited = {socket, POLLIN, 0};
  int ready;
  do {
    ready = poll(&waited, 1, milliseconds);
  } while (ready < 0 && errno == EINTR);
  return ready > 0;
}

}  // namespace

Child::Child() {
  void* const box = mmap(nullptr, sizeof(Mailbox), PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  Require(box != MAP_FAILED, "mmap");
  mailbox_ = static_cast<Mailbox*>(box);
  int ends[2];
  Require(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0,
          "socketpair");
  fflush(nullptr);
  const pid_t parent = getpid();
  pid_ = fork();
  Require(pid_ >= 0, "fork");
  if (pid_ == 0) {
    close(ends[0]);
    Serve(ends[1], parent);
  }
  close(ends[1]);
  socket_ = ends[0];
}

Child::~Child() {
  close(socket_);
  if (pid_ > 0) {
    // Uses SIGKILL: a child that is stopped, or hangs in a call, would notice
    // no other signal.
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  munmap(mailbox_, sizeof(Mailbox));
}

void Child::Serve(int socket, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  char byte;
  while (read(socket, &byte, 1) == 1) {
    mailbox_->run(*mailbox_);
    if (write(socket, &byte, 1) != 1) break;
  }
  _exit(0);
}

void Child::Post() {
  const char byte = 0;
  if (send(socket_, &byte, 1, MSG_NOSIGNAL) != 1) Lose("is gone");
}

bool Child::Answers(int milliseconds) {
  return lost_ || Readable(socket_, milliseconds);
}

bool Child::Await(int milliseconds) {
  if (!Readable(socket_, milliseconds)) {
    kill(pid_, SIGKILL);
    Lose("did not answer in time");
    return false;
  }
  char byte;
  if (read(socket_, &byte, 1) == 1) return true;
  Lose("died");
  return false;
}

void Child::Lose(const char* why) {
  lost_ = true;
  int status = 0;
  waitpid(pid_, &status, 0);
  ADD_FAILURE() << "process " << pid_ << " " << why << ", status " << std::hex
                << status;
  pid_ = -1;
}

void Child::Signal(int signal) {
  if (pid_ < 0) return;
  kill(pid_, signal);
  if (signal != SIGKILL) return;
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
  lost_ = true;
}

}  // namespace gasnet::portals4_tests::testing
