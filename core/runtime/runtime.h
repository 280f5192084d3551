// The runtime: the object behind GASNet's functions. It owns the memory that
// the ranks of this host share, the network to all other ranks, the endpoints
// that use both, this rank's segments, and the state of the layers (layer.h).
// The layers use it (docs/LAYERS.md), and depend on no conduit.
//
// Ranks of a host share rings and segments. If GASNET_SUPERNODE_MAXSIZE divides
// the host, only ranks of a supernode share them. The network serves all other
// ranks, and is not opened if there are none.
#ifndef CORE_RUNTIME_RUNTIME_H_
#define CORE_RUNTIME_RUNTIME_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/am/dispatcher.h"
#include "core/am/progress.h"
#include "core/further_segments.h"
#include "core/hostshm/arrivals.h"
#include "core/hostshm/barrier.h"
#include "core/hostshm/meetings.h"
#include "core/hostshm/rings.h"
#include "core/hostshm/segments.h"
#include "core/network/link.h"
#include "core/observe/status_board.h"
#include "core/rma/rma.h"
#include "core/runtime/conduit.h"
#include "core/runtime/endpoint.h"
#include "core/runtime/endpoints.h"
#include "core/runtime/layer.h"
#include "core/segment.h"
#include "core/split_barrier.h"
#include "job/job.h"

namespace gasnet {

namespace observe {
class ForLauncher;
class Observer;
}  // namespace observe

class Runtime {
 public:
  // Joins the job, chooses one of the library's conduits, and opens the network
  // if some ranks need it. linked: the library's conduit. config: the library's
  // configuration, the same on all ranks. Fails on all ranks if it fails on
  // one. A failure that is already reported has the code kAborted
  // (job/shared_failure.h).
  static absl::StatusOr<std::unique_ptr<Runtime>> Start(
      const Conduit& linked, int* argc, char*** argv, std::string_view config);
  // Ends the layers and the network, and unmaps all memory. Called after
  // EndTogether().
  virtual ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  // Returns the size in bytes of this rank's largest possible segment,
  // estimated now; a multiple of the page size.
  virtual uintptr_t MaxLocalSegment() const;

  // Estimated sizes in bytes of the largest possible segment. local: on this
  // rank. global: the smallest value of all ranks.
  struct SegmentLimits {
    uintptr_t local = 0;
    uintptr_t global = 0;
  };
  // Fixes the limits at their current values, since the free memory changes
  // while ranks start. Collective.
  void FixSegmentLimits();
  const SegmentLimits& segment_limits() const { return segment_limits_; }

  // Creates this rank's segment, publishes its address, checks that all ranks
  // use the same barrier, and fills peers() and segments(). Collective. Fails
  // as Start() does. Before Attach() returns, this rank delivers no message,
  // but ranks that have already returned may have sent some.
  virtual absl::Status Attach(const AttachRequest& request);

  // Starts the runtime without segments (GASNet-EX). AttachSegment() may follow
  // as a second step. Collective. Fails as Start() does. Once Open() has
  // returned, messages are possible, but no rank has a segment yet.
  absl::Status Open(uint32_t barrier);
  // Creates this rank's segment. Collective, once, after Open(). During the
  // call other threads may poll and send, but must not use the segments before
  // all ranks have met again (Meet). legal: OK, or an error in the caller's
  // request, which makes the call fail on all ranks.
  absl::Status AttachSegment(const AttachRequest& request,
                             const absl::Status& legal);

  // Waits at a barrier of all ranks, and serves the network meanwhile. Legal
  // after Open() or Attach().
  void Meet();

  // Waits until all ranks have called EndTogether() and no rank sends any more.
  // Then ends the layers. Collective; called only before the end of this
  // object. Serves the other ranks during the wait, if the runtime is attached.
  void EndTogether(bool attached);

  // Makes exit() end the threads of layers before it destroys objects that are
  // older than this call, since handlers may use these objects. exit() waits at
  // most a second until the threads finish the messages that they have begun to
  // handle. The wait is limited, since a handler may need a lock that the
  // thread in exit() holds. Called by a layer before it starts a thread.
  void EndThreadsAtExit();

  // Ensures that sent messages arrive, before the process ends. Callable on any
  // thread at any time, also in signal handlers (network::Network::Drain).
  void Drain(bool patient);

  // Makes the network and the observer write their reports, and sends the
  // statistics. Does nothing in later calls.
  void Report();
  // Sends the statistics to the launcher, once, if the launcher wants them.
  // Allocates no memory, so a signal handler may call it.
  void SendStatistics();

