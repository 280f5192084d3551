// One thread may notify and another may wait, as long as the wait is called
// after the notify (section 3.5.0.2).
#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr int kPhases = 30;

void NotifyInThread(int id) {
  RunThreads(1, [id](int) { gasnet_barrier_notify(id, 0); });
}

void WaitInThread(int id) {
  RunThreads(1, [id](int) { CHECK_OK(gasnet_barrier_wait(id, 0)); });
}

void TryInThreads(int id) {
  int result;
  do {
    RunThreads(1, [id, &result](int) { result = gasnet_barrier_try(id, 0); });
  } while (result == GASNET_ERR_NOT_READY);
  CHECK_OK(result);
}

void Phase(int id) {
  const int way = (id + static_cast<int>(gasnet_mynode())) % 4;
  if (way < 2) NotifyInThread(id);
  if (way >= 2) gasnet_barrier_notify(id, 0);
  if (way % 2 == 0) WaitInThread(id);
  if (way == 1) CHECK_OK(gasnet_barrier_wait(id, 0));
  if (way == 3) TryInThreads(id);
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::StartJob(&argc, &argv, nullptr, 0, 0);
  for (int id = 0; id < conformance::kPhases; ++id) conformance::Phase(id);
  return conformance::FinishJob();
}
