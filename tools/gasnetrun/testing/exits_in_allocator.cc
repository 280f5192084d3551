// A program that ends in a signal handler, as if the handler had interrupted
// malloc: from the handler on, malloc ends the process with the code 77. In its
// place, a real allocator would wait forever for its lock.
#include <gasnet.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

extern "C" void* __libc_malloc(size_t bytes);  // NOLINT

namespace {

constexpr int kAllocated = 77;

volatile sig_atomic_t is_in_allocator = 0;

void Barrier() {
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
}

void OnSignal(int) {
  is_in_allocator = 1;
  gasnet_exit(0);
}

}  // namespace

extern "C" void* malloc(size_t bytes) {
  if (is_in_allocator != 0) _exit(kAllocated);
  return __libc_malloc(bytes);
}

int main(int argc, char** argv) {
  gasnet_init(&argc, &argv);
  gasnet_attach(nullptr, 0, GASNET_PAGESIZE, 0);
  Barrier();
  signal(SIGUSR1, &OnSignal);
  raise(SIGUSR1);
  return 1;
}
