// Collectives over any conduit, below the exported C functions.
//
//   request.h        the arguments of one call
//   node.h           takes operations through their stages
//   algorithm.h      the incoming and outgoing parts of each phase
//   choice.h         chooses the algorithm of an operation
//   parts.h          transfers the parts of a phase
//   at_once.h        small operations that complete within their call
//   combine.h        reductions, always in the same order
//   team.h           the nodes that take part
//   tree.h           the tree along which a team's nodes forward data
//   window.h         limits how far ahead of its peers a node may send
//   header.h         the contents of messages
//   inbox.h          holds arrived messages
//   landings.h       destinations of the pieces of large parts
//   fabric.h         the network; conduit_fabric.h: the network of a conduit
//   progress_setting.h  enables a thread that makes progress while the client
//                       computes
//
// The handle of an operation belongs to the node: any thread may sync the
// handle, but not two threads at once.
#ifndef COLL_COLLECTIVES_H_
#define COLL_COLLECTIVES_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/log.h"
#include "coll/access.h"
#include "coll/conduit_fabric.h"
#include "coll/handler_indices.h"
#include "coll/node.h"
#include "coll/progress_setting.h"
#include "coll/split.h"
#include "coll/team_table.h"
#include "coll/tuning.h"
#include "core/runtime/layer.h"
#include "core/runtime/runtime.h"
#include "core/segment.h"
#include "core/supernodes.h"
#include "core/thread/library_thread.h"
#include "core/thread/mode.h"

namespace gasnet::coll {

// Describes a wait for an operation, for a status report.
inline observe::Waiting ReasonOf(const CollectiveOperation& op) {
  return {.what = observe::WaitFor::kCollective,
          .first = op.team->name(),
          .second = op.team->CountOf(op.number)};
}

class Collectives final : public Layer {
 public:
  static constexpr LayerName kName = LayerName::kCollectives;
  // Returns this rank's collectives.
  static Collectives& Mine() { return runtime->layer<Collectives>(); }

  Collectives()
      : node_(fabric_, SettingsFromEnvironment(runtime->engine().MaxMedium())),
        progress_(runtime->engine().progress().Add(&Advance, this)) {
    constexpr am::Lane kRequest = am::Lane::kRequest;
    am::HandlerTable& to = runtime->engine().handlers();
    to.RegisterInternal(kCollRequest, kRequest, &OnHeader);
    to.RegisterInternal(kCollLongRequest, kRequest, &OnLongHeader);
    to.RegisterInternal(kCollPayloadRequest, kRequest, am::Category::kMedium,
                        &OnPayload);
    to.RegisterInternal(kCollPieceRequest, kRequest, am::Category::kMedium,
                        &OnPiece);
    to.RegisterInternal(kCollLongPieceRequest, kRequest, am::Category::kLong,
                        &OnLongPiece);
    to.RegisterLanding(kCollLongPieceRequest, &Land);
  }

  ~Collectives() override { EndThreads(kNever); }

  void EndThreads(int64_t patience) override {
    if (!thread_.HasStarted()) return;
    thread_.AskToEnd();
    runtime->engine().link().WakeOwn();
    thread_.End(patience);
  }

  // Starts the collectives. Called once messages can be sent. Segments are
  // attached already, or will be attached while collectives are under way.
  void Start() {
    supernodes_ =
        Supernodes(runtime->job().host_of(), runtime->SupernodeSize());
    segments_follow_ = std::ranges::all_of(
        runtime->segments(), [](const Segment& it) { return it.size == 0; });
    std::vector<Rank> all(runtime->job().size());
    std::iota(all.begin(), all.end(), 0);
    const size_t nodes = all.size();
    all_ = &Add({.id = TeamTable::kAll,
                 .ranks = std::move(all),
                 .images = std::vector<uint32_t>(nodes, 1)});
    if (!WantsProgressThread(thread::kConcurrent)) return;
    runtime->EndThreadsAtExit();
    thread_.Start([this] { Serve(); });
  }

