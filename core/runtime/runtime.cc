#include "core/runtime/runtime.h"

#include <sched.h>
#include <stdlib.h>

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/cancellation.h"
#include "base/clock.h"
#include "base/forked.h"
#include "base/log.h"
#include "core/network/agreement.h"
#include "core/observe/for_launcher.h"
#include "core/observe/observer.h"
#include "core/observe/seam.h"
#include "core/reference_only.h"
#include "core/runtime/tuning.h"
#include "job/gather.h"
#include "job/process_end.h"
#include "job/shared_failure.h"

namespace gasnet {
namespace {

// Returns the maximum number of ranks of a host that share rings. Without a
// network only the conduit limits this number, even if the ranks do not map
// each other's segments.
uint32_t GroupSize(const Conduit& conduit, const job::Job& job) {
  const uint32_t most =
      conduit.open == nullptr ? job.size() : hostshm::SupernodeLimit(job);
  return std::min(most, conduit.most_near);
}

absl::StatusOr<const Conduit*> Choose(const Conduit& linked, job::Job& job) {
  if (linked.choose == nullptr) return &linked;
  return linked.choose(job);
}

// The state of the layers' threads: there are none, there may be some, or
// exit() is ending them. gasnet_finalize and exit() may be called at the same
// time.
enum class Threads : uint8_t { kNone, kSome, kEnding };
std::atomic<Threads> threads{Threads::kNone};

// Makes exit() leave the threads alone from here on. If exit() has begun to end
// them, waits until it is done.
void KeepFromExit() {
  for (;;) {
    Threads now = threads.load(std::memory_order_acquire);
    if (now != Threads::kEnding &&
        threads.compare_exchange_weak(now, Threads::kNone)) {
      return;
    }
    sched_yield();
  }
}

}  // namespace

Runtime::Runtime(const Conduit& conduit, job::Job& job)
    : job_(job),
      rings_(job, GroupSize(conduit, job)),
      endpoints_(job, rings_, first_),
      conduit_(conduit),
      supernode_size_(
          std::min(hostshm::SupernodeLimit(job), conduit.most_near)) {}

absl::StatusOr<std::unique_ptr<Runtime>> Runtime::Start(
    const Conduit& linked, int* argc, char*** argv, std::string_view config) {
  if (linked.before_start != nullptr && !job::Job::IsSuspended()) {
    const absl::Status ready = linked.before_start(argc, argv);
    if (!ready.ok()) return ready;
  }
  const absl::StatusOr<job::Job*> job = job::Job::Start(argc, argv, config);
  if (!job.ok()) return job.status();
  const absl::StatusOr<const Conduit*> chosen = Choose(linked, **job);
  if (!chosen.ok()) return chosen.status();
  const Conduit& conduit = **chosen;
  if (conduit.open == nullptr && (*job)->host_size() != (*job)->size()) {
    return job::ReportOnce(
        **job, "gasnet_init",
        absl::FailedPreconditionError(absl::StrCat(
            "the ", conduit.name,
            " conduit runs on one host; this job has ranks on several (the udp "
            "conduit runs there)")));
  }
  // Does not delete the runtime on failure: threads of the network may use the
  // runtime until the process ends.
  auto* const started = new Runtime(conduit, **job);
  const absl::Status status = started->StartAll();
  if (!status.ok()) return status;
  return std::unique_ptr<Runtime>(started);
}

void Runtime::Meet() {
  constexpr auto kForAllRanks = [] {
    return observe::Waiting{.what = observe::WaitFor::kAllRanks};
  };
  job_.EnterBarrier();
  observe::ObservedWait observed;
  observed.Begin();
  am::Wait wait;
  while (!job_.IsBarrierOver()) {
    engine().WaitStep(wait, am::EndedBy::kAnything, kForAllRanks);
    ForAllEndpoints([](Engine& other) { other.Poll(); });
  }
  engine().EndWait(wait);
  job_.AwaitBarrier();
  observed.End(kForAllRanks);
}

// Waits for all ranks. Serves only replies during the wait: a handler of
// another rank may still wait for room to reply. No rank handles requests any
// more, so no new handler starts to wait.
void Runtime::MeetForReplies() {
  job_.EnterBarrier();
  while (!job_.IsBarrierOver()) {
    unsigned handled = engine().PollReplies();
    ForAllEndpoints([&](Engine& other) { handled += other.PollReplies(); });
    if (handled == 0) sched_yield();
  }
  job_.AwaitBarrier();
}

void Runtime::EndTogether(bool attached) {
  const auto meet = [&](auto serving) {
    if (attached) return (this->*serving)();
    job_.EnterBarrier();
    job_.AwaitBarrier();
  };
  meet(&Runtime::Meet);
  KeepFromExit();
  EndThreads(kNever);
  meet(&Runtime::MeetForReplies);
  status_.SetNetwork(nullptr);
  // The service of unattended requests uses the layers.
  link().EndUnattended(engine().dispatcher());
  EndLayers();
  Drain(/*patient=*/false);
  CompareClocks(/*at_end=*/true);
  job_.EnterBarrier();
  job_.AwaitBarrier();
}

// Calls the function with the engine of each endpoint but the first.
template <class Function>
void Runtime::ForAllEndpoints(Function function) {
  for (unsigned index = 1; index < kMaxEndpoints; ++index) {
    Endpoint* const endpoint =
        endpoints_.Find(static_cast<EndpointIndex>(index));
    if (endpoint != nullptr) function(endpoint->engine());
  }
}

void Runtime::SetWaitMode(am::WaitMode mode) {
  const bool oversubscribed = job_.host_size() > job_.host_cpus();
  engine().SetWaitMode(mode, oversubscribed);
  ForAllEndpoints(
      [=](Engine& other) { other.SetWaitMode(mode, oversubscribed); });
}

void Runtime::EndThreadsAtExit() {
  if (threads.exchange(Threads::kSome) == Threads::kSome) return;
  if (atexit(&OnExit) != 0) Fatal("atexit failed: out of memory");
}

void Runtime::OnExit() {
  const NoCancellation whole;
  Threads now = Threads::kSome;
  if (IsForkedChild() ||
      !threads.compare_exchange_strong(now, Threads::kEnding)) {
    return;
  }
  runtime->EndThreads(kThreadsAtExit);
  threads.store(Threads::kNone, std::memory_order_release);
}

// Asks the threads of all layers to end before it waits for any of them.
void Runtime::EndThreads(int64_t patience) {
  const int64_t deadline = NowNanos() + std::min(patience, kNever / 2);
  for (const bool waits : {false, true}) {
    for (const auto& layer : layers_) {
      if (layer == nullptr) continue;
      const int64_t left = std::max<int64_t>(0, deadline - NowNanos());
      layer->EndThreads(!waits ? 0 : patience == kNever ? kNever : left);
    }
  }
}

// Destroys the layers in reverse order. A layer's own threads may use the layer
// until its destructor has run.
void Runtime::EndLayers() {
  KeepFromExit();
  for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) {
    delete layer->get();
    static_cast<void>(layer->release());
  }
}

