// The functions for job control, set-up and queries (gasnet/job.h, am.h,
// threads.h), as the C functions call them. They check arguments and phases,
// since the runtime makes no such checks, and translate the C types.
#ifndef EXPORT_JOB_FUNCTIONS_H_
#define EXPORT_JOB_FUNCTIONS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/cancellation.h"
#include "base/env.h"
#include "base/forked.h"
#include "base/log.h"
#include "core/am/engine.h"
#include "core/only_library.h"
#include "core/phase.h"
#include "core/runtime/runtime.h"
#include "core/segment.h"
#include "core/supernodes.h"
#include "core/thread/rules.h"
#include "ex/client.h"
#include "export/ex/refusal.h"
#include "export/handler_assignment.h"
#include "export/layers.h"
#include "export/with_memory.h"
#include "extended/barriers.h"
#include "extended/native.h"
#include "gasnet/abi.h"
#include "gasnet/ex_endpoint.h"
#include "gasnet/ex_job.h"
#include "gasnet/job.h"
#include "gasnet/types.h"
#include "job/job.h"

namespace gasnet::exported {

class JobFunctions {
 public:
  // A function that makes the runtime.
  using StartFunction =
      absl::FunctionRef<absl::StatusOr<std::unique_ptr<Runtime>>()>;

  // Implements gasnet_init. config is the library's configuration string.
  static int Init(const char* config, StartFunction start) {
    const NoCancellation whole;
    return WithMemory("gasnet_init", [&] {
      return InitAll("gasnet_init", config, start, "LEGACY",
                     GEX_FLAG_USES_GASNET1);
    });
  }

  // Implements gex_Client_Init. Like Init(), but also enables messages.
  static int InitClient(const char* config, const char* name, gex_Flags_t flags,
                        StartFunction start) {
    const NoCancellation whole;
    constexpr char kCall[] = "gex_Client_Init";
    RequireNotForked(kCall);
    if (CurrentPhase() != Phase::kNone) {
      Fatal("%s called after gasnet_init or gex_Client_Init", kCall);
    }
    return WithMemory(kCall, [&] {
      const int joined = InitAll(kCall, config, start, name, flags);
      if (joined != GASNET_OK) return joined;
      if (EnvBool("GASNET_CATCH_EXIT", true)) runtime->job().EndWithReturn();
      return OpenAll();
    });
  }

  static int Attach(gasnet_handlerentry_t* table, int numentries,
                    AttachRequest request) {
    const NoCancellation whole;
    return WithMemory("gasnet_attach",
                      [&] { return AttachAll(table, numentries, request); });
  }

  // Attaches this rank's segment for a client of GASNet-EX. Collective. Under
  // GASNET_SEGMENT_EVERYTHING InitClient() has already attached all memory, and
  // the call is only a barrier.
  static int AttachSegment(uintptr_t size) {
    const NoCancellation whole;
    return WithMemory(kSegmentAttach, [&] { return AttachLater(size); });
  }
  // Returns true once all ranks have their segments.
  static bool IsSegmentAttached() { return ex::Client::Mine().is_attached(); }

  static int Finalize() {
    const NoCancellation whole;
    RequireNotForked("gasnet_finalize");
    if (CurrentPhase() == Phase::kNone) return GASNET_ERR_NOT_INIT;
    const bool attached = CurrentPhase() == Phase::kAttached;
    if (attached) RequireFinished();
    runtime->EndTogether(attached);
    // From here on gasnet_exit finds no runtime. gasnet_exit may run in a
    // signal handler at any time.
    EnterPhase(Phase::kNone);
    gasneti_world = {0, 0};
    WithdrawMappings();
    job::Job& job = runtime->job();
    delete runtime;
    runtime = nullptr;
    job::Job::End(&job);
    if (!job::Job::IsSuspended()) ForgetOnlyLibrary();
    return GASNET_OK;
  }

