#include "base/asymmetric_fence.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace gasnet {
namespace {

bool Membarrier(int command) {
  return syscall(__NR_membarrier, command, 0, 0) == 0;
}

}  // namespace

bool AsymmetricFence::registered_ = false;

void AsymmetricFence::Register() {
  registered_ = Membarrier(MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED);
}

bool AsymmetricFence::HeavyFence() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return Membarrier(MEMBARRIER_CMD_GLOBAL_EXPEDITED);
}

}  // namespace gasnet
