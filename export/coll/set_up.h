// Keeps the arguments of gasnet_coll_init: the functions of reductions, and the
// number of images of each node.
//
// In a build without checks a client may use collectives without calling
// gasnet_coll_init (StartByItself).
//
// If a node has several images, each image calls gasnet_coll_init in a thread
// of its own. From then on this thread is the image. The first call sets up the
// state; the other images must give the same arguments. All state is constant
// afterwards, so reads need no lock.
#ifndef EXPORT_COLL_SET_UP_H_
#define EXPORT_COLL_SET_UP_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "core/rank.h"
#include "core/thread/spin_lock.h"
#include "gasnet/coll_types.h"

namespace gasnet::exported {

class CollSetUp {
 public:
  CollSetUp() = default;
  // Makes all threads of the node forget their images.
  ~CollSetUp();
  CollSetUp(const CollSetUp&) = delete;
  CollSetUp& operator=(const CollSetUp&) = delete;

  struct Arguments {
    const gasnet_image_t* images = nullptr;
    gasnet_image_t my_image = 0;
    const gasnet_coll_fn_entry_t* fn_tbl = nullptr;
    size_t fn_count = 0;
  };

  // Takes the arguments of gasnet_coll_init. The first call runs `rest`, which
  // sets up all other state before other images of this node enter. Each other
  // image may call once. Any further call is fatal.
  template <class Rest>
  void Init(const Arguments& arguments, Rank node, Rank nodes, Rest rest) {
    const thread::Holder lock(lock_);
    if (!Enter(arguments, node, nodes)) return;
    rest();
    ready_ = true;
  }

  // Starts collectives if the client calls a collective before Init(). call:
  // the collective's name, for the warning that is printed. The client gets one
  // image per node and no functions. An Init() may follow, with functions and
  // one image per node.
  template <class Rest>
  void StartByItself(const char* call, Rest rest) {
    const thread::Holder lock(lock_);
    if (ready_) return;
    WarnOfNoInit(call);
    rest();
    by_itself_ = ready_ = true;
  }

  bool ready() const { return ready_; }
  // Returns true if any node has several images.
  bool several() const { return several_; }
  // Returns the number of images of each node, indexed by node. The result is
  // empty if every node has one image.
  std::span<const uint32_t> images() const { return images_; }
  // Returns the index of the calling thread among this node's images, from 0.
  uint32_t MyImage(const char* call) const;

  // Returns the function with this index. An index that is not in the table is
  // fatal.
  const gasnet_coll_fn_entry_t& FunctionAt(const char* call,
                                           uint32_t index) const;

 private:
  // Takes the arguments of one image. Returns true if this is the first call.
  // The caller must then set up the rest.
  bool Enter(const Arguments& arguments, Rank node, Rank nodes)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  void First(const Arguments& arguments, Rank node, Rank nodes)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  void Late(const Arguments& arguments, Rank node, Rank nodes)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  static void WarnOfNoInit(const char* call);
  void RequireSame(const Arguments& arguments) const;
  void TakeImage(gasnet_image_t my_image) ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);

  thread::SpinLock lock_;
  bool ready_ = false;
  // true if started without Init() so far
  bool by_itself_ ABSL_GUARDED_BY(lock_) = false;
  bool several_ = false;
  std::vector<uint32_t> images_;
  // True for images that have called Init(). Indexed by image of this node.
  std::vector<bool> taken_ ABSL_GUARDED_BY(lock_);
  uint32_t first_ = 0;  // number of this node's first image in the job
  std::vector<gasnet_coll_fn_entry_t> functions_;
};

}  // namespace gasnet::exported

#endif  // EXPORT_COLL_SET_UP_H_
