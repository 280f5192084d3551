#include "portals/job/pmi1.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "base/env_parse.h"
#include "base/own_env.h"
#include "base/syscall.h"

namespace gasnet::portals4 {
namespace {

// The maximum size of one value in bytes. Each byte is sent as two hexadecimal
// digits, and launchers accept 1,024 characters.
constexpr size_t kPieceBytes = 500;
constexpr size_t kMaxPieces = 64;
constexpr size_t kMaxLine = 4096;
constexpr int64_t kMaxRanks = 65535;

absl::Status Broken(const std::string& what) {
  return absl::UnavailableError(
      absl::StrCat("PMI (the launcher's socket PMI_FD): ", what));
}

int64_t NumberOf(const char* variable) {
  const char* const text = OwnEnv(variable);
  return text == nullptr ? -1 : ParseInt(text).value_or(-1);
}

// Finds the value of a name in "cmd=... NAME=VALUE ...".
std::optional<std::string> Find(std::string_view line, std::string_view name) {
  while (!line.empty()) {
    const std::string_view word = line.substr(0, line.find(' '));
    line.remove_prefix(std::min(word.size() + 1, line.size()));
    const size_t equals = word.find('=');
    if (equals != std::string_view::npos && word.substr(0, equals) == name) {
      return std::string(word.substr(equals + 1));
    }
  }
  return std::nullopt;
}

bool Send(int socket, const std::string& line) {
  const std::string bytes = line + "\n";
  size_t sent = 0;
  while (sent < bytes.size()) {
    const ssize_t more = RetryOnEintr([&] {
      return send(socket, bytes.data() + sent, bytes.size() - sent,
                  MSG_NOSIGNAL);
    });
    if (more <= 0) return false;
    sent += static_cast<size_t>(more);
  }
  return true;
}

// Receives one line and returns it. Reads no byte behind the line, because the
// next line may be an answer to the program. Returns an empty string if no line
// arrives.
std::string Receive(int socket) {
  std::string line;
  for (char c = 0;;) {
    if (ReadFull(socket, &c, 1) != 1 || line.size() == kMaxLine) return "";
    if (c == '\n') return line;
    line += c;
  }
}

// The socket to the launcher. SayGoodbye uses it to report that the process
// ends.
struct Goodbye {
  pid_t process = 0;
  int socket = -1;
  ino_t inode = 0;
};
Goodbye goodbye;

// Notifies the launcher that the process ends. Does nothing in a forked child,
// although the child has the socket too. Does nothing if the program itself has
// notified the launcher and closed the socket.
void SayGoodbye() {
  struct stat about;
  if (goodbye.process != getpid() || fstat(goodbye.socket, &about) != 0 ||
      about.st_ino != goodbye.inode) {
    return;
  }
  if (Send(goodbye.socket, "cmd=finalize")) Receive(goodbye.socket);
}

void SayGoodbyeAtExit(int socket, ino_t inode) {
  const bool is_first = goodbye.socket < 0;
  goodbye = {.process = getpid(), .socket = socket, .inode = inode};
  if (is_first) atexit(&SayGoodbye);
}

}  // namespace

bool Pmi1::IsOffered() {
  return OwnEnv("PMI_FD") != nullptr && OwnEnv("PMI_RANK") != nullptr &&
         OwnEnv("PMI_SIZE") != nullptr;
}

absl::StatusOr<Pmi1> Pmi1::Connect() {
  const int64_t socket = NumberOf("PMI_FD");
  const int64_t rank = NumberOf("PMI_RANK");
  const int64_t size = NumberOf("PMI_SIZE");
  struct stat about;
  if (socket < 0 || socket > std::numeric_limits<int>::max() ||
      fstat(static_cast<int>(socket), &about) != 0 ||
      !S_ISSOCK(about.st_mode)) {
    return absl::FailedPreconditionError(
        absl::StrCat("PMI_FD is ", socket, ", which is no open socket"));
  }
  if (size < 1 || size > kMaxRanks || rank < 0 || rank >= size) {
    return absl::InvalidArgumentError(absl::StrCat(
        "PMI_RANK is ", rank, " and PMI_SIZE ", size,
        "; accepted: a rank below the size, of at most ", kMaxRanks));
  }
  Pmi1 made(static_cast<int>(socket), static_cast<uint32_t>(rank),
            static_cast<uint32_t>(size));
  const absl::Status begun = made.Begin();
  if (!begun.ok()) return begun;
  SayGoodbyeAtExit(made.socket_, about.st_ino);
  return made;
}

absl::Status Pmi1::Begin() {
  const auto greeted =
      Ask("cmd=init pmi_version=1 pmi_subversion=1", "response_to_init");
  if (!greeted.ok()) return greeted.status();
  const auto named = Ask("cmd=get_my_kvsname", "my_kvsname");
  if (!named.ok()) return named.status();
  space_ = Find(*named, "kvsname").value_or("");
  return absl::OkStatus();
}

absl::StatusOr<std::string> Pmi1::Ask(const std::string& question,
                                      std::string_view answer) {
  if (!Send(socket_, question)) return Broken(strerror(errno));
  const std::string line = Receive(socket_);
  if (line.empty())
    return Broken(absl::StrCat("no answer to '", question, "'"));
  if (Find(line, "cmd") != answer || Find(line, "rc").value_or("0") != "0") {
    return Broken(absl::StrCat("'", line, "' answers '", question, "'"));
  }
  return line;
}

absl::Status Pmi1::Put(const std::string& key, const std::string& value) {
  return Ask(absl::StrCat("cmd=put kvsname=", space_, " key=", key,
                          " value=", value),
             "put_result")
      .status();
}

absl::StatusOr<std::string> Pmi1::Get(const std::string& key) {
  auto line =
      Ask(absl::StrCat("cmd=get kvsname=", space_, " key=", key), "get_result");
  if (!line.ok()) return line.status();
  const std::optional<std::string> value = Find(*line, "value");
  if (!value) return Broken(absl::StrCat("it has no value of '", key, "'"));
  return *value;
}

std::string Pmi1::KeyOf(uint32_t rank, size_t piece) const {
  return absl::StrCat("portals4-", gathers_, "-", rank, "-", piece);
}

// Stores `mine` in pieces. The first piece begins with the number of pieces.
absl::Status Pmi1::PutAll(std::string_view mine) {
  const size_t pieces =
      std::max<size_t>((mine.size() + kPieceBytes - 1) / kPieceBytes, 1);
  for (size_t piece = 0; piece < pieces; ++piece) {
    std::string value = piece == 0 ? absl::StrCat(pieces, ".") : "";
    value +=
        absl::BytesToHexString(mine.substr(piece * kPieceBytes, kPieceBytes));
    const absl::Status put = Put(KeyOf(rank_, piece), value);
    if (!put.ok()) return put;
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> Pmi1::GetAll(uint32_t rank) {
  std::string all;
  for (size_t piece = 0, pieces = 1; piece < pieces; ++piece) {
    auto value = Get(KeyOf(rank, piece));
    if (!value.ok()) return value.status();
    if (piece == 0) {
      const size_t point = std::min(value->find('.'), value->size());
      pieces = static_cast<size_t>(
          ParseInt(value->substr(0, point)).value_or(kMaxPieces + 1));
      value->erase(0, point + 1);
    }
    const std::optional<std::string> bytes = ParseHexBytes(*value);
    if (pieces > kMaxPieces || !bytes) {
      return Broken(
          absl::StrCat("what rank ", rank, " has told makes no sense"));
    }
    all += *bytes;
  }
  return all;
}

absl::StatusOr<std::vector<std::string>> Pmi1::AllGather(
    std::string_view mine) {
  const absl::Status put = PutAll(mine);
  if (!put.ok()) return put;
  const auto met = Ask("cmd=barrier_in", "barrier_out");
  if (!met.ok()) return met.status();
  std::vector<std::string> all;
  for (uint32_t rank = 0; rank < size_; ++rank) {
    auto told = GetAll(rank);
    if (!told.ok()) return told.status();
    all.push_back(*std::move(told));
  }
  ++gathers_;
  return all;
}

}  // namespace gasnet::portals4
