// The steps that the C functions of both families, gasnet_coll_* and
// gasnet_all_*, share: they check that the call is legal in this context, find
// the team, and begin the operation for the node or for one image.
//
// P is a policy: the real one, which uses the runtime (policy.h), or a test's.
// - P::engine(): coll::Collectives
// - P::calls(): CollCalls
// - P::node(), P::nodes(): this node's rank in the job, and the job's size
// - P::segment(): this node's segment
// - P::InBarrier(): true between gasnet_barrier_notify and its wait
// - P::HasRelaxedBarrierFlags(): true with GASNET_BARRIER_FLAGS=relaxed
// - P::Poll(), P::WaitUntil(predicate, operation), P::WakeOwn()
//
// Every build checks that the node is in the team, that roots exist, and that
// sizes fit. Debug builds also check:
// - the context, the flags and the areas
// - that gasnet_coll_init was called (other builds start without it)
// - that only one thread at a time begins an operation
#ifndef EXPORT_COLL_FRONT_H_
#define EXPORT_COLL_FRONT_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/log.h"
#include "coll/images.h"
#include "coll/request.h"
#include "core/phase.h"
#include "core/thread/mode.h"
#include "core/thread/rules.h"
#include "export/coll/areas.h"
#include "export/coll/calls.h"
#include "export/coll/flags.h"
#include "export/coll/handles.h"
#include "export/coll/set_up.h"
#include "export/coll/team_record.h"
#include "gasnet/coll_types.h"

namespace gasnet::exported {

static_assert(coll::kPromises ==
              (GASNET_COLL_DST_IN_SEGMENT | GASNET_COLL_SRC_IN_SEGMENT));

template <class P>
class CollFront {
 public:
  using Team = coll::Team;
  using Record = TeamRecord;
  using Handles = CollHandles<P>;
  using Handle = gasnet_coll_handle_t;

  static void Init(const CollSetUp::Arguments& arguments) {
    RequireAttached("gasnet_coll_init");
    thread::RequireMayCommunicate("gasnet_coll_init");
    CollSetUp& set_up = P::calls().set_up;
    set_up.Init(arguments, P::node(), P::nodes(), [&] {
      Team& of_images = set_up.several()
                            ? P::engine().WithImages(set_up.images().data())
                            : P::engine().All();
      P::calls().teams.SetAll(of_images, P::engine().All(),
                              P::calls().meetings);
    });
  }

  // Checks that a collective is legal here. Every call begins with Open().
  static void Open(const char* call) {
    RequireAttached(call);
    if constexpr (thread::kChecks) {
      thread::RequireMayCommunicate(call);
      if (P::InBarrier()) RefuseInBarrier(call);
    }
    if (!P::calls().set_up.ready()) [[unlikely]]
      StartWithoutInit(call);
  }
  static void OpenWithModes(const char* call, int flags) {
    Open(call);
    CheckModes(call, flags);
  }

  static coll::CollectiveRequest RequestOf(const char* call,
                                           coll::CollectiveKind kind,
                                           size_t nbytes, int flags) {
    coll::CollectiveRequest request;
    request.call = call;
    request.kind = kind;
    request.in = InOf(flags);
    request.out = OutOf(flags);
    request.single = IsSingle(flags);
    request.flags = static_cast<uint32_t>(flags);
    request.nbytes = nbytes;
    return request;
  }

  // Checks that the total size of all blocks fits in a size_t.
  static void RequireFits(const char* call, size_t blocks, size_t nbytes) {
    size_t all = 0;
    if (!__builtin_mul_overflow(blocks, nbytes, &all)) [[likely]]
      return;
    Fatal("%s: nbytes is %zu, of each of %zu blocks: more than memory can have",
          call, nbytes, blocks);
  }

  // Marks, for a scope, that a call begins an operation. Only one call at a
  // time may begin an operation. During the scope no other thread may begin
  // one, nor may a function of the client that the call runs.
  class Initiation {
   public:
    explicit Initiation(const char* call) {
      if constexpr (!thread::kChecks) return;
      if (!P::calls().begins.exchange(true, std::memory_order_relaxed)) return;
      Fatal(
          "%s called while this node begins another collective, in another "
          "thread or this one; one at a time may",
          call);
    }
    ~Initiation() {
      if constexpr (thread::kChecks)
        P::calls().begins.store(false, std::memory_order_relaxed);
    }
    Initiation(const Initiation&) = delete;
    Initiation& operator=(const Initiation&) = delete;
  };

