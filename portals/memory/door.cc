#include "portals/memory/door.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cstring>

#include "absl/synchronization/mutex.h"
#include "base/clock.h"
#include "portals/tuning.h"

namespace gasnet::portals4 {
namespace {

// value of PR_GET_DUMPABLE: any process of the user may access this process
constexpr int kDumpable = 1;
constexpr size_t kMaxLabel = 128;

// A message of one byte, with room for a file descriptor as ancillary data.
struct Handed {
  char byte = 0;
  iovec part = {.iov_base = &byte, .iov_len = sizeof byte};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message = {};

  Handed() {
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
  }
};

bool IsReadable(int socket, int64_t patience) {
  pollfd wanted = {.fd = socket, .events = POLLIN, .revents = 0};
  return poll(&wanted, 1, static_cast<int>(patience / kNanosPerMilli)) == 1;
}

bool IsOfOurUser(int connection) {
  ucred peer = {};
  socklen_t size = sizeof peer;
  return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
         peer.uid == geteuid();
}

void Hand(int looker, int file) {
  Handed out;
  cmsghdr* const rights = CMSG_FIRSTHDR(&out.message);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(sizeof file);
  std::memcpy(CMSG_DATA(rights), &file, sizeof file);
  sendmsg(looker, &out.message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

}  // namespace

bool IsShut() { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) != kDumpable; }

Door::Door(int claim) : claim_(claim) {
  // Blocks all signals in the new thread, so that the program's threads handle
  // them.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  running_ = pthread_create(&thread_, nullptr, &Run, this) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (running_) pthread_setname_np(thread_, "portals4-door");
}

Door::~Door() {
  if (!running_) return;
  shutdown(claim_, SHUT_RDWR);
  pthread_join(thread_, nullptr);
}

void Door::Show(const std::string& label, int file) {
  const absl::MutexLock lock(&mutex_);
  files_[label] = file;
}

void Door::Hide(const std::string& label) {
  const absl::MutexLock lock(&mutex_);
  files_.erase(label);
}

void* Door::Run(void* door) {
  static_cast<Door*>(door)->Serve();
  return nullptr;
}

void Door::Serve() {
  const timespec moment = ToTimespec(kDoorNap);
  for (;;) {
    pollfd wanted = {.fd = claim_, .events = POLLIN, .revents = 0};
    poll(&wanted, 1, -1);
    // The destructor has shut claim_ down.
    if ((wanted.revents & POLLHUP) != 0) return;
    const UniqueFd looker(accept4(claim_, nullptr, nullptr, SOCK_CLOEXEC));
    if (looker.valid()) {
      Answer(looker.get());
    } else if (errno != EAGAIN) {
      nanosleep(&moment, nullptr);  // accept4 fails if no descriptor is free.
    }
  }
}

// Answers one connection. Some processes connect only to learn the number of
// this process. They send nothing, and have already left.
void Door::Answer(int looker) {
  if (!IsOfOurUser(looker) || !IsReadable(looker, kDoorListens)) return;
  char label[kMaxLabel];
  const ssize_t size = recv(looker, label, sizeof label, MSG_DONTWAIT);
  if (size <= 0) return;
  const absl::MutexLock lock(&mutex_);
  const auto wanted =
      files_.find(std::string(label, static_cast<size_t>(size)));
  if (wanted != files_.end()) Hand(looker, wanted->second);
}

UniqueFd AskAtDoor(int connection, const std::string& label) {
  UniqueFd file;
  Handed in;
  if (send(connection, label.data(), label.size(), MSG_NOSIGNAL) !=
          static_cast<ssize_t>(label.size()) ||
      !IsReadable(connection, kDoorPatience) ||
      recvmsg(connection, &in.message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT) != 1) {
    return file;
  }
  const cmsghdr* const rights = CMSG_FIRSTHDR(&in.message);
  if (rights == nullptr || rights->cmsg_type != SCM_RIGHTS ||
      rights->cmsg_len != CMSG_LEN(sizeof(int))) {
    return file;
  }
  int descriptor = -1;
  std::memcpy(&descriptor, CMSG_DATA(rights), sizeof descriptor);
  file.Reset(descriptor);
  return file;
}

}  // namespace gasnet::portals4
