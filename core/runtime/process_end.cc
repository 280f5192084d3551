// The runtime's reports at the end of the process, its statistics and its
// traces.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "core/observe/clock_offset.h"
#include "core/observe/for_launcher.h"
#include "core/observe/observer.h"
#include "core/observe/seam.h"
#include "core/observe/trace_file.h"
#include "core/runtime/clock_rounds.h"
#include "core/runtime/runtime.h"
#include "job/gather.h"
#include "job/process_end.h"

namespace gasnet {
namespace {

// Leaves the job. A program may return from main without gasnet_exit, while the
// job continues.
void BeforeReturn(bool patient) {
  if (runtime == nullptr) return;
  runtime->SendStatistics();
  if (!runtime->has_network()) return;
  runtime->job().Leave();
  runtime->Drain(patient);
}

// Writes the reports at every end of the process.
void ReportAtEnd() {
  if (runtime != nullptr) runtime->Report();
}

}  // namespace

void Runtime::ReportAtProcessEnd() {
  job::SetBeforeReturn(&BeforeReturn);
  job::SetExitReport(&ReportAtEnd);
}

// Reports only once, even if a thread calls exit() while the job ends.
void Runtime::Report() {
  if (has_reported_.exchange(true)) return;
  const network::Network* const network = this->network();
  if (network != nullptr) network->Report();
  if (observer_ != nullptr) observer_->Report();
  SendStatistics();
}

void Runtime::SendStatistics() {
  if (for_launcher_ == nullptr) return;
  if (has_sent_statistics_.exchange(true)) return;
  for_launcher_->Encode(*observer_, [this](std::string_view encoded) {
    job_.SendStatistics(encoded);
  });
}

// Reports the statistics while the client goes on. Sends them to the launcher
// if the launcher wants them, and writes the file of GASNET_STATSFILE. Called
// by the thread of the job.
void Runtime::ReportSoFar() {
  if (observer_ == nullptr || has_reported_.load()) return;
  observer_->WriteStatistics("on request", /*reset=*/false);
  if (for_launcher_ == nullptr) return;
  for_launcher_->Encode(*observer_, [this](std::string_view encoded) {
    // Counts sent now must not arrive after the final counts.
    if (!has_sent_statistics_.load()) job_.SendStatistics(encoded);
  });
}

void Runtime::StartObserver() {
  observer_ = observe::Observer::Make({.rank = job_.rank(),
                                       .ranks = job_.size(),
                                       .host = job_.host_of()[job_.rank()],
                                       .life = job_.life(),
                                       .conduit = conduit_.name},
                                      job_.WantsStatistics());
  CompareClocks(/*at_end=*/false);
  if (observer_ == nullptr) return;
  if (job_.WantsStatistics()) {
    for_launcher_ = std::make_unique<observe::ForLauncher>(job_.size());
  }
  observe::SetObserver(observer_.get());
  ReportAtProcessEnd();
}

// Records the offset of this rank's clock to that of rank 0, if a rank of the
// job is traced. Collective. Ranks of one host share a clock, so they need no
// exchange.
void Runtime::CompareClocks(bool at_end) {
  observe::TraceFile* const file =
      observer_ == nullptr ? nullptr : observer_->tracing().file();
  const bool shares_clock = job_.host_size() == job_.size();
  const bool may_be_traced = observe::Observer::IsTraced() || job_.life() > 0;
  if (!at_end && !shares_clock && may_be_traced) {
    const std::vector<uint8_t> traced =
        job::Gather(job_, uint8_t{file != nullptr});
    has_clock_rounds_ =
        std::find(traced.begin(), traced.end(), 1) != traced.end();
  }
  observe::TraceOffset offset = observe::SameClock(NowNanos());
  if (has_clock_rounds_) offset = observe::OffsetOfClock(job_);
  if (file == nullptr) return;
  if (at_end) {
    file->SetEndOffset(offset);
  } else {
    file->SetStartOffset(offset);
  }
}

}  // namespace gasnet