  // Begins an operation on the team. Returns null if the operation is already
  // complete; a barrier with a vote never returns null. Collective: all nodes
  // of the team call Begin in the same order, one thread of a node at a time.
  // Threads may begin operations of different teams at the same time.
  CollectiveOperation* Begin(Team& team, const CollectiveRequest& request) {
    // A client may call one small operation after another. If each completes
    // within its call, the client never waits, and waits are what serves other
    // operations. So Begin serves them too.
    if (team.next % kWindow == 0) {
      ConduitFabric::ServeAll();
      runtime->engine().progress().Run();
    } else {
      ConduitFabric::Serve();
    }
    CollectiveOperation* const op = node_.Begin(team, request);
    if (!node_.IsIdle()) KeepMoving();
    return op;
  }
  static bool IsDone(const CollectiveOperation& op) { return op.IsSynced(); }
  // Releases a completed operation; `op` is then invalid. Call it only after
  // IsDone returned true.
  void Release(CollectiveOperation& op) { node_.Release(op); }
  // Serves the network until the operation is complete, and releases it; `op`
  // is then invalid.
  void Wait(CollectiveOperation& op) {
    runtime->engine().WaitUntil([&] { return op.IsSynced(); },
                                [&] { return ReasonOf(op); });
    Release(op);
  }
  // Returns the merged vote of a kBarrier. Call it only after IsDone returned
  // true.
  static BarrierVote Vote(const CollectiveOperation& op) { return op.vote; }

  Team& All() { return *all_; }
  // Makes another team of all nodes, with a block for each image. images[i] is
  // the number of images of node i. Called once, on all nodes.
  Team& WithImages(const uint32_t images[]) {
    return Add({.id = TeamTable::kImages,
                .ranks = All().ranks(),
                .images = {images, images + All().nodes()}});
  }
  // Makes teams of the nodes that pass the same color. The nodes of each team
  // are ordered by key. Nodes with equal keys keep their order. Returns
  // this node's team, or null if its color is SplitWish::kNone. Collective over
  // the parent.
  Team* Split(Team& parent, const char* call, int64_t color, int64_t key) {
    const TeamTable::Name name = node_.TakeTeamName();
    const std::vector<SplitWish> wishes = Exchanged(
        parent, call,
        {.color = color, .key = key, .id = name.id, .first = name.first});
    if (color == SplitWish::kNone) {
      node_.GiveBackTeamName(name.id);
      return nullptr;
    }
    SplitResult result = SplitTeam(parent, wishes);
    return &Add({.id = name.id,
                 .first = result.first,
                 .ranks = std::move(result.ranks),
                 .ids = std::move(result.ids),
                 .images = std::move(result.images)});
  }
  // Gathers bytes from all nodes of the team, in order of the nodes' indices.
  // Node i contributes sizes[i] bytes; all nodes pass the same sizes.
  // Collective over the team.
  void GatherAll(Team& team, const char* call, const void* mine, void* all,
                 const std::vector<size_t>& sizes) {
    CollectiveRequest request = {.call = call,
                                 .kind = CollectiveKind::kGatherAllV,
                                 .in = SyncMode::kMine,
                                 .out = SyncMode::kMine};
    request.sources = Addresses(mine);
    request.dests = Addresses(all);
    request.in_sizes = sizes.data();
    CollectiveOperation* const op = Begin(team, request);
    if (op != nullptr) Wait(*op);
  }
  // Ends a team that Split made. All nodes of the team call this, each after
  // its operations on the team are synced. Serves the network until none of the
  // team's operations is under way on this node.
  void End(Team& team) {
    observe::StatusBoard::RemoveTeam(team.status);
    runtime->engine().WaitUntil([&] { return node_.RemoveTeam(team); });
  }

  const CollSettings& settings() const { return node_.settings(); }
  // Replaces the settings. Called on all nodes, while no operation is under
  // way.
  void Use(const CollSettings& settings) { node_.Use(settings); }
  static size_t MaxEager() { return runtime->engine().MaxMedium(); }