  // Begins the operation of a call that the node makes as a whole.
  static Handle BeginAsNode(Record& record,
                            const coll::CollectiveRequest& request) {
    return Handles::Of(BeginHere(record, request));
  }

  // Begins the operation of a call that one image of the node makes
  // (Images::Enter).
  static Handle BeginAsImage(Record& record,
                             const coll::CollectiveRequest& request,
                             bool of_node) {
    if (!P::calls().set_up.several()) [[likely]]
      return BeginAsNode(record, request);
    const uint32_t image = P::calls().set_up.MyImage(request.call);
    const bool is_root =
        record.team.first_image(record.team.me()) + image == request.root_name;
    const coll::Images::Entry entry =
        record.images.Enter(image, request, of_node, is_root || of_node);
    if (entry.complete != nullptr) {
      coll::ImageMeetings::SetBegun(
          *entry.complete, BeginHere(record, entry.complete->request()));
      P::WakeOwn();  // other images wait for this operation
    }
    return Handles::Of(*entry.ticket);
  }

  // Begins an operation that uses only some blocks of the client's lists.
  // numbers: the indices of these blocks. They are kept until the operation
  // ends. make(numbers) makes the request.
  template <class Make>
  static Handle BeginWithNumbers(Record& record, std::vector<uint32_t> numbers,
                                 Make make) {
    coll::ImageMeeting& meeting = P::calls().meetings.Take(1);
    meeting.numbers() = std::move(numbers);
    coll::ImageMeetings::SetBegun(meeting,
                                  BeginHere(record, make(meeting.numbers())));
    return Handles::Of(meeting.ticket(0));
  }

 private:
  // Starts collectives for a client that has not called gasnet_coll_init. Like
  // Init(), it needs no communication, since the engine has the team of all
  // nodes from the start.
  [[gnu::cold]] static void StartWithoutInit(const char* call) {
    if constexpr (thread::kChecks) {
      Fatal("%s called before gasnet_coll_init", call);
    }
    P::calls().set_up.StartByItself(call, [] {
      P::calls().teams.SetAll(P::engine().All(), P::engine().All(),
                              P::calls().meetings);
    });
  }

  static coll::CollectiveOperation* BeginHere(
      Record& record, const coll::CollectiveRequest& request) {
    const Initiation initiation(request.call);
    if constexpr (thread::kChecks)
      CheckAreas(request, PlaceOf(record.team, request), P::segment());
    record.use[static_cast<unsigned>(request.kind)].Count(request.nbytes);
    return P::engine().Begin(record.team, request);
  }

  static NodePosition PlaceOf(const Team& team,
                              const coll::CollectiveRequest& request) {
    const coll::BlockMap& map = request.blocks;
    NodePosition place = {.node = team.me(),
                          .nodes = team.nodes(),
                          .is_root = request.root == team.me(),
                          .mine = {},
                          .total = map.total};
    switch (map.form) {
      case coll::BlockMap::Form::kTeam:
        place.total = team.blocks();
        Append(place, team.first_image(team.me()), team.images(team.me()));
        break;
      case coll::BlockMap::Form::kClaimed:
        Append(place, map.first, map.count);
        break;
      case coll::BlockMap::Form::kListed:
        for (size_t k = 0; k < map.total; ++k) {
          if (map.owners[k] == P::node()) place.mine.push_back(k);
        }
        break;
    }
    return place;
  }
  static void Append(NodePosition& place, size_t first, size_t count) {
    for (size_t i = 0; i < count; ++i) place.mine.push_back(first + i);
  }

  [[noreturn, gnu::cold]] static void RefuseInBarrier(const char* call) {
    Fatal(
        "%s called between gasnet_barrier_notify and the gasnet_barrier_wait "
        "or gasnet_barrier_try that ends it",
        call);
  }
};

}  // namespace gasnet::exported

#endif  // EXPORT_COLL_FRONT_H_
