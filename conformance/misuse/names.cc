// Calls that the library must refuse: collectives with wrong arguments,
// messages with too many or too few arguments, and barriers and collectives in
// a wrong order.
#include <vector>

#include "conformance/harness.h"

namespace conformance {
namespace {

int word;

void Init() { gasnet_coll_init(nullptr, 0, nullptr, 0, 0); }
void Broadcast(gasnet_team_handle_t team, gasnet_image_t root) {
  gasnet_coll_broadcast(
      team, &word, root, &word, sizeof(word),
      GASNET_COLL_LOCAL | GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_MYSYNC);
}

void NotifyTwice() {
  gasnet_barrier_notify(0, 0);
  gasnet_barrier_notify(0, 0);
}
void CollNotifyTwice() {
  Init();
  gasnet_coll_barrier_notify(GASNET_TEAM_ALL, 0, 0);
  gasnet_coll_barrier_notify(GASNET_TEAM_ALL, 0, 0);
}

void BeforeInit() { Broadcast(GASNET_TEAM_ALL, 0); }
void InitTwice() {
  Init();
  Init();
}
void NoImages() {
  const std::vector<gasnet_image_t> images(gasnet_nodes(), 0);
  gasnet_coll_init(images.data(), 0, nullptr, 0, 0);
}
void WrongImage() {
  const std::vector<gasnet_image_t> images(gasnet_nodes(), 1);
  gasnet_coll_init(images.data(), 1, nullptr, 0, 0);
}
void NoFunctions() { gasnet_coll_init(nullptr, 0, nullptr, 1, 0); }
void NoSuchRoot() {
  Init();
  Broadcast(GASNET_TEAM_ALL, gasnet_nodes());
}
void NoSuchTeam() {
  Init();
  Broadcast(reinterpret_cast<gasnet_team_handle_t>(&word), 0);
}
void BroadcastWithLock() {
  static gasnet_hsl_t lock = GASNET_HSL_INITIALIZER;
  Init();
  gasnet_hsl_lock(&lock);
  Broadcast(GASNET_TEAM_ALL, 0);
}

void TooManyArguments() { gasnet_AMRequestShort(0, 200, 17); }
void LessThanNoArguments() {
  gasnet_AMRequestMedium(0, 200, &word, sizeof(word), -1);
}

const Case kCases[] = {
    {"notify_twice", NotifyTwice},
    {"coll_notify_twice", CollNotifyTwice},
    {"before_init", BeforeInit},
    {"init_twice", InitTwice},
    {"no_images", NoImages},
    {"wrong_image", WrongImage},
    {"no_functions", NoFunctions},
    {"no_such_root", NoSuchRoot},
    {"no_such_team", NoSuchTeam},
    {"broadcast_with_lock", BroadcastWithLock},
    {"too_many_arguments", TooManyArguments},
    {"less_than_no_arguments", LessThanNoArguments},
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::kCases;
  conformance::StartJob(&argc, &argv, nullptr, 0, 0);
  conformance::RunMisuse(argc, argv, kCases, COUNT_OF(kCases));
  return 1;
}
