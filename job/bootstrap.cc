#include "job/bootstrap.h"

#include <stdlib.h>
#include <unistd.h>

#include <utility>

#include "absl/status/status.h"
#include "base/cpu.h"
#include "base/env.h"
#include "base/log.h"
#include "base/own_env.h"
#include "base/syscall.h"
#include "job/managed/pmi/process_manager.h"
#include "job/memory/host_memory.h"
#include "job/wire/limits.h"
#include "job/wire/messages.h"
#include "job/wire/secret.h"

namespace gasnet::job {

namespace {

// Warns if GASNET_JOB was lost. A launcher passes both descriptors and this
// variable. If only the descriptors are present, the variable was lost.
void WarnIfItIsLost() {
  if (!Secret::IsAmongDescriptors()) return;
  Warn(
      "gasnet_init: this process was started for a rank of a job, but %s is "
      "not in its environment ('env -i' and sudo remove it), so it is a job of "
      "its own; pass %s on",
      Handoff::kVariable, Handoff::kVariable);
}

}  // namespace

absl::StatusOr<std::optional<Handoff>> TakeHandoff() {
  const char* text = OwnEnv(Handoff::kVariable);
  if (text == nullptr) {
    WarnIfItIsLost();
    return std::nullopt;
  }
  const auto handoff = Handoff::FromText(text);
  if (!handoff.ok()) return handoff.status();
  const absl::Status usable = CheckDescriptors(*handoff);
  if (!usable.ok()) return usable;
  unsetenv(Handoff::kVariable);
  for (const int fd : {handoff->control, handoff->secret, handoff->memory}) {
    SetCloseOnExec(fd, true);
  }
  return *handoff;
}

absl::StatusOr<RankStart> JoinJob(const Handoff& handoff,
                                  std::string_view build_config) {
  RankStart start;
  start.host_memory.Reset(handoff.memory);
  UniqueFd channel(handoff.control);
  const UniqueFd secret_fd(handoff.secret);
  const auto secret = Secret::ReadFrom(secret_fd.get());
  if (!secret.ok()) return secret.status();
  const Hello hello = {.proof = secret->proof(),
                       .rank = handoff.rank,
                       .pid = static_cast<uint32_t>(getpid()),
                       .config = build_config.substr(0, kMaxConfigBytes)};
  Welcome welcome;
  auto link = ControlLink::Join(std::move(channel), hello, welcome);
  if (!link.ok()) return link.status();
  if (welcome.host_of.size() != handoff.size) {
    return absl::DataLossError("the launcher's WELCOME is for another job");
  }
  const uint32_t host = welcome.host_of[handoff.rank];
  start.membership = {.rank = handoff.rank,
                      .host_of = std::move(welcome.host_of),
                      .host_cpus = welcome.host_cpus[host],
                      .reached = handoff.reached};
  start.environment = std::move(welcome.environment);
  start.secret = *secret;
  start.link = *std::move(link);
  return start;
}

absl::StatusOr<RankStart> BeAlone() {
  auto memory = CreateHostMemory();
  if (!memory.ok()) return memory.status();
  RankStart start;
  start.membership.host_cpus = OnlineCpus();
  start.environment = ProcessEnvironment();
  start.host_memory = *std::move(memory);
  return start;
}

bool HasProcessManager() {
  const auto kind = DetectPmi();
  return !kind.ok() || *kind != PmiKind::kNone;
}

}  // namespace gasnet::job
