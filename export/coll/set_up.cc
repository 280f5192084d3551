#include "export/coll/set_up.h"

#include <algorithm>

#include "base/log.h"
#include "core/thread/mode.h"
#include "core/thread/thread_state.h"

namespace gasnet::exported {
namespace {

using thread::kNoImage;

void CheckImages(const gasnet_image_t* images, Rank nodes) {
  for (Rank node = 0; node < nodes; ++node) {
    if (images[node] == 1) continue;
    if (images[node] == 0) {
      Fatal("gasnet_coll_init: images[%u] is 0; a node has at least one", node);
    }
    if (thread::kConcurrent) continue;
    Fatal(
        "gasnet_coll_init: images[%u] is %u; it must be 1: only with "
        "GASNET_PAR may a node have several images",
        node, images[node]);
  }
}

bool IsSame(const gasnet_coll_fn_entry_t& a, const gasnet_coll_fn_entry_t& b) {
  return a.fnptr == b.fnptr && a.flags == b.flags;
}

}  // namespace

CollSetUp::~CollSetUp() {
  thread::ForEachState(
      [](thread::ThreadState& state) { state.image = kNoImage; });
}

bool CollSetUp::Enter(const Arguments& arguments, Rank node, Rank nodes) {
  if (arguments.fn_tbl == nullptr && arguments.fn_count > 0) {
    Fatal("gasnet_coll_init: fn_tbl is NULL, with fn_count %zu",
          arguments.fn_count);
  }
  const bool is_first = !ready_;
  if (is_first) {
    First(arguments, node, nodes);
  } else if (by_itself_) {
    Late(arguments, node, nodes);
  } else if (several_) {
    RequireSame(arguments);
  } else {
    Fatal("gasnet_coll_init called twice");
  }
  if (arguments.images != nullptr) TakeImage(arguments.my_image);
  return is_first;
}

void CollSetUp::First(const Arguments& arguments, Rank node, Rank nodes) {
  functions_.assign(arguments.fn_tbl, arguments.fn_tbl + arguments.fn_count);
  if (arguments.images == nullptr) return;
  CheckImages(arguments.images, nodes);
  images_.assign(arguments.images, arguments.images + nodes);
  for (Rank before = 0; before < node; ++before) first_ += images_[before];
  taken_.assign(images_[node], false);
  several_ = std::ranges::any_of(images_, [](uint32_t n) { return n > 1; });
}

void CollSetUp::Late(const Arguments& arguments, Rank node, Rank nodes) {
  First(arguments, node, nodes);
  by_itself_ = false;
  if (!several_) return;
  Fatal(
      "gasnet_coll_init: a node has several images, but collectives have begun "
      "with one image a node; call it before any other collective");
}

void CollSetUp::WarnOfNoInit(const char* call) {
  Warn(
      "%s called before gasnet_coll_init; collectives start with one image a "
      "node and without functions. Call gasnet_coll_init first, on all nodes "
      "(reported once)",
      call);
}

void CollSetUp::RequireSame(const Arguments& arguments) const {
  const bool same =
      arguments.images != nullptr &&
      std::equal(images_.begin(), images_.end(), arguments.images) &&
      std::equal(functions_.begin(), functions_.end(), arguments.fn_tbl,
                 arguments.fn_tbl + arguments.fn_count, &IsSame);
  if (same) return;
  Fatal(
      "gasnet_coll_init: images or functions differ from those of another "
      "image of this node");
}

void CollSetUp::TakeImage(gasnet_image_t my_image) {
  const uint32_t here = my_image - first_;
  if (my_image < first_ || here >= taken_.size()) {
    Fatal("gasnet_coll_init: my_image is %u; on this node it must be %u to %zu",
          my_image, first_, first_ + taken_.size() - 1);
  }
  if (taken_[here] || thread::Self().image != kNoImage) {
    Fatal("gasnet_coll_init called twice by an image or a thread: my_image %u",
          my_image);
  }
  taken_[here] = true;
  thread::Self().image = here;
}

uint32_t CollSetUp::MyImage(const char* call) const {
  const uint32_t mine = thread::Self().image;
  if (mine == kNoImage) {
    Fatal(
        "%s called by a thread that is not an image: it has not called "
        "gasnet_coll_init",
        call);
  }
  return mine;
}

const gasnet_coll_fn_entry_t& CollSetUp::FunctionAt(const char* call,
                                                    uint32_t index) const {
  if (index >= functions_.size() || functions_[index].fnptr == nullptr) {
    Fatal("%s: function %u is not in the table of gasnet_coll_init, of %zu",
          call, index, functions_.size());
  }
  return functions_[index];
}

}  // namespace gasnet::exported