  [[noreturn]] static void Exit(int code) {
    const NoCancellation whole;
    // Without a job there is nothing to leave. A forked child takes this path
    // too.
    if (CurrentPhase() == Phase::kNone) {
      job::Job::ExitWithoutJob(code);
      exit(code);
    }
    runtime->SendStatistics();
    runtime->Drain(/*patient=*/false);
    runtime->job().Exit(code);
  }

  static uintptr_t MaxLocalSegment() {
    RequireInitialised("gasnet_getMaxLocalSegmentSize");
    return runtime->segment_limits().local;
  }
  static uintptr_t MaxGlobalSegment() {
    RequireInitialised("gasnet_getMaxGlobalSegmentSize");
    return runtime->segment_limits().global;
  }

  static int SegmentInfo(gasnet_seginfo_t* table, int numentries) {
    RequireNotForked("gasnet_getSegmentInfo");
    if (CurrentPhase() != Phase::kAttached) return GASNET_ERR_NOT_INIT;
    if (table == nullptr || numentries < 0) return GASNET_ERR_BAD_ARG;
    const std::span<const Segment> segments = runtime->segments();
    for (size_t i = 0; i < Count(numentries); ++i) {
      table[i].addr = reinterpret_cast<void*>(segments[i].base);
      table[i].size = segments[i].size;
    }
    return GASNET_OK;
  }

  static int NodeInfo(gasnet_nodeinfo_t* table, int numentries) {
    RequireNotForked("gasnet_getNodeInfo");
    if (CurrentPhase() == Phase::kNone) return GASNET_ERR_NOT_INIT;
    if (table == nullptr || numentries < 0) return GASNET_ERR_BAD_ARG;
    const std::vector<uint32_t> supernodes =
        Supernodes(runtime->job().host_of(), runtime->SupernodeSize());
    for (size_t i = 0; i < Count(numentries); ++i) {
      table[i].host = runtime->job().host_of()[i];
      table[i].supernode = supernodes[i];
#ifdef GASNET_PSHM
      table[i].offset = SegmentOffset(i);
#endif
    }
    return GASNET_OK;
  }

  // Sets how threads wait. mode is one of GASNET_WAIT_*.
  static int SetWaitMode(int mode) {
    RequireInitialised("gasnet_set_waitmode");
    switch (mode) {
      case GASNET_WAIT_SPIN:
        runtime->SetWaitMode(am::WaitMode::kSpin);
        return GASNET_OK;
      case GASNET_WAIT_BLOCK:
        runtime->SetWaitMode(am::WaitMode::kBlock);
        return GASNET_OK;
      case GASNET_WAIT_SPINBLOCK:
        runtime->SetWaitMode(am::WaitMode::kSpinBlock);
        return GASNET_OK;
    }
    return GASNET_ERR_BAD_ARG;
  }

 private:
  static Rank Me() { return runtime->job().rank(); }
  static constexpr char kSegmentAttach[] = "gex_Segment_Attach";

  static int InitAll(const char* call, const char* config, StartFunction start,
                     const char* name, gex_Flags_t flags) {
    RequireNotForked(call);
    RequireOnlyLibrary(config);
    if (CurrentPhase() != Phase::kNone) return GASNET_ERR_NOT_INIT;
    absl::StatusOr<std::unique_ptr<Runtime>> started = start();
    if (!started.ok()) return Fail(call, started.status());
    // The runtime is not freed on failure: other threads may use it until the
    // process ends.
    runtime = started->release();
    gasneti_world.mynode = runtime->job().rank();
    gasneti_world.nodes = runtime->job().size();
    EnterPhase(Phase::kInitialised);
    // Checks GASNET_VERBOSEENV first, since the report of a bad value of
    // another variable reads GASNET_VERBOSEENV.
    EnvBool("GASNET_VERBOSEENV", false);
    runtime->SetWaitMode(WaitModeFromEnvironment());
    runtime->FixSegmentLimits();
    runtime->Make<ex::Client>(name, flags);
    return GASNET_OK;
  }