 private:
  // Exchanges the colors and keys (SplitWish) of all nodes of the parent.
  std::vector<SplitWish> Exchanged(Team& parent, const char* call,
                                   const SplitWish& mine) {
    const Rank nodes = parent.nodes();
    std::vector<SplitWish> wishes(nodes);
    const std::vector<size_t> sizes(nodes, sizeof(SplitWish));
    GatherAll(parent, call, &mine, wishes.data(), sizes);
    return wishes;
  }

  // Completes the description of a team and adds the team.
  Team& Add(Team::Members members) {
    members.processors = runtime->job().host_cpus();
    for (Rank index = 0; index < members.ranks.size(); ++index) {
      const Rank rank = members.ranks[index];
      if (rank == runtime->job().rank()) members.me = index;
      members.near.push_back(IsNear(rank));
      members.hosts.push_back(HostOf(rank));
    }
    Team& team = node_.AddTeam(std::move(members));
    team.status = runtime->status().AddTeam(team.name());
    return team;
  }

  // Returns true if this rank and `rank` map each other's segments. If segments
  // are not attached yet, returns true for ranks that will map each other's.
  // Until segments are attached a part has no address, and travels in pieces.
  bool IsNear(Rank rank) const {
    if (!segments_follow_) return ConduitFabric::IsNear(rank);
    const Rank me = runtime->job().rank();
    return rank != me && supernodes_[rank] == supernodes_[me];
  }

  // Returns the number of the rank's host. Ranks that GASNET_SUPERNODE_MAXSIZE
  // separates count as on different hosts. With GASNET_SEGMENT_EVERYTHING no
  // segment is mapped, but the ranks of a host still have one number and
  // leader.
  uint32_t HostOf(Rank rank) const {
#if !defined(GASNET_SEGMENT_EVERYTHING)
    return supernodes_[rank];
#else
    return runtime->job().host_of()[rank];
#endif
  }

  // Runs on the progress thread. Serves the network while an operation is under
  // way, and for kLinger after that. Within kLinger a peer may still need an
  // answer, if it does not know yet that the operation is complete here. Other
  // peers may still move bytes through this node.
  void Serve() {
    const auto is_active = [this] {
      return is_active_.load(std::memory_order_relaxed);
    };
    const auto ends = [this] { return thread_.IsEnding(); };
    runtime->engine().WaitUntil([&] { return !is_active() || ends(); },
                                am::NotTold{});
    const int64_t end = NowNanos() + kLinger;
    runtime->engine().WaitUntil(
        [&] { return is_active() || ends() || NowNanos() >= end; },
        am::NotTold{});
  }

  // Runs as the progress function. Deactivates itself only if nothing is under
  // way when it is called. So it stays active from one small operation to the
  // next.
  static void Advance(void* self) { static_cast<Collectives*>(self)->Step(); }
  void Step() {
    if (!node_.IsIdle()) return node_.Drive();
    runtime->engine().progress().Deactivate(progress_);
    runtime->engine().link().LimitSleep(kNever);
    SetActive(false);
    // Another thread may just have begun an operation. Either that thread sees
    // that is_active_ is false, or this thread sees that operation here.
    if (!node_.IsIdle()) KeepMoving();
  }
  void KeepMoving() {
    if (is_active_.load(std::memory_order_seq_cst)) return;
    SetActive(true);
    // Nodes that wait for each other must read the clock regularly (inquiry.h).
    // Therefore the time of a sleep is limited.
    runtime->engine().link().LimitSleep(kLongestSleep);
    runtime->engine().progress().Activate(progress_);
    thread_.Wake();
  }

  // Sets is_active_. The store is sequentially consistent only if threads are
  // concurrent.
  void SetActive(bool active) {
    is_active_.store(active, thread::kConcurrent ? std::memory_order_seq_cst
                                                 : std::memory_order_relaxed);
  }

