// The state that the C functions of collectives keep: the arguments of
// gasnet_coll_init, the teams that have handles, and the meetings of a node's
// images.
#ifndef EXPORT_COLL_CALLS_H_
#define EXPORT_COLL_CALLS_H_

#include <atomic>

#include "coll/images.h"
#include "core/runtime/layer.h"
#include "export/coll/set_up.h"
#include "export/coll/team_record.h"

namespace gasnet::exported {

struct CollCalls final : public Layer {
  static constexpr LayerName kName = LayerName::kCollectiveCalls;

  CollSetUp set_up;
  coll::ImageMeetings meetings;
  TeamRecords teams;
  // True while a thread begins a collective (CollFront::Initiation). The flag
  // only serves to detect overlapping calls; it does not order memory.
  std::atomic<bool> begins{false};
};

}  // namespace gasnet::exported

#endif  // EXPORT_COLL_CALLS_H_