  // Enables messages: makes the layers, opens the runtime, starts the layers.
  static int OpenAll() {
    MakeLayers();
    const auto barrier =
        static_cast<uint32_t>(extended::Barriers::Mine().kind());
#if defined(GASNET_SEGMENT_EVERYTHING)
    const absl::Status opened =
        runtime->Attach({.barrier = barrier, .call = "gex_Client_Init"});
#else
    const absl::Status opened = runtime->Open(barrier);
#endif
    if (!opened.ok()) return Fail("gex_Client_Init", opened);
    runtime->engine().SetSelf(Me(), runtime->segments()[Me()]);
    StartAll();
    ServeUnattended();
#if defined(GASNET_SEGMENT_EVERYTHING)
    ex::Client::Mine().NoteAttached();
#endif
    StartHandlerThread();
    return GASNET_OK;
  }

  static void StartAll() {
    StartLayers();
    PublishMappings();
    EnterPhase(Phase::kAttached);
  }

  static int AttachLater(uintptr_t size) {
#if defined(GASNET_SEGMENT_EVERYTHING)
    static_cast<void>(size);
    runtime->Meet();
#else
    ex::Client& client = ex::Client::Mine();
    if (client.is_attached()) {
      Fatal("%s called after the segment was attached", kSegmentAttach);
    }
    const uintptr_t most = runtime->segment_limits().local;
    // Even a rank with an invalid size takes part, so that the call fails on
    // all ranks.
    absl::Status legal;
    if (size == 0 || size % GASNET_PAGESIZE != 0 || size > most) {
      Refuse(GASNET_ERR_BAD_ARG,
             "%s: size is %zu; it must be a multiple of GASNET_PAGESIZE (%d), "
             "from that to %zu",
             kSegmentAttach, static_cast<size_t>(size), GASNET_PAGESIZE,
             static_cast<size_t>(most));
      legal = absl::InvalidArgumentError("its size is wrong");
    }
    AttachRequest request;
    request.segment_size = legal.ok() ? size : 0;
    request.call = kSegmentAttach;
    request.barrier = static_cast<uint32_t>(extended::Barriers::Mine().kind());
    // No request may be served while the segment changes.
    runtime->engine().link().EndUnattended(runtime->engine().dispatcher());
    const absl::Status attached = runtime->AttachSegment(request, legal);
    if (!attached.ok()) {
      ServeUnattended();
      return legal.ok() ? Fail(kSegmentAttach, attached) : GASNET_ERR_BAD_ARG;
    }
    TakeSegment();
    extended::Native::Mine().Start();
    PublishMappings();
    client.NoteAttached();
    // After this barrier no rank can receive a message for a segment that it
    // does not know yet.
    runtime->Meet();
#endif
    return GASNET_OK;
  }

  // Lets the network serve requests to the segments that are known now. Further
  // endpoints may have segments before gex_Segment_Attach.
  static void ServeUnattended() {
    runtime->engine().link().ServeUnattended(runtime->engine().dispatcher());
  }
  // Passes this rank's segment to the engine and the client's objects. Calls
  // the client's attach hook if there is one.
  static void TakeSegment() {
    const Segment& mine = runtime->segments()[Me()];
    runtime->engine().SetSelf(Me(), mine);
    ServeUnattended();
    ex::Client::Mine().SetSegment(mine);
    if (gasnet_client_attach_hook != nullptr) {
      gasnet_client_attach_hook(reinterpret_cast<void*>(mine.base), mine.size);
    }
  }