  static Rank SourceOf(void* token) {
    return static_cast<const am::Token*>(token)->source;
  }
  static void Take(void* token, const int32_t* words, size_t count,
                   const void* payload, size_t nbytes) {
    const std::optional<CollHeader> header = Unpack(words, count);
    if (!header.has_value()) RefuseWords(SourceOf(token));
    Collectives& mine = Mine();
    mine.node_.inbox().Push(SourceOf(token), *header, payload, nbytes);
    // A node with nothing under way must also answer inquiries, and report
    // messages that are impossible.
    mine.KeepMoving();
  }
  [[noreturn]] static void RefuseWords(Rank from) {
    Fatal(
        "rank %u sent a malformed message of a collective; memory or the "
        "network is corrupted",
        from);
  }
  static void OnHeader(void* token, int32_t a, int32_t b, int32_t c, int32_t d,
                       int32_t e, int32_t f) {
    const int32_t words[] = {a, b, c, d, e, f};
    Take(token, words, kHeaderWords, nullptr, 0);
  }
  static void OnLongHeader(void* token, int32_t a, int32_t b, int32_t c,
                           int32_t d, int32_t e, int32_t f, int32_t g,
                           int32_t h, int32_t i, int32_t j) {
    const int32_t words[] = {a, b, c, d, e, f, g, h, i, j};
    Take(token, words, kLongHeaderWords, nullptr, 0);
  }
  static void OnPayload(void* token, void* payload, size_t nbytes, int32_t a,
                        int32_t b, int32_t c, int32_t d, int32_t e, int32_t f) {
    const int32_t words[] = {a, b, c, d, e, f};
    Take(token, words, kHeaderWords, payload, nbytes);
  }

  static Landing& LandingOf(Rank from, int32_t low, int32_t high,
                            uint64_t offset, size_t nbytes, bool claim) {
    Landing* const landing = Mine().node_.landings().Find(
        from, extended::Join(low, high), offset, nbytes, claim);
    if (landing == nullptr) {
      Fatal(
          "rank %u sent a piece of a collective that is not expected now; "
          "memory or the network is corrupted",
          from);
    }
    return *landing;
  }
  static void OnPiece(void* token, void* payload, size_t nbytes, int32_t low,
                      int32_t high, int32_t at_low, int32_t at_high) {
    const uint64_t offset = extended::Join(at_low, at_high);
    Landing& landing =
        LandingOf(SourceOf(token), low, high, offset, nbytes, true);
    WillWrite(landing.to + offset, nbytes);
    std::memcpy(landing.to + offset, payload, nbytes);
    Landings::Count(landing, nbytes);
  }
  static void OnLongPiece(void* token, void* payload, size_t nbytes,
                          int32_t low, int32_t high, int32_t at_low,
                          int32_t at_high) {
    const uint64_t offset = extended::Join(at_low, at_high);
    Landing& landing =
        LandingOf(SourceOf(token), low, high, offset, nbytes, true);
    if (payload != landing.to + offset) RefuseWords(SourceOf(token));
    Landings::Count(landing, nbytes);
  }
  static void* Land(Rank source, const int32_t* args, unsigned num_args,
                    size_t nbytes) {
    if (num_args != 4) RefuseWords(source);
    const uint64_t offset = extended::Join(args[2], args[3]);
    return LandingOf(source, args[0], args[1], offset, nbytes, false).to +
           offset;
  }

  ConduitFabric fabric_;
  Node node_;
  const am::Progress::Id progress_;
  Team* all_ = nullptr;
  std::vector<uint32_t> supernodes_;  // indexed by rank
  bool segments_follow_ = false;
  std::atomic<bool> is_active_{false};
  // The last member: its destructor runs first and ends the thread.
  thread::LibraryThread thread_{
      {.name = "gasnet-coll", .setting = "GASNET_COLL_PROGRESS is thread"}};
};

}  // namespace gasnet::coll

#endif  // COLL_COLLECTIVES_H_
