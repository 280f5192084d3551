// The supervisor's part in gasnet_init: every rank says HELLO; when all have,
// all are welcomed.
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "job/launch/supervisor.h"

namespace gasnet::job {

void Supervisor::OnStarted(uint32_t rank, pid_t pid) {
  states_[rank].pid = pid;
  SayVerbose(Name(rank) + " started");
}

void Supervisor::OnHello(uint32_t rank, const Hello& hello) {
  states_[rank].joined = true;
  if (joined_++ == 0) {
    first_joined_ = rank;
    config_ = hello.config;
  }
  SayVerbose(absl::StrCat(Name(rank), " called gasnet_init"));
  if (end_frame_ != nullptr) {
    SendEnd(rank);
  } else if (!missing_note_.empty()) {
    Fail(missing_code_, missing_note_);
  } else if (CheckConfig(rank, hello.config) && joined_ == plan_.size) {
    WelcomeAll();
  }
}

bool Supervisor::CheckConfig(uint32_t rank, std::string_view config) {
  if (config == config_) return true;
  Fail(1,
       absl::StrCat(Name(rank), " is built with GASNet '", std::string(config),
                    "' but rank ", first_joined_, " with '", config_,
                    "'; all ranks need the same configuration"));
  return false;
}

void Supervisor::WelcomeAll() {
  Welcome welcome = {.environment = plan_.environment};
  for (uint32_t rank = 0; rank < plan_.size; ++rank) {
    welcome.host_of.push_back(HostOf(rank));
  }
  for (const auto& host : hosts_) welcome.host_cpus.push_back(host->cpus());
  SendToAll(EncodeWelcome(welcome));
}

void Supervisor::SendToAll(std::string frame) {
  const auto shared = std::make_shared<const std::string>(std::move(frame));
  for (const auto& host : hosts_) host->SendToAll(shared);
}

// A rank that can never join is the end of a job that others have joined, or
// will join; where nobody does, it is none of our business.
void Supervisor::NoteMissing(int code, std::string note) {
  if (!missing_note_.empty()) return;
  missing_note_ = std::move(note);
  missing_code_ = code;
  if (joined_ > 0) Fail(missing_code_, missing_note_);
}

void Supervisor::OnGather(uint32_t rank, const GatherPart& part) {
  auto all = gathers_.Add(rank, part);
  if (!all.ok()) return Fail(1, std::string(all.status().message()));
  if (!all->has_value()) return CheckGathers();
  SendToAll(**std::move(all));
}

}  // namespace gasnet::job
