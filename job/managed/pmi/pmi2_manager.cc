#include "job/managed/pmi/pmi2_manager.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <limits>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/env_parse.h"
#include "base/own_env.h"
#include "base/syscall.h"
#include "base/unique_fd.h"
#include "job/managed/pmi/pmi2_message.h"

namespace gasnet::job {
namespace {

// The line that precedes all messages, as in the first version of PMI.
constexpr char kGreeting[] = "cmd=init pmi_version=2 pmi_subversion=0\n";
constexpr size_t kMaxGreetingBytes = 1024;

absl::Status Broken(const std::string& what) {
  return absl::UnavailableError(
      absl::StrCat("PMI2 (the launcher's socket PMI_FD): ", what));
}

std::string TextOf(const char* variable) {
  const char* const value = OwnEnv(variable);
  return value == nullptr ? "" : value;
}

class Pmi2Manager : public ProcessManager {
 public:
  Pmi2Manager(UniqueFd socket, std::string job)
      : socket_(std::move(socket)), job_(std::move(job)) {}

  absl::Status Begin() {
    absl::Status status = Greet();
    if (!status.ok()) return status;
    const auto me = Ask({{"cmd", "fullinit"},
                         {"pmijobid", job_},
                         {"pmirank", TextOf("PMI_RANK")},
                         {"threaded", "FALSE"}});
    if (!me.ok()) return me.status();
    status = SetPlace(me->FindInt("rank").value_or(-1),
                      me->FindInt("size").value_or(-1));
    if (status.ok()) FindHosts();
    return status;
  }

  absl::Status Finish() override {
    const auto answer = Ask({{"cmd", "finalize"}});
    socket_.Reset();
    return answer.status();
  }

  void Abort(int, const std::string& why) override {
    // The launcher does not answer an abort.
    Send(Pmi2Message({{"cmd", "abort"}, {"isworld", "TRUE"}, {"msg", why}})
             .Encode());
  }

 private:
  absl::Status Put(const std::string& key, const std::string& value) override {
    return Ask({{"cmd", "kvs-put"}, {"key", key}, {"value", value}}).status();
  }

  absl::Status Fence() override { return Ask({{"cmd", "kvs-fence"}}).status(); }

  absl::StatusOr<std::string> Get(const std::string& key) override {
    auto answer = Ask(
        {{"cmd", "kvs-get"}, {"jobid", job_}, {"srcid", "0"}, {"key", key}});
    if (!answer.ok()) return answer.status();
    const std::string* const found = answer->Find("found");
    const std::string* const value = answer->Find("value");
    if (value == nullptr || (found != nullptr && *found != "TRUE")) {
      return Broken(absl::StrCat("it has no value '", key, "' of rank 0"));
    }
    return *value;
  }

  // Reads the process mapping to learn if all processes are on one host.
  // "(vector,(0,1,4))" is one block: from host 0 on, one host with 4 processes.
  // Any other value may mean several hosts.
  void FindHosts() {
    const auto answer =
        Ask({{"cmd", "info-getjobattr"}, {"key", "PMI_process_mapping"}});
    const std::string* const map =
        answer.ok() ? answer->Find("value") : nullptr;
    SetOnOneHost(map != nullptr &&
                 *map == absl::StrCat("(vector,(0,1,", size(), "))"));
  }

  bool Send(const std::string& bytes) {
    return WriteFull(socket_.get(), bytes.data(), bytes.size());
  }

  absl::Status Greet() {
    if (!Send(kGreeting)) return Broken(strerror(errno));
    std::string line;
    for (char c = 0; c != '\n'; line += c) {
      if (ReadFull(socket_.get(), &c, 1) != 1 ||
          line.size() == kMaxGreetingBytes) {
        return Broken("it ended without an answer to the greeting");
      }
    }
    if (line.starts_with("cmd=response_to_init ") &&
        absl::StrContains(line, " rc=0") &&
        absl::StrContains(line, " pmi_version=2 ")) {
      return absl::OkStatus();
    }
    return Broken(absl::StrCat("the launcher does not speak it; it answered '",
                               line.substr(0, line.size() - 1), "'"));
  }

  absl::StatusOr<Pmi2Message> Receive() {
    char length_text[Pmi2Message::kLengthBytes];
    if (ReadFull(socket_.get(), length_text, sizeof length_text) !=
        static_cast<ssize_t>(sizeof length_text)) {
      return Broken("it ended");
    }
    const auto length =
        Pmi2Message::ParseLength({length_text, sizeof length_text});
    if (!length.has_value()) return Broken("a message without a length");
    std::string body(*length, '\0');
    if (ReadFull(socket_.get(), body.data(), body.size()) !=
        static_cast<ssize_t>(body.size())) {
      return Broken("it ended in a message");
    }
    auto message = Pmi2Message::Parse(body);
    if (!message.has_value()) return Broken("an invalid message");
    return *std::move(message);
  }

  // Sends `pairs` and returns the answer. The first pair is the command.
  absl::StatusOr<Pmi2Message> Ask(
      std::initializer_list<Pmi2Message::Pair> pairs) {
    const std::string& command = pairs.begin()->second;
    if (!Send(Pmi2Message(pairs).Encode())) return Broken(strerror(errno));
    auto answer = Receive();
    if (!answer.ok()) return answer.status();
    const std::string* const kind = answer->Find("cmd");
    if (*kind != command + "-response") {
      return Broken(absl::StrCat("'", *kind, "' answers '", command, "'"));
    }
    if (answer->FindInt("rc").value_or(-1) == 0) return answer;
    const std::string* const why = answer->Find("errmsg");
    return Broken(absl::StrCat(
        command, " has failed: ", why == nullptr ? "no reason given" : *why));
  }

  UniqueFd socket_;
  const std::string job_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<ProcessManager>> ConnectToPmi2() {
  if (TextOf("PMI_SIZE") == "1") return nullptr;
  const std::optional<int64_t> fd = ParseInt(TextOf("PMI_FD"));
  struct stat info;
  if (!fd.has_value() || *fd < 0 || *fd > std::numeric_limits<int>::max() ||
      fstat(static_cast<int>(*fd), &info) != 0 || !S_ISSOCK(info.st_mode)) {
    return absl::FailedPreconditionError(absl::StrCat(
        "PMI_FD is '", TextOf("PMI_FD"),
        "', which is no open socket; is the program started through another "
        "one that closes descriptors? GASNET_SPAWN_CONTROL=none ignores it"));
  }
  SetCloseOnExec(static_cast<int>(*fd), true);
  auto manager = std::make_unique<Pmi2Manager>(UniqueFd(static_cast<int>(*fd)),
                                               TextOf("PMI_JOBID"));
  const absl::Status begun = manager->Begin();
  if (!begun.ok()) return begun;
  return manager;
}

}  // namespace gasnet::job
