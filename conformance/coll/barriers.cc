// Barriers of teams, with nodes or images as members. Both wait and try report
// a mismatch, like the job's barriers, and treat flags as GASNET_BARRIER_FLAGS
// says. The argument repeats the value of GASNET_BARRIER_FLAGS.
#include <string.h>

#include <initializer_list>

#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr int kAnonymous = GASNET_BARRIERFLAG_ANONYMOUS;
constexpr int kMismatch = GASNET_BARRIERFLAG_MISMATCH;

bool relaxed;

struct Call {
  int id;
  int flags;
};

class Barriers {
 public:
  // All calls get the flag `more`. If `tries` is true, barriers complete by
  // try, else by wait.
  Barriers(gasnet_team_handle_t team, int more, bool tries)
      : team_(team), more_(more), tries_(tries) {}

  void Run() const {
    for (gasnet_node_t who = 0; who < gasnet_nodes(); ++who) Differ(who);
    Phase({5, 0}, {6, 0}, false);
    Phase({5, kAnonymous}, {6, kAnonymous}, true);
    Phase({5, 0}, {5, kMismatch}, false);
    Phase({5, 0}, {6, kAnonymous}, relaxed);
    Phase({5, kAnonymous}, {6, 0}, relaxed);
    Phase({5, 0}, {5, 0}, true);
  }

 private:
  // Gives another id or flag on one node. All nodes learn of the mismatch, and
  // the phase after it is like any other.
  void Differ(gasnet_node_t who) const {
    const bool differs = gasnet_mynode() == who;
    const int id = differs ? 1 : 2;
    Phase({id, 0}, {id, 0}, gasnet_nodes() == 1);
    Phase({3, differs ? kMismatch : 0}, {3, differs ? kMismatch : 0}, false);
    const int flags = differs ? 0 : kAnonymous;
    Phase({4, flags}, {4, flags}, true);
  }

  void Phase(Call notify, Call wait, bool matches) const {
    const int flags = wait.flags | more_;
    gasnet_coll_barrier_notify(team_, notify.id, notify.flags | more_);
    int result = tries_ ? GASNET_ERR_NOT_READY
                        : gasnet_coll_barrier_wait(team_, wait.id, flags);
    while (result == GASNET_ERR_NOT_READY) {
      result = gasnet_coll_barrier_try(team_, wait.id, flags);
    }
    CHECK_RESULT(result, matches ? GASNET_OK : GASNET_ERR_BARRIER_MISMATCH);
  }

  const gasnet_team_handle_t team_;
  const int more_;
  const bool tries_;
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  StartJob(&argc, &argv, nullptr, 0, 0);
  CHECK_EQ(argc, 2);
  relaxed = strcmp(argv[1], "relaxed") == 0;
  gasnet_coll_init(nullptr, 0, nullptr, 0, 0);
  const gasnet_team_handle_t backwards = gasnet_coll_team_split(
      GASNET_TEAM_ALL, 0, gasnet_nodes() - gasnet_mynode(), nullptr);
  for (const gasnet_team_handle_t team : {GASNET_TEAM_ALL, backwards}) {
    for (const bool tries : {false, true}) {
      Barriers(team, 0, tries).Run();
      Barriers(team, GASNET_BARRIERFLAG_IMAGES, tries).Run();
    }
  }
  return FinishJob();
}
