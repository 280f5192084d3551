// The data of a complete put are in its target's memory, no matter what the
// target does afterwards (section 3.3.1). The target learns out of band that
// the put is complete. It then checks the data at once, before it serves the
// network.
#include <sched.h>
#include <string.h>

#include "conformance/harness.h"
#include "conformance/out_of_band.h"

namespace conformance {
namespace {

// out of band: last put that completed, last put that was checked
enum { kDone, kSeen };

constexpr size_t kLargest = 70000;
constexpr size_t kSizes[] = {8, 600, kLargest};
constexpr int kRepetitions = 4;

// Number of checks that the target makes between two polls of the network. A
// put that is sent as a message needs these polls. A synchronization that
// wrongly does not wait returns long before the first poll.
constexpr int kLooks = 50000;

alignas(64) char source[kLargest];

struct Put {
  gasnet_node_t peer;
  char* there;
  size_t bytes;
};

int ByteToSet() { return static_cast<unsigned char>(source[0]); }

gasnet_register_value_t Value() {
  gasnet_register_value_t value;
  memcpy(&value, source, sizeof(value));
  return value;
}

gasnet_handle_t Start(const Put& put) {
  return gasnet_put_nb(put.peer, put.there, source, put.bytes);
}
void StartImplicit(const Put& put) {
  gasnet_put_nbi(put.peer, put.there, source, put.bytes);
}

void Blocking(const Put& put) {
  gasnet_put(put.peer, put.there, source, put.bytes);
}
void BlockingBulk(const Put& put) {
  gasnet_put_bulk(put.peer, put.there, source, put.bytes);
}
void BlockingValue(const Put& put) {
  gasnet_put_val(put.peer, put.there, Value(), put.bytes);
}
void BlockingMemset(const Put& put) {
  gasnet_memset(put.peer, put.there, ByteToSet(), put.bytes);
}

void Wait(const Put& put) { gasnet_wait_syncnb(Start(put)); }
void WaitBulk(const Put& put) {
  gasnet_wait_syncnb(
      gasnet_put_nb_bulk(put.peer, put.there, source, put.bytes));
}
void WaitValue(const Put& put) {
  gasnet_wait_syncnb(
      gasnet_put_nb_val(put.peer, put.there, Value(), put.bytes));
}
void WaitMemset(const Put& put) {
  gasnet_wait_syncnb(
      gasnet_memset_nb(put.peer, put.there, ByteToSet(), put.bytes));
}
void Try(const Put& put) {
  const gasnet_handle_t handle = Start(put);
  while (gasnet_try_syncnb(handle) != GASNET_OK) continue;
}
void WaitAll(const Put& put) {
  gasnet_handle_t handles[] = {GASNET_INVALID_HANDLE, Start(put)};
  gasnet_wait_syncnb_all(handles, 2);
}
void TryAll(const Put& put) {
  gasnet_handle_t handles[] = {Start(put), GASNET_INVALID_HANDLE};
  while (gasnet_try_syncnb_all(handles, 2) != GASNET_OK) continue;
}
void WaitSome(const Put& put) {
  gasnet_handle_t handle = Start(put);
  gasnet_wait_syncnb_some(&handle, 1);
}
void TrySome(const Put& put) {
  gasnet_handle_t handle = Start(put);
  while (gasnet_try_syncnb_some(&handle, 1) != GASNET_OK) continue;
}

void ImplicitWaitPuts(const Put& put) {
  StartImplicit(put);
  gasnet_wait_syncnbi_puts();
}
void ImplicitWaitAll(const Put& put) {
  gasnet_put_nbi_bulk(put.peer, put.there, source, put.bytes);
  gasnet_wait_syncnbi_all();
}
void ImplicitTryPuts(const Put& put) {
  StartImplicit(put);
  while (gasnet_try_syncnbi_puts() != GASNET_OK) continue;
}
void ImplicitTryAll(const Put& put) {
  StartImplicit(put);
  while (gasnet_try_syncnbi_all() != GASNET_OK) continue;
}
void ImplicitValue(const Put& put) {
  gasnet_put_nbi_val(put.peer, put.there, Value(), put.bytes);
  gasnet_wait_syncnbi_puts();
}
void ImplicitMemset(const Put& put) {
  gasnet_memset_nbi(put.peer, put.there, ByteToSet(), put.bytes);
  gasnet_wait_syncnbi_puts();
}
void Region(const Put& put) {
  gasnet_begin_nbi_accessregion();
  StartImplicit(put);
  gasnet_wait_syncnb(gasnet_end_nbi_accessregion());
}

// The form of a put. It determines the final contents of the target, and the
// largest size of a put.
enum class Form { kCopy, kValue, kSet };

struct Kind {
  void (*run)(const Put& put);
  Form form;
};

constexpr Kind kKinds[] = {
    {Blocking, Form::kCopy},
    {BlockingBulk, Form::kCopy},
    {BlockingValue, Form::kValue},
    {BlockingMemset, Form::kSet},
    {Wait, Form::kCopy},
    {WaitBulk, Form::kCopy},
    {WaitValue, Form::kValue},
    {WaitMemset, Form::kSet},
    {Try, Form::kCopy},
    {WaitAll, Form::kCopy},
    {TryAll, Form::kCopy},
    {WaitSome, Form::kCopy},
    {TrySome, Form::kCopy},
    {ImplicitWaitPuts, Form::kCopy},
    {ImplicitWaitAll, Form::kCopy},
    {ImplicitTryPuts, Form::kCopy},
    {ImplicitTryAll, Form::kCopy},
    {ImplicitValue, Form::kValue},
    {ImplicitMemset, Form::kSet},
    {Region, Form::kCopy},
};

void CheckArrived(const char* at, Form form, size_t bytes, uint32_t key) {
  if (form != Form::kSet) {
    CHECK_PATTERN(at, bytes, key);
    return;
  }
  unsigned char expected;
  FillPattern(&expected, 1, key);
  CHECK_BYTES(at, bytes, expected);
}

void AwaitDone(uint32_t key) {
  for (;;) {
    for (int look = 0; look < kLooks; ++look) {
      if (OutOfBand(kDone) == key) return;
    }
    CHECK_OK(gasnet_AMPoll());
    sched_yield();
  }
}

void LookAt(Form form, size_t bytes, uint32_t key) {
  AwaitDone(key);
  CheckArrived(SharedMemory(gasnet_mynode()), form, bytes, key);
  OutOfBand(kSeen) = key;
}

void PutAndSync(const Kind& kind, const Put& put, uint32_t key) {
  FillPattern(source, put.bytes, key);
  kind.run(put);
  OutOfBand(kDone) = key;
  if (put.peer == gasnet_mynode()) {
    return CheckArrived(put.there, kind.form, put.bytes, key);
  }
  while (OutOfBand(kSeen) != key) CHECK_OK(gasnet_AMPoll());
}

// Tests one writer. It puts into the memory of the next node. All other nodes
// serve the network in a barrier.
void TestWriter(gasnet_node_t writer, uint32_t* key) {
  const gasnet_node_t target = (writer + 1) % gasnet_nodes();
  for (const Kind& kind : kKinds) {
    for (size_t bytes : kSizes) {
      if (kind.form == Form::kValue && bytes > 8) continue;
      ++*key;
      if (gasnet_mynode() == writer) {
        PutAndSync(kind, {target, SharedMemory(target), bytes}, *key);
      } else if (gasnet_mynode() == target) {
        LookAt(kind.form, bytes, *key);
      }
    }
  }
  Barrier();
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::StartJob(&argc, &argv, nullptr, 0, conformance::kLargest);
  uint32_t key = 0;
  for (int i = 0; i < conformance::kRepetitions; ++i) {
    for (gasnet_node_t writer = 0; writer < gasnet_nodes(); ++writer) {
      conformance::TestWriter(writer, &key);
    }
  }
  return conformance::FinishJob();
}