  static int AttachAll(gasnet_handlerentry_t* table, int numentries,
                       AttachRequest request) {
    RequireNotForked("gasnet_attach");
    if (CurrentPhase() != Phase::kInitialised) return GASNET_ERR_NOT_INIT;
    if (!IsArray(table, numentries)) return GASNET_ERR_BAD_ARG;
#if defined(GASNET_SEGMENT_EVERYTHING)
    request = {};
#endif
    if (request.segment_size % GASNET_PAGESIZE != 0) return GASNET_ERR_BAD_ARG;
    const std::span entries(table, static_cast<size_t>(numentries));
    const auto indices = AssignHandlers(entries);
    if (!indices.has_value()) return GASNET_ERR_BAD_ARG;
    MakeLayers();
    RegisterHandlers(entries, *indices);
    request.segment_size =
        std::min(request.segment_size, runtime->segment_limits().local);
    request.barrier = static_cast<uint32_t>(extended::Barriers::Mine().kind());
    const absl::Status attached = runtime->Attach(request);
    if (!attached.ok()) return Fail("gasnet_attach", attached);
    TakeSegment();
    StartAll();
    ex::Client::Mine().NoteAttached();
    StartHandlerThread();
    return GASNET_OK;
  }

  static bool IsArray(const void* table, int count) {
    return count == 0 || (count > 0 && table != nullptr);
  }
  // Returns the number of entries to fill in the client's table, one a rank.
  static size_t Count(int numentries) {
    return std::min<size_t>(static_cast<size_t>(numentries),
                            runtime->job().size());
  }

  // Reports a failure, unless all ranks share it. A shared failure has already
  // been reported (job/shared_failure.h).
  static int Fail(const char* call, const absl::Status& status) {
    if (status.code() != absl::StatusCode::kAborted) {
      Warn("%s: %s", call, std::string(status.message()).c_str());
    }
    return GASNET_ERR_RESOURCE;
  }

  static am::WaitMode WaitModeFromEnvironment() {
    static constexpr const char* kNames[] = {"spin", "block", "spinblock"};
    static constexpr am::WaitMode kModes[] = {
        am::WaitMode::kSpin, am::WaitMode::kBlock, am::WaitMode::kSpinBlock};
    return kModes[EnvChoice("GASNET_WAITMODE", kNames, 2)];
  }

  static void RegisterHandlers(std::span<gasnet_handlerentry_t> table,
                               std::span<const gasnet_handler_t> indices) {
    for (size_t i = 0; i < table.size(); ++i) {
      table[i].index = indices[i];
      ex::Client::Mine().endpoint().entries.Note(indices[i], table[i].fnptr);
      runtime->engine().handlers().RegisterClient(indices[i], table[i].fnptr);
    }
  }

  // Publishes the mapped segments. From here on the client's inlined code
  // accesses them directly. Forked children see an empty table, so that their
  // inlined code calls functions that reject the access.
  static void PublishMappings() {
    constexpr size_t kEntries = size_t{1} << 16;
    WipeInChildren(gasneti_displacement, kEntries * sizeof(uintptr_t));
    const std::span<const MappedSegment> peers = runtime->peers();
    for (size_t rank = 0; rank < peers.size(); ++rank) {
      if (peers[rank].size == 0) continue;
      gasneti_displacement[rank] = peers[rank].Displacement() + 1;
    }
  }

  static void WithdrawMappings() {
    std::fill_n(gasneti_displacement, runtime->peers().size(), 0);
  }

  static void RequireFinished() {
    thread::RequireMayCommunicate("gasnet_finalize");
    if (!extended::Barriers::Mine().IsOpen()) return;
    Fatal(
        "gasnet_finalize called between a gasnet_barrier_notify and the "
        "gasnet_barrier_wait or gasnet_barrier_try that ends it");
  }

  // Returns the address at which this process maps a rank's segment, minus the
  // segment's address in that rank.
  [[maybe_unused]] static uintptr_t SegmentOffset(size_t rank) {
    if (CurrentPhase() != Phase::kAttached) return 0;
    const MappedSegment& peer = runtime->peers()[rank];
    return peer.size == 0 ? 0 : peer.Displacement();
  }
};

}  // namespace gasnet::exported

#endif  // EXPORT_JOB_FUNCTIONS_H_
