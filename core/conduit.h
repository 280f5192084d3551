// A porter writes a conduit: its shape, on one page.
//
// A conduit is a class of static functions, a policy that the extended API and
// the exported C functions are instantiated with. It owns the job, the link,
// the engine over it and this rank's segment. docs/PORTING.md walks through
// writing one.
#ifndef CORE_CONDUIT_H_
#define CORE_CONDUIT_H_

#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "absl/status/status.h"
#include "core/am/engine.h"
#include "core/rma/rma.h"
#include "core/segment.h"
#include "job/job.h"

namespace gasnet {

// Start and Attach fail on all ranks when they fail on one. A failure that has
// been reported already is kAborted (job/shared_failure.h).
template <class C>
concept Conduit = requires(int* argc, char*** argv, std::string_view config,
                           const AttachRequest& request) {
  // The name clients see in GASNET_CONFIG_STRING, such as "SMP".
  { C::kName } -> std::convertible_to<std::string_view>;

  // Joins the job. config must be the same on all ranks.
  { C::Start(argc, argv, config) } -> std::same_as<absl::Status>;

  // This rank's likely largest segment in bytes, a page multiple.
  { C::MaxLocalSegment() } -> std::same_as<uintptr_t>;

  // Collective: makes this rank's segment, publishes its place, compares the
  // barriers, and leaves peers() and segments() filled. No message is delivered
  // before it returns on the delivering rank; another rank may have returned
  // and sent some.
  { C::Attach(request) } -> std::same_as<absl::Status>;

  // Valid from Start on.
  { C::job() } -> std::same_as<job::Job&>;
  // Valid from Start on; sends and polls from Attach on.
  C::engine().Poll();
  C::engine().Request(Rank{}, am::Message{});

  // By rank, valid from Attach on: how a rank's memory is reached from here
  // (size 0: by messages only), and where its segment is.
  { C::peers() } -> std::same_as<std::span<const MappedSegment>>;
  { C::segments() } -> std::same_as<std::span<const Segment>>;
};

// Optional members of a conduit. Where one is missing, the reference
// implementation over active messages does the work, if there is any. A conduit
// asserts what it has, so that a member that is misspelt does not compile.

// A native split-phase barrier (extended/barriers.h has its shape). Null, on
// all ranks alike, where this job has none; valid from Start on.
template <class C>
concept ConduitHasBarrier = requires {
  { C::Barrier::kName } -> std::convertible_to<const char*>;
  { C::barrier() } -> std::same_as<typename C::Barrier*>;
};

// Puts and gets of the network's own (core/rma/rma.h); valid from Attach on. To
// nobody where IsReferenceOnly (core/reference_only.h).
template <class C>
concept ConduitHasRma = requires {
  C::rma();
}
&&rma::Rma<std::remove_reference_t<decltype(C::rma())>>;

// Called by gasnet_exit from Start on: any thread, any time, signal handlers
// included; for what was sent to arrive. See also job::SetBeforeReturn.
template <class C>
concept ConduitActsBeforeExit = requires {
  { C::BeforeExit() } -> std::same_as<void>;
};

// How many co-located ranks, counted in order of rank, map each other's
// segments; valid from Start on. 1 without it.
template <class C>
concept ConduitHasSupernodes = requires {
  { C::SupernodeSize() } -> std::same_as<uint32_t>;
};

}  // namespace gasnet

#endif  // CORE_CONDUIT_H_