Runtime::~Runtime() {
  job_.SetOnQuestion(nullptr);
  EndLayers();
  job::SetBeforeReturn(nullptr);
  job::SetExitReport(nullptr);
  Report();
  observe::SetObserver(nullptr);
}

absl::Status Runtime::StartAll() {
  absl::Status status = rings_.Start(link().host());
  if (status.ok() && !SharesAll()) status = StartNetwork();
  if (!status.ok()) return status;
  StartStatus();
  rings_.Join(engine().cpu_board());
  if (SharesAll()) {
    barrier_ = &host_barrier_.emplace(rings_.base(), rings_.layout(),
                                      rings_.my_index(), link().host());
    arrivals_.emplace(rings_.base(), rings_.layout(), rings_.my_index(),
                      link().host());
    if (!IsReferenceOnly()) {
      meetings_.emplace(rings_.base(), rings_.layout(), rings_.my_index(),
                        link().host());
    }
  } else {
    rma_ = network()->rma();
    barrier_ = network()->barrier();
    ReportAtProcessEnd();
  }
  StartObserver();
  job_.SetOnQuestion([this](job::Question question) { Answer(question); });
  return absl::OkStatus();
}

void Runtime::StartStatus() {
  status_.Join(rings_.status_page());
  engine().waits().SetStatusBoard(status_);
  link().host().SetStatusBoard(status_);
  if (network() == nullptr) return;
  status_.SetNetwork([network = network()] { return network->LongestWait(); });
}

// Answers a question of the launcher. Called by the thread of the job.
void Runtime::Answer(job::Question question) {
  switch (question) {
    case job::Question::kPolls:
      status_.NoteAsked();
      link().host().NoteNextPoll();
      // Wakes a thread that sleeps on the link, so that it polls.
      return link().WakeOwn();
    case job::Question::kStatistics:
      return ReportSoFar();
  }
}

