// The part of an agent that handles START. It detects all conditions on this
// host that prevent the ranks from starting.
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "base/env.h"
#include "base/own_env.h"
#include "job/launch/spawn.h"
#include "job/wire/reached.h"
#include "tools/gasnetrun/binding.h"
#include "tools/gasnetrun/exit_codes.h"
#include "tools/gasnetrun/find_program.h"
#include "tools/gasnetrun/remote/agent.h"
#include "tools/gasnetrun/remote/fingerprint.h"

namespace gasnet::gasnetrun {
namespace {

constexpr char kElsewhere[] =
    "; have it at the same path on all hosts, or name its directory there with "
    "GASNET_SSH_REMOTE_PATH";

// Enters the launcher's working directory. If that fails, enters the directory
// for remote hosts (`remote_path`).
absl::Status EnterDirectory(const StartOrder& order) {
  if (chdir(order.directory.c_str()) == 0) return absl::OkStatus();
  const int error = errno;
  if (!order.remote_path.empty() && chdir(order.remote_path.c_str()) == 0) {
    return absl::OkStatus();
  }
  return absl::InternalError(absl::StrCat("cannot use working directory '",
                                          order.directory,
                                          "': ", strerror(error), kElsewhere));
}

absl::StatusOr<std::string> FindOnThisHost(const StartOrder& order) {
  const char* path = GetEnv("PATH");
  auto found = FindProgram(order.program, path == nullptr ? "" : path);
  if (absl::IsNotFound(found.status()) && !order.remote_path.empty()) {
    const size_t slash = order.program.rfind('/');
    const std::string name = slash == std::string::npos
                                 ? order.program
                                 : order.program.substr(slash + 1);
    found = FindProgram(absl::StrCat(order.remote_path, "/", name), "");
  }
  if (found.ok()) return found;
  return absl::Status(
      found.status().code(),
      absl::StrCat(std::string(found.status().message()), kElsewhere));
}

absl::Status CheckSame(const std::string& program, const StartOrder& order) {
  if (order.fingerprint.empty()) return absl::OkStatus();
  const std::string found = Fingerprint(program);
  if (found == order.fingerprint) return absl::OkStatus();
  return absl::PermissionDeniedError(
      absl::StrCat("program '", program, "' is another build than here (",
                   found.empty() ? "unreadable" : found, "; here ",
                   order.fingerprint, "); copy it there"));
}

}  // namespace

void Agent::TakeOrder(const job::Frame& frame) {
  StartOrder order;
  if (state_ != State::kWaiting || !DecodeStartOrder(frame.payload, order)) {
    return OnStreamEnd(FrameStream::End::kGarbage);
  }
  stream_.SetLimits(LimitsAfterStart());
  stream_.SetSilence(order.silence_millis * kNanosPerMilli);
  absl::Status status = Prepare(order);
  if (status.ok()) status = StartRanks(order.relays);
  if (!status.ok()) Fail(CodeOf(status), std::string(status.message()));
}

absl::Status Agent::Prepare(const StartOrder& order) {
  const char* const connection = OwnEnv("SSH_CONNECTION");
  if (connection != nullptr)
    plan_.reached = job::ParseSshConnection(connection);
  SetEnvironment(order.environment);
  umask(order.mask);
  const absl::Status entered = EnterDirectory(order);
  if (!entered.ok()) return entered;
  auto program = FindOnThisHost(order);
  if (!program.ok()) return program.status();
  const absl::Status same = CheckSame(*program, order);
  if (!same.ok()) return same;
  secret_ = job::Secret::FromBytes(order.secret);
  host_ = order.host;
  plan_.size = static_cast<uint32_t>(order.host_of.size());
  plan_.host_of = order.host_of;
  plan_.program = *std::move(program);
  plan_.arguments = order.arguments;
  plan_.environment = order.environment;
  plan_.tag_output = order.tag_output;
  plan_.to_terminal = order.to_terminal;
  plan_.cpus =
      AssignCpusOnHost(order.binding, order.host_of, host_, AllowedCores());
  return absl::OkStatus();
}

absl::Status Agent::StartRanks(uint32_t relays) {
  auto offspring =
      job::Offspring::Create(job::RanksOnHost(plan_, host_) + relays);
  if (!offspring.ok()) return job::NotTheProgram(offspring.status());
  offspring_ = *std::move(offspring);
  relays_.emplace(
      relays, loop_, *offspring_,
      [this](job::FrameType type, const Note& note) { Report(type, note); });
  if (plan_.host_of[0] == host_) OpenInput();
  auto ranks = job::HostRanks::Create({.plan = plan_,
                                       .secret = *secret_,
                                       .mask = signals_.mask(),
                                       .loop = loop_,
                                       .offspring = *offspring_},
                                      host_, *this);
  if (!ranks.ok()) return job::NotTheProgram(ranks.status());
  ranks_ = *std::move(ranks);
  state_ = State::kRunning;
  const auto started = ranks_->Start();
  if (!started.ok()) return started.status();
  if (input_ != nullptr) {
    // Only rank 0 may read the standard input.
    const UniqueFd null(open("/dev/null", O_RDWR | O_CLOEXEC));
    dup2(null.get(), STDIN_FILENO);
    Report(job::FrameType::kInputTaken, {});
  }
  return absl::OkStatus();
}

// Makes a pipe the agent's standard input. Rank 0 inherits it.
void Agent::OpenInput() {
  input_ = std::make_unique<job::InputPipe>(
      loop_, [this] { Report(job::FrameType::kInputTaken, {}); });
  dup2(input_->rank_end(), STDIN_FILENO);
  input_->CloseRankEnd();
}

}  // namespace gasnet::gasnetrun
