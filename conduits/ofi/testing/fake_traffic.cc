// Moves posted operations, and reports their completions in queues.
#include <rdma/fi_errno.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "conduits/ofi/testing/fake_objects.h"
#include "conduits/ofi/testing/rules/tables.h"

namespace gasnet::ofi::testing {
namespace {

uint64_t FlagsOf(FakeKind kind) {
  switch (kind) {
    case FakeKind::kSend:
      return FI_MSG | FI_SEND;
    case FakeKind::kWrite:
      return FI_RMA | FI_WRITE;
    case FakeKind::kRead:
      return FI_RMA | FI_READ;
    case FakeKind::kReceive:
      return FI_MSG | FI_RECV;
  }
  return 0;
}

ssize_t ReadQueue(fid_cq* handle, void* buffer, size_t count) {
  FakeQueue& queue = QueueOf(handle);
  FakeWorld& world = *queue.world;
  if (world.Fails("fi_cq_read")) return -FI_EIO;
  world.Move();
  for (FakeEndpoint& each : world.endpoints) {
    if (each.queue == &queue) each.again = false;
  }
  if (queue.failed) return -FI_EAVAIL;
  auto* const entries = static_cast<fi_cq_data_entry*>(buffer);
  ssize_t read = 0;
  for (size_t most = 1 + world.Below(count); most > 0; --most) {
    if (queue.ready.empty()) break;
    const FakeCompletion next = world.TakeNext(queue);
    if (next.error != 0) {
      queue.failed = next;
      return read == 0 ? -FI_EAVAIL : read;
    }
    entries[read++] = {next.context, next.flags, next.nbytes, next.buffer, 0};
  }
  return read == 0 ? -FI_EAGAIN : read;
}

ssize_t ReadError(fid_cq* handle, fi_cq_err_entry* entry, uint64_t) {
  FakeQueue& queue = QueueOf(handle);
  if (!queue.failed) return -FI_EAGAIN;
  *entry = {};
  entry->op_context = queue.failed->context;
  entry->flags = queue.failed->flags;
  entry->len = queue.failed->nbytes;
  entry->buf = queue.failed->buffer;
  entry->err = queue.failed->error;
  entry->prov_errno = 7;
  queue.failed.reset();
  return 1;
}

const char* ErrorText(fid_cq*, int, const void*, char* buffer, size_t size) {
  constexpr std::string_view kText = "the fake was told to";
  const size_t copied = kText.copy(buffer, size - 1);
  buffer[copied] = 0;
  return buffer;
}

}  // namespace

void FakeWorld::Scribble(void* context) {
  if (context == nullptr) return;
  auto* const words = static_cast<uint64_t*>(context);
  for (size_t i = 0; i < sizeof(fi_context2) / sizeof *words; ++i) {
    words[i] = random_();
  }
}

void FakeWorld::Report(FakeQueue& queue, const FakeCompletion& completion) {
  if (queue.ready.size() >= queue.size) ++counts_.overruns;
  queue.ready.push_back(completion);
  if (queue.fd.valid()) static_cast<void>(eventfd_write(queue.fd.get(), 1));
}

// Takes completions in a random order. But of the completions for one buffer,
// the release of the buffer comes last.
FakeCompletion FakeWorld::TakeNext(FakeQueue& queue) {
  std::vector<FakeCompletion>& ready = queue.ready;
  size_t next = Below(static_cast<unsigned>(ready.size()));
  if ((ready[next].flags & FI_MULTI_RECV) != 0) {
    for (size_t i = 0; i < ready.size(); ++i) {
      if (ready[i].context != ready[next].context) continue;
      if ((ready[i].flags & FI_MULTI_RECV) != 0) continue;
      next = i;
      break;
    }
  }
  const FakeCompletion taken = ready[next];
  ready[next] = ready.back();
  ready.pop_back();
  return taken;
}

void FakeWorld::Move() {
  std::shuffle(operations.begin(), operations.end(), random_);
  for (const auto& each : operations) MoveOne(*each);
  std::erase_if(operations, [](const std::unique_ptr<FakeOperation>& each) {
    return each->placed && each->told;
  });
}

void FakeWorld::MoveOne(FakeOperation& operation) {
  if (operation.due > 0) {
    --operation.due;
    return;
  }
  if (!operation.told) Scribble(operation.context);
  operation.due = Below(options_.late + 1);
  if (!operation.left) {
    Leave(operation);
    return;
  }
  if (operation.error != 0) {
    if (operation.kind != FakeKind::kRead && !operation.placed) {
      operation.OnTheWay(operation.kind).erase(operation.number);
    }
    operation.placed = true;
    ReportToPoster(operation);
    return;
  }
  const bool tells_late = operation.kind == FakeKind::kRead ||
                          (operation.flags & FI_DELIVERY_COMPLETE) != 0;
  if (operation.placed || (!operation.told && !tells_late && Below(2) == 0)) {
    ReportToPoster(operation);
    // The operation is reported but not in place. The delay makes code fail
    // that takes the completion as proof that the operation is in place.
    if (!operation.placed) operation.due = Below(20 * options_.late + 1);
    return;
  }
  Place(operation);
}

void FakeWorld::Leave(FakeOperation& operation) {
  operation.left = true;
  if (operation.kind == FakeKind::kRead) return;
  operation.bytes.assign(operation.local, operation.local + operation.nbytes);
}

void FakeWorld::ReportToPoster(FakeOperation& operation) {
  operation.told = true;
  --operation.from->under_way;
  // An injected message is reported only if it has failed.
  const bool tells = operation.error != 0 && !options_.silent_injects;
  if (operation.context == nullptr && !tells) return;
  Report(*operation.from->queue, {operation.context, FlagsOf(operation.kind),
                                  operation.nbytes, nullptr, operation.error});
}

// Returns true if a promised order makes the operation wait for an earlier one.
bool FakeWorld::MustWait(const FakeOperation& operation) {
  const auto behind = [&](FakeKind kind) {
    const std::set<uint64_t>& before = operation.OnTheWay(kind);
    return !before.empty() && *before.begin() < operation.number;
  };
  const bool sends = behind(FakeKind::kSend);
  const bool writes = behind(FakeKind::kWrite);
  const bool fenced = (operation.flags & FI_FENCE) != 0;
  if (fenced && (sends || writes)) return true;
  if (sends && (options_.order & FI_ORDER_SAS) != 0) return true;
  if (writes && (options_.order & FI_ORDER_SAW) != 0) return true;
  if (sends || writes) ++counts_.overtaken;
  return false;
}

bool FakeWorld::MustWaitForWrites(const FakeOperation& read) const {
  const std::set<uint64_t>& before = read.OnTheWay(FakeKind::kWrite);
  return (options_.order & FI_ORDER_RMA_RAW) != 0 && !before.empty() &&
         *before.begin() < read.number;
}

void FakeWorld::Place(FakeOperation& operation) {
  switch (operation.kind) {
    case FakeKind::kRead:
      if (MustWaitForWrites(operation)) return;
      std::memcpy(operation.local, operation.remote, operation.nbytes);
      operation.placed = true;
      return;
    case FakeKind::kWrite:
      PlaceWrite(operation);
      return;
    default:
      PlaceSend(operation);
  }
}

void FakeWorld::PlaceWrite(FakeOperation& operation) {
  const size_t half = operation.nbytes / 2;
  const std::byte* const bytes = operation.bytes.data();
  if (!operation.half) {
    std::memcpy(operation.remote + half, bytes + half, operation.nbytes - half);
    operation.half = true;
    return;
  }
  std::memcpy(operation.remote, bytes, half);
  operation.placed = true;
  if (operation.told) ++counts_.late_writes;
  operation.OnTheWay(FakeKind::kWrite).erase(operation.number);
}

void FakeWorld::PlaceSend(FakeOperation& operation) {
  FakeEndpoint& to = *operation.to;
  if (to.receives.empty()) {
    if (!operation.unexpected) ++counts_.unexpected;
    operation.unexpected = true;
    return;
  }
  if (operation.from != nullptr && MustWait(operation)) return;
  const auto all = static_cast<unsigned>(to.receives.size());
  Receive(operation, options_.in_turn ? Below(all) : 0);
  operation.placed = true;
  if (operation.from != nullptr) {
    operation.OnTheWay(FakeKind::kSend).erase(operation.number);
  }
}

void FakeWorld::Receive(FakeOperation& operation, size_t which) {
  FakeEndpoint& to = *operation.to;
  FakeReceive& receive = to.receives[which];
  ++counts_.messages;
  Scribble(receive.context);
  const size_t room = receive.nbytes - receive.used;
  const size_t nbytes = std::min(operation.nbytes, room);
  std::byte* const at = receive.buffer + receive.used;
  if (nbytes > 0) std::memcpy(at, operation.bytes.data(), nbytes);
  receive.used += nbytes;
  FakeCompletion completion = {receive.context, FlagsOf(FakeKind::kReceive),
                               nbytes, receive.multiple ? at : nullptr};
  if (nbytes < operation.nbytes) completion.error = FI_ETRUNC;
  int& error = fail_next[static_cast<size_t>(FakeKind::kReceive)];
  if (error != 0) completion.error = std::exchange(error, 0);
  if (options_.misaligned) receive.used += 1 + Below(15);
  Release(to, which, completion);
}

// Reports a message. If its buffer is full, also reports the release of the
// buffer.
void FakeWorld::Release(FakeEndpoint& to, size_t which,
                        FakeCompletion& completion) {
  const FakeReceive receive = to.receives[which];
  const bool ends = !receive.multiple || receive.used >= receive.nbytes ||
                    receive.nbytes - receive.used < to.least_room;
  if (ends) {
    to.receives.erase(to.receives.begin() + static_cast<ptrdiff_t>(which));
  }
  const bool released = ends && receive.multiple;
  counts_.released += released;
  const bool alone = released && options_.release_alone;
  if (released && !alone) completion.flags |= FI_MULTI_RECV;
  Report(*to.queue, completion);
  if (!alone) return;
  // If nothing was received, the length is meaningless and may be any number.
  if (Below(2) == 0) {
    Report(*to.queue, {receive.context, FI_MULTI_RECV, 1 + Below(1000)});
  } else {
    Report(*to.queue,
           {receive.context, FlagsOf(FakeKind::kReceive) | FI_MULTI_RECV});
  }
}

fi_ops_cq* QueueOps() {
  static fi_ops_cq table = [] {
    auto made = rules::Without<fi_ops_cq>();
    made.read = ReadQueue;
    made.readerr = ReadError;
    made.strerror = ErrorText;
    return made;
  }();
  return &table;
}

}  // namespace gasnet::ofi::testing