absl::Status Runtime::StartNetwork() {
  absl::StatusOr<std::unique_ptr<network::Network>> network =
      conduit_.open(job_);
  if (!network.ok()) return network.status();
  const absl::Status started =
      link().Start(*std::move(network), engine().progress());
  const absl::StatusOr<network::Agreed> agreed = network::Agree(
      job_, rings_.ranks(), started, started.ok() ? link().MaxMedium() : 0);
  if (!agreed.ok()) return agreed.status();
  link().SetMaxMedium(agreed->max_medium);
  link().SetCertain(agreed->one_namespace);
  link().SetAlone(rings_.ranks().size() == 1);
  return absl::OkStatus();
}

uintptr_t Runtime::MaxLocalSegment() const {
  const uintptr_t most = hostshm::LargestSegment(job_, rings_.end());
  // A segment of GASNET_SEGMENT_EVERYTHING has no limit, since messages reach
  // the memory that the network cannot reach.
  const network::Network* const network = first_.link().network();
  if (most == UINTPTR_MAX || network == nullptr) return most;
  return std::min(most, network->MaxSegment());
}

void Runtime::FixSegmentLimits() {
  segment_limits_.local = MaxLocalSegment();
  const std::vector<uintptr_t> all = job::Gather(job_, segment_limits_.local);
  segment_limits_.global = *std::min_element(all.begin(), all.end());
}

absl::Status Runtime::Attach(const AttachRequest& request) {
  const absl::Status made =
      MakeSegment(request, absl::OkStatus(), conduit_.aligned_segments);
  if (made.ok()) endpoints_.Open();
  return made;
}

absl::Status Runtime::Open(uint32_t barrier) {
  AttachRequest request;
  request.call = "gex_Client_Init";
  request.barrier = barrier;
  segments_.by_rank.assign(job_.size(), Segment{});
  segments_.peers.assign(job_.size(), MappedSegment{});
  const auto shared = hostshm::ShareSegments(job_, request, absl::OkStatus(),
                                             NothingExposed(), segments_);
  if (!shared.ok()) return shared.status();
  SetSegments();
  endpoints_.Open();
  return absl::OkStatus();
}

// Waits for all ranks twice. During the first wait, a rank may still be waiting
// until another rank takes its request. During the second, only replies remain.
absl::Status Runtime::AttachSegment(const AttachRequest& request,
                                    const absl::Status& legal) {
  Meet();
  MeetForReplies();
  return MakeSegment(request, legal, /*aligned=*/false);
}

absl::Status Runtime::MakeSegment(const AttachRequest& request,
                                  const absl::Status& legal, bool aligned) {
  const hostshm::SegmentRules rules = {.first_offset = rings_.end(),
                                       .aligned = aligned,
                                       .supernode_size = supernode_size_};
  const absl::Status mapped =
      hostshm::MapSegments(job_, request, rules, segments_);
  if (mapped.ok()) endpoints_.Place(segments_.end);
  absl::Status mine = legal.ok() ? mapped : legal;
  network::Exposed exposed;
  if (mine.ok()) mine = Expose(exposed);
  const auto shared =
      hostshm::ShareSegments(job_, request, mine, exposed, segments_);
  if (!shared.ok()) return shared.status();
  SetSegments();
  if (network::Network* const network = this->network()) {
    network->Attach(segments_.by_rank, *shared);
    link().SetMaxLongFar();
  }
  endpoints_.Attach(segments_, rules);
  return absl::OkStatus();
}

void Runtime::SetSegments() {
  link().host().SetSegments(segments_.peers, segments_.by_rank,
                            /*apart=*/supernode_size_ < rings_.ranks().size());
}

absl::Status Runtime::Expose(network::Exposed& exposed) {
  network::Network* const network = this->network();
  if (network == nullptr) return absl::OkStatus();
  const auto made = network->Expose(0, segments_.by_rank[job_.rank()]);
  if (made.ok()) exposed = *made;
  return made.status();
}

void Runtime::Drain(bool patient) {
  if (network::Network* const network = this->network()) {
    network->Drain(patient);
  }
}

uint32_t Runtime::SupernodeSize() const {
  return hostshm::MappedTogether(supernode_size_);
}

}  // namespace gasnet
