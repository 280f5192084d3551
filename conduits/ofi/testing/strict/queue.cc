// The functions of the completion queue. They report completions late and in
// any order.
#include <rdma/fi_errno.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "conduits/ofi/testing/rules/tables.h"
#include "conduits/ofi/testing/rules/violation.h"
#include "conduits/ofi/testing/strict/objects.h"

namespace gasnet::ofi::strict {
namespace {

constexpr size_t kDefaultSize = 1024;

// Returns the size of a queue entry, or 0 for an unknown format. In each
// format, an entry begins with the members of the shorter formats.
size_t EntryBytes(fi_cq_format format) {
  switch (format) {
    case FI_CQ_FORMAT_CONTEXT:
      return sizeof(fi_cq_entry);
    case FI_CQ_FORMAT_MSG:
      return sizeof(fi_cq_msg_entry);
    case FI_CQ_FORMAT_DATA:
      return sizeof(fi_cq_data_entry);
    default:
      return 0;
  }
}

// Returns true if the completion gives its context back. A buffer that takes
// several messages gives its context back only with its last completion.
bool EndsContext(const Completion& completion) {
  return (completion.flags & FI_RECV) == 0 || completion.buffer == nullptr ||
         (completion.flags & FI_MULTI_RECV) != 0;
}

Completion TakeNext(Domain& domain) {
  Queue& queue = *domain.queue;
  const Completion next = queue.ready.front();
  queue.ready.pop_front();
  domain.Scribble(next.context);
  if (EndsContext(next)) domain.Release(next.context);
  return next;
}

ssize_t Read(fid_cq* handle, void* entries, size_t count) {
  auto& queue = *static_cast<Queue*>(handle);
  Domain& domain = *queue.domain;
  const Entry entry(domain, "fi_cq_read");
  if (domain.endpoint != nullptr) {
    domain.endpoint->receives_again = false;
    domain.endpoint->sends_again = false;
  }
  domain.Step();
  size_t taken = 0;
  for (; taken < count && !queue.ready.empty(); ++taken) {
    if (queue.ready.front().error != 0) break;
    const Completion next = TakeNext(domain);
    const fi_cq_data_entry data = {next.context, next.flags, next.nbytes,
                                   next.buffer, 0};
    std::memcpy(static_cast<std::byte*>(entries) + taken * queue.entry_bytes,
                &data, queue.entry_bytes);
  }
  if (taken > 0) return static_cast<ssize_t>(taken);
  return queue.ready.empty() || count == 0 ? -FI_EAGAIN : -FI_EAVAIL;
}

ssize_t ReadError(fid_cq* handle, fi_cq_err_entry* entry, uint64_t) {
  auto& queue = *static_cast<Queue*>(handle);
  const Entry inside(*queue.domain, "fi_cq_readerr");
  if (queue.ready.empty() || queue.ready.front().error == 0) return -FI_EAGAIN;
  const Completion failed = TakeNext(*queue.domain);
  entry->op_context = failed.context;
  entry->flags = failed.flags;
  entry->len = failed.nbytes;
  entry->err = failed.error;
  entry->prov_errno = failed.error;
  entry->err_data_size = 0;
  return 1;
}

const char* ErrorText(fid_cq*, int number, const void*, char*, size_t) {
  return fi_strerror(number);
}

fi_ops_cq* Ops() {
  static fi_ops_cq table = [] {
    auto made = rules::Without<fi_ops_cq>();
    made.read = Read;
    made.readerr = ReadError;
    made.strerror = ErrorText;
    return made;
  }();
  return &table;
}

int Close(fid* object) {
  Domain& domain = *ObjectOf<Queue, fid_cq>(object).domain;
  const Entry entry(domain, "fi_close");
  if (domain.endpoint != nullptr) return -FI_EBUSY;
  domain.queue.reset();
  return 0;
}

int Control(fid* object, int command, void* argument) {
  Domain& domain = *ObjectOf<Queue, fid_cq>(object).domain;
  const Entry entry(domain, "fi_control");
  if (command != FI_GETWAIT || !domain.options.descriptor) return -FI_ENOSYS;
  *static_cast<int*>(argument) = domain.core->fd();
  return 0;
}

bool SameContext(const Completion& one, const Completion& other) {
  return one.context == other.context;
}

// Inserts the completion at a random position. Earlier completions with its
// context stay before it.
void MakeReady(Domain& domain, const Completion& completion) {
  std::deque<Completion>& ready = domain.queue->ready;
  size_t first = ready.size();
  while (domain.options.late > 0 && first > 0 &&
         !SameContext(ready[first - 1], completion)) {
    --first;
  }
  const size_t at =
      first + domain.Below(static_cast<unsigned>(ready.size() - first) + 1);
  ready.insert(ready.begin() + static_cast<ptrdiff_t>(at), completion);
}

}  // namespace

int OpenQueue(fid_domain* handle, fi_cq_attr* attributes, fid_cq** queue,
              void* context) {
  static fi_ops ops = [] {
    auto made = rules::Without<fi_ops>();
    made.close = Close;
    made.control = Control;
    return made;
  }();
  Domain& domain = *static_cast<Domain*>(handle);
  const Entry entry(domain, "fi_cq_open");
  if (domain.queue != nullptr) return -FI_ENOSPC;
  const size_t entry_bytes = EntryBytes(attributes->format);
  const bool waits = attributes->wait_obj != FI_WAIT_NONE;
  const bool can_wait =
      domain.options.descriptor && (attributes->wait_obj == FI_WAIT_FD ||
                                    attributes->wait_obj == FI_WAIT_UNSPEC);
  if (entry_bytes == 0 || (waits && !can_wait)) return -FI_ENOSYS;
  domain.queue = std::make_unique<Queue>();
  domain.queue->fid = {FI_CLASS_CQ, context, &ops};
  domain.queue->ops = Ops();
  domain.queue->domain = &domain;
  domain.queue->size = attributes->size > 0 ? attributes->size : kDefaultSize;
  domain.queue->entry_bytes = entry_bytes;
  *queue = domain.queue.get();
  return 0;
}

void Domain::Report(const Completion& completion) {
  Completion late = completion;
  late.due = Due();
  queue->late.push_back(late);
}

void Domain::ReportDue() {
  if (queue == nullptr) return;
  std::deque<Completion> waiting;
  for (Completion& each : queue->late) {
    if (each.due > 0) --each.due;
    const bool behind = std::any_of(
        waiting.begin(), waiting.end(),
        [&](const auto& other) { return SameContext(other, each); });
    const bool full = options.manages && queue->ready.size() >= queue->size;
    if (each.due > 0 || behind || full) {
      waiting.push_back(each);
      continue;
    }
    MakeReady(*this, each);
    if (queue->ready.size() > queue->size) {
      rules::Violation("the completion queue of %zu entries overruns",
                       queue->size);
    }
  }
  queue->late = std::move(waiting);
}

}  // namespace gasnet::ofi::strict