  job::Job& job() { return job_; }
  // Returns true if a network reaches some ranks.
  bool has_network() { return network() != nullptr; }
  // Returns the conduit in use.
  const Conduit& conduit() const { return conduit_; }
  // Returns the engine of endpoint 0. It may send and poll from Attach() on.
  Engine& engine() { return first_.engine(); }
  Endpoint& first() { return first_; }
  // Returns the endpoints. Endpoints of other indices than 0 can be created
  // from Attach() on.
  Endpoints& endpoints() { return endpoints_; }
  // Sets how threads wait from now on, in all endpoints.
  void SetWaitMode(am::WaitMode mode);
  // Returns the endpoint that receives the message. Called in a handler.
  Endpoint& EndpointOf(const am::Token& token) {
    const EndpointIndex index = token.to->index();
    return index == 0 ? first_ : *endpoints_.Find(index);
  }

  // Both results are indexed by rank, and valid from Attach() on. peers()
  // returns this process's mappings of the segments (size 0 if only messages
  // reach a segment). segments() returns the segments' addresses in their own
  // ranks.
  std::span<const MappedSegment> peers() const { return segments_.peers; }
  std::span<const Segment> segments() const { return segments_.by_rank; }

  // Returns the segments of GASNet-EX's endpoints other than 0.
  FurtherSegments& further_segments() { return further_segments_; }

  // Returns the observer of this process, or null.
  observe::Observer* observer() { return observer_.get(); }
  // Returns the board that publishes the waits of this rank.
  observe::StatusBoard& status() { return status_; }

  // Returns the maximum number of ranks that share a host and map each other's
  // segments. These ranks are consecutive.
  virtual uint32_t SupernodeSize() const;

  // rma() returns the network's native puts and gets. barrier() returns the
  // network's native barrier of all ranks. Both return null if there is none.
  rma::Rma* rma() const { return rma_; }
  SplitBarrier* barrier() const { return barrier_; }
  // Returns the barriers of all ranks in shared memory, for barriers that
  // compare no values. Returns null unless all ranks share memory.
  hostshm::Arrivals* arrivals() {
    return arrivals_.has_value() ? &*arrivals_ : nullptr;
  }
  // Returns the meetings of all ranks in shared memory. Returns null unless all
  // ranks share memory, or if GASNET_REFERENCE requires messages.
  hostshm::Meetings* meetings() {
    return meetings_.has_value() ? &*meetings_ : nullptr;
  }

  // Creates the stateful part of a layer. Called once for each layer, before
  // messages can arrive.
  template <class L, class... Arguments>
  L& Make(Arguments&&... arguments) {
    auto made = std::make_unique<L>(std::forward<Arguments>(arguments)...);
    L& layer = *made;
    layers_[PlaceOf<L>()] = std::move(made);
    return layer;
  }
  // Returns the part of the layer that Make() has created.
  template <class L>
  L& layer() {
    return static_cast<L&>(*layers_[PlaceOf<L>()]);
  }

 protected:
  Runtime(const Conduit& conduit, job::Job& job);

  job::Job& job_;
  hostshm::Rings rings_;
  hostshm::Segments segments_;
  FurtherSegments further_segments_;
  observe::StatusBoard status_;
  am::Progress progress_;
  // The endpoint of GASNet's own functions, and the other endpoints. Both
  // members are destroyed before the memory that they use.
  Endpoint first_{0, progress_};
  Endpoints endpoints_;
  rma::Rma* rma_ = nullptr;
  SplitBarrier* barrier_ = nullptr;

 private:
  template <class L>
  static constexpr size_t PlaceOf() {
    return static_cast<size_t>(L::kName);
  }

  absl::Status StartAll();
  absl::Status StartNetwork();
  void StartStatus();
  absl::Status MakeSegment(const AttachRequest& request,
                           const absl::Status& legal, bool aligned);
  void MeetForReplies();
  absl::Status Expose(network::Exposed& exposed);
  void SetSegments();
  static void ReportAtProcessEnd();
  void Answer(job::Question question);
  void ReportSoFar();
  void StartObserver();
  void CompareClocks(bool at_end);
  static void OnExit();
  void EndThreads(int64_t patience);
  void EndLayers();
  network::Link& link() { return first_.link(); }
  network::Network* network() { return link().network(); }
  template <class Function>
  void ForAllEndpoints(Function function);
  bool SharesAll() const { return rings_.ranks().size() == job_.size(); }

  const Conduit& conduit_;
  const uint32_t supernode_size_;
  SegmentLimits segment_limits_;
  std::unique_ptr<observe::Observer> observer_;
  // Null unless the launcher wants statistics.
  std::unique_ptr<observe::ForLauncher> for_launcher_;
  // true if CompareClocks() exchanges clock times
  bool has_clock_rounds_ = false;
  std::optional<hostshm::Barrier> host_barrier_;
  std::optional<hostshm::Arrivals> arrivals_;
  std::optional<hostshm::Meetings> meetings_;
  std::array<std::unique_ptr<Layer>, kLayers> layers_;
  std::atomic<bool> has_reported_{false};
  std::atomic<bool> has_sent_statistics_{false};
};

// The runtime of this process, for C functions. Null until gasnet_init has
// started it.
inline constinit Runtime* runtime = nullptr;

}  // namespace gasnet

#endif  // CORE_RUNTIME_RUNTIME_H_
