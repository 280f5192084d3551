// Collectives (gasnet_coll.h) for one conduit, as the C functions call them.
#ifndef EXPORT_COLL_FUNCTIONS_H_
#define EXPORT_COLL_FUNCTIONS_H_

#include <cstddef>

#include "base/log.h"
#include "coll/broadcast.h"
#include "core/conduit.h"
#include "core/phase.h"
#include "core/thread/mode.h"
#include "core/thread/rules.h"
#include "gasnet/abi.h"
#include "gasnet_coll.h"

namespace gasnet::exported {

template <Conduit C>
class CollFunctions {
 public:
  static void Init(const gasnet_image_t images[], gasnet_image_t my_image,
                   const gasnet_coll_fn_entry_t fn_tbl[], size_t fn_count) {
    RequireAttached("gasnet_coll_init");
    if (ready_) Fatal("gasnet_coll_init called twice");
    if (fn_tbl == nullptr && fn_count > 0) {
      Fatal("gasnet_coll_init: fn_tbl is NULL, with fn_count %zu", fn_count);
    }
    if (images != nullptr) CheckImages(images, my_image);
    ready_ = true;
  }

  static void Broadcast(gasnet_team_handle_t team, void* dst,
                        gasnet_image_t srcimg, void* src, size_t nbytes,
                        int flags) {
    constexpr int kWeaker = GASNET_COLL_OUT_NOSYNC | GASNET_COLL_OUT_MYSYNC;
    Require("gasnet_coll_broadcast");
    CheckTeam("gasnet_coll_broadcast", team);
    CheckRoot("gasnet_coll_broadcast", srcimg);
    coll::Broadcast<C>::Run({.dest = dst,
                             .root = srcimg,
                             .source = src,
                             .nbytes = nbytes,
                             .all_sync = (flags & kWeaker) == 0});
  }

 private:
  static void Require(const char* call) {
    RequireAttached(call);
    if constexpr (!thread::kChecks) return;
    thread::RequireMayCommunicate(call);
    if (!ready_) Fatal("%s called before gasnet_coll_init", call);
  }

  static void CheckTeam(const char* call, gasnet_team_handle_t team) {
    if (team == GASNET_TEAM_ALL) return;
    Fatal("%s: team is %p; it must be GASNET_TEAM_ALL (%p)", call,
          static_cast<void*>(team), static_cast<void*>(GASNET_TEAM_ALL));
  }

  static void CheckRoot(const char* call, gasnet_image_t root) {
    if (root < gasneti_world.nodes) return;
    Fatal("%s: srcimg is %u; this job has images 0 to %u", call, root,
          gasneti_world.nodes - 1);
  }

  static void CheckImages(const gasnet_image_t images[],
                          gasnet_image_t my_image) {
    for (gasnet_node_t node = 0; node < gasneti_world.nodes; ++node) {
      if (images[node] == 1) continue;
      Fatal("gasnet_coll_init: images[%u] is %u; it must be 1", node,
            images[node]);
    }
    if (my_image == gasneti_world.mynode) return;
    Fatal("gasnet_coll_init: my_image is %u; on this node it must be %u",
          my_image, gasneti_world.mynode);
  }

  static inline bool ready_ = false;
};

}  // namespace gasnet::exported

#endif  // EXPORT_COLL_FUNCTIONS_H_
