// GASNET_INVALID_HANDLE counts as a completed operation, alone or in an array
// of only such handles. An empty array also counts as completed (sections 3.3.2
// and 3.3.3).
#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr size_t kHandles = 5;

void SyncOne() {
  gasnet_wait_syncnb(GASNET_INVALID_HANDLE);
  CHECK_OK(gasnet_try_syncnb(GASNET_INVALID_HANDLE));
}

void SyncArray(gasnet_handle_t* handles, size_t count) {
  gasnet_wait_syncnb_all(handles, count);
  CHECK_OK(gasnet_try_syncnb_all(handles, count));
  gasnet_wait_syncnb_some(handles, count);
  CHECK_OK(gasnet_try_syncnb_some(handles, count));
}

void SyncArrays() {
  gasnet_handle_t handles[kHandles];
  for (gasnet_handle_t& handle : handles) handle = GASNET_INVALID_HANDLE;
  for (size_t count = 0; count <= kHandles; ++count) SyncArray(handles, count);
  for (gasnet_handle_t handle : handles) {
    CHECK(handle == GASNET_INVALID_HANDLE);
  }
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::StartJob(&argc, &argv, nullptr, 0, 0);
  conformance::SyncOne();
  conformance::SyncArrays();
  return conformance::FinishJob();
}
