// gasnet_coll_team_split, for nodes with any number of images, and queries of
// teams.
#ifndef EXPORT_COLL_TEAMS_H_
#define EXPORT_COLL_TEAMS_H_

#include "base/log.h"
#include "coll/images.h"
#include "coll/request.h"
#include "export/coll/front.h"
#include "gasnet/types.h"

namespace gasnet::exported {

template <class P>
class CollTeams {
 public:
  using Front = CollFront<P>;
  using Record = typename Front::Record;

  static gasnet_team_handle_t Split(gasnet_team_handle_t team,
                                    gasnet_node_t color,
                                    gasnet_node_t relrank) {
    constexpr const char* kCall = "gasnet_coll_team_split";
    Front::Open(kCall);
    Record& parent = P::calls().teams.Find(kCall, team);
    Record& record = P::calls().set_up.several()
                         ? SplitTogether(kCall, parent, color, relrank)
                         : SplitHere(kCall, parent, color, relrank);
    return TeamRecords::HandleOf(record);
  }

  // Frees the C functions' record of a team. The engine's record stays, since
  // messages of the team may still arrive.
  static void Free(const char* call, gasnet_team_handle_t team) {
    Front::Open(call);
    P::calls().teams.Remove(call, team);
  }

  static gasnet_node_t Size(const char* call, gasnet_team_handle_t team) {
    return TeamOf(call, team).nodes();
  }
  static gasnet_node_t NodeOf(const char* call, gasnet_team_handle_t team,
                              gasnet_node_t rank) {
    const typename Front::Team& it = TeamOf(call, team);
    if (rank < it.nodes()) [[likely]]
      return it.rank_of(rank);
    Fatal("%s: rank is %u; this team has nodes 0 to %u", call, rank,
          it.nodes() - 1);
  }
  static gasnet_node_t RankOf(const char* call, gasnet_team_handle_t team,
                              gasnet_node_t node) {
    static_assert(Front::Team::kNoMember == ~gasnet_node_t{0});
    return TeamOf(call, team).index_of(node);
  }

 private:
  static typename Front::Team& TeamOf(const char* call,
                                      gasnet_team_handle_t team) {
    Front::Open(call);
    return P::calls().teams.Find(call, team).team;
  }

  static Record& SplitHere(const char* call, Record& parent,
                           gasnet_node_t color, gasnet_node_t relrank) {
    const typename Front::Initiation initiation(call);
    return P::calls().teams.Add(
        *P::engine().Split(parent.team, call, color, relrank),
        P::calls().meetings);
  }

  // Splits a team for all images of this node. The last image that calls does
  // the split; the others wait for it. The team's next split begins only when
  // all images have called again. All images have read `split` by then.
  static Record& SplitTogether(const char* call, Record& parent,
                               gasnet_node_t color, gasnet_node_t relrank) {
    coll::CollectiveRequest request =
        Front::RequestOf(call, coll::CollectiveKind::kBarrier, 0, 0);
    request.root_name = color;  // the same for all images
    request.nbytes = relrank;
    const coll::Images::Entry entry = parent.images.Enter(
        P::calls().set_up.MyImage(call), request, false, false);
    if (entry.complete != nullptr) {
      parent.split = &SplitHere(call, parent, color, relrank);
      coll::ImageMeetings::SetBegun(*entry.complete, nullptr);
      P::WakeOwn();
    }
    CollHandles<P>::Wait(CollHandles<P>::Of(*entry.ticket));
    return *parent.split;
  }
};

}  // namespace gasnet::exported

#endif  // EXPORT_COLL_TEAMS_H_
