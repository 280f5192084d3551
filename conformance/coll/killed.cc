// If a node dies while collectives are under way, the job ends. The other nodes
// never hang.
#include <signal.h>
#include <string.h>

#include <vector>

#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr int kMine =
    GASNET_ALL_IN_MYSYNC | GASNET_ALL_OUT_MYSYNC | GASNET_ALL_LOCAL;
constexpr int kAll =
    GASNET_ALL_IN_ALLSYNC | GASNET_ALL_OUT_ALLSYNC | GASNET_ALL_LOCAL;
constexpr size_t kBytes = 100000;
constexpr int kLastRound = 20;

[[noreturn]] void Run() {
  std::vector<char> src(gasnet_nodes() * kBytes);
  std::vector<char> dst(gasnet_nodes() * kBytes);
  std::vector<double> sums(kBytes / 8), numbers(kBytes / 8);
  const bool dies = gasnet_mynode() == gasnet_nodes() - 1;
  for (int round = 0;; ++round) {
    const size_t nbytes = round % 2 == 0 ? 8 : kBytes;
    const gasnet_node_t root =
        static_cast<gasnet_node_t>(round) % gasnet_nodes();
    const gasnet_all_handle_t exchange =
        gasnet_all_exchange_nb(dst.data(), src.data(), nbytes, kMine);
    const gasnet_all_handle_t sum =
        gasnet_all_reduce_all_nb(sums.data(), numbers.data(), nbytes / 8,
                                 GASNET_ALL_DOUBLE, GASNET_ALL_SUM, 0, kMine);
    if (dies && round == kLastRound) raise(SIGKILL);
    gasnet_all_wait_sync(exchange);
    gasnet_all_wait_sync(sum);
    gasnet_all_broadcast(dst.data(), root, src.data(), nbytes, kAll);
  }
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::StartJob(&argc, &argv, nullptr, 0, GASNET_PAGESIZE);
  gasnet_coll_init(nullptr, 0, nullptr, 0, 0);
  conformance::Run();
}
