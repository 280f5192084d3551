// Barriers of teams (gasnet/coll_teams.h). With GASNET_BARRIERFLAG_IMAGES the
// participants of a barrier are images, otherwise nodes. If every node is one
// image, nodes and images are the same.
//
// A phase is one caller's part in one barrier, from notify to wait. The barrier
// is a collective of the team that merges votes (core/barrier_vote.h). The
// phase belongs to the caller: an image's thread, or one thread of the node at
// a time.
#ifndef EXPORT_COLL_BARRIERS_H_
#define EXPORT_COLL_BARRIERS_H_

#include "base/log.h"
#include "coll/request.h"
#include "export/barrier_call.h"
#include "export/coll/front.h"
#include "extended/argument_checks.h"
#include "extended/barrier_calls.h"
#include "gasnet/types.h"

namespace gasnet::exported {

template <class P>
class CollBarriers {
 public:
  using Front = CollFront<P>;
  using Record = typename Front::Record;
  using Handles = CollHandles<P>;

  static void Notify(const char* call, gasnet_team_handle_t team, int id,
                     int flags) {
    Record& record = Opened(call, team, flags);
    CollPhase& phase = PhaseOf(call, record, flags);
    if (phase.notified) [[unlikely]]
      return extended::ReportSecondNotify(call);
    phase.notified = true;
    phase.notify = CallOf(id, flags);
    coll::CollectiveRequest request =
        Front::RequestOf(call, coll::CollectiveKind::kBarrier, 0, 0);
    request.vote = phase.notify.vote;
    phase.handle = IsOfImages(flags)
                       ? Front::BeginAsImage(record, request, false)
                       : Front::BeginAsNode(record, request);
  }

  static int Wait(const char* call, gasnet_team_handle_t team, int id,
                  int flags) {
    CollPhase& phase = Notified(call, team, flags);
    P::WaitUntil([&phase] { return IsDone(phase); },
                 [&phase] { return Handles::Pending(phase.handle); });
    return Complete(phase, id, flags);
  }

  static int Try(const char* call, gasnet_team_handle_t team, int id,
                 int flags) {
    CollPhase& phase = Notified(call, team, flags);
    P::Poll();
    return IsDone(phase) ? Complete(phase, id, flags) : GASNET_ERR_NOT_READY;
  }

 private:
  static bool IsOfImages(int flags) {
    return (flags & GASNET_BARRIERFLAG_IMAGES) != 0;
  }

  static Record& Opened(const char* call, gasnet_team_handle_t team,
                        int flags) {
    Front::Open(call);
    CheckBarrierFlags(call, flags & ~GASNET_BARRIERFLAG_IMAGES);
    return P::calls().teams.Find(call, team);
  }

  static CollPhase& PhaseOf(const char* call, Record& record, int flags) {
    if (!IsOfImages(flags)) return record.of_node;
    if (!P::calls().set_up.several()) return record.phases[0];
    return record.phases[P::calls().set_up.MyImage(call)];
  }

  static CollPhase& Notified(const char* call, gasnet_team_handle_t team,
                             int flags) {
    CollPhase& phase = PhaseOf(call, Opened(call, team, flags), flags);
    if (!phase.notified) {
      Fatal("%s called without a gasnet_coll_barrier_notify before it", call);
    }
    return phase;
  }

  // Converts the arguments of a call. Leaves out GASNET_BARRIERFLAG_IMAGES,
  // since this flag has already selected the phase.
  static extended::BarrierCall CallOf(int id, int flags) {
    return BarrierCallOf(id, flags & ~GASNET_BARRIERFLAG_IMAGES);
  }

  static bool IsDone(const CollPhase& phase) {
    return phase.handle == GASNET_COLL_INVALID_HANDLE ||
           Handles::IsDone(phase.handle);
  }

  // Ends a phase, and returns the result of its barrier. If the barrier needed
  // no operation, this caller's vote is the only one.
  static int Complete(CollPhase& phase, int id, int flags) {
    BarrierVote result = phase.notify.vote;
    if (phase.handle != GASNET_COLL_INVALID_HANDLE) {
      result = Handles::Vote(phase.handle);
      Handles::Release(phase.handle);
    }
    phase.notified = false;
    return extended::Matches(CallOf(id, flags), phase.notify, result,
                             P::HasRelaxedBarrierFlags())
               ? GASNET_OK
               : GASNET_ERR_BARRIER_MISMATCH;
  }
};

}  // namespace gasnet::exported

#endif  // EXPORT_COLL_BARRIERS_H_
