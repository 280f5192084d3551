#include "conduits/ofi/testing/strict/core.h"

#include <rdma/fi_cm.h>
#include <rdma/fi_errno.h>

#include <array>
#include <utility>

#include "conduits/ofi/testing/rules/violation.h"
#include "conduits/ofi/testing/strict/packet.h"

namespace gasnet::ofi::strict {
namespace {

constexpr size_t kReceives = 64;
constexpr size_t kEntries = 16;

template <class Object>
void Close(Object* object) {
  if (object != nullptr) fi_close(&object->fid);
}

}  // namespace

int Core::Open(fi_info* info, size_t packet_bytes,
               std::unique_ptr<Core>& core) {
  core.reset(new Core(packet_bytes));
  return core->OpenObjects(info);
}

Core::~Core() {
  Close(ep_);
  Close(av_);
  Close(cq_);
  Close(domain_);
  Close(fabric_);
}

int Core::OpenObjects(fi_info* info) {
  int error = fi_fabric(info->fabric_attr, &fabric_, nullptr);
  if (error == 0) error = fi_domain(fabric_, info, &domain_, nullptr);
  if (error == 0) error = OpenQueue();
  fi_av_attr vector = {};
  vector.type = FI_AV_TABLE;
  if (error == 0) error = fi_av_open(domain_, &vector, &av_, nullptr);
  if (error == 0) error = fi_endpoint(domain_, info, &ep_, nullptr);
  if (error == 0) error = Enable();
  if (error == 0) PostReceives();
  return error;
}

int Core::OpenQueue() {
  fi_cq_attr attributes = {};
  attributes.format = FI_CQ_FORMAT_MSG;
  attributes.wait_obj = FI_WAIT_FD;
  const int error = fi_cq_open(domain_, &attributes, &cq_, nullptr);
  return error == 0 ? fi_control(&cq_->fid, FI_GETWAIT, &fd_) : error;
}

int Core::Enable() {
  int error = fi_ep_bind(ep_, &av_->fid, 0);
  if (error == 0) error = fi_ep_bind(ep_, &cq_->fid, FI_TRANSMIT | FI_RECV);
  if (error == 0) error = fi_enable(ep_);
  if (error != 0) return error;
  std::array<char, kMaxName> name;
  size_t size = name.size();
  error = fi_getname(&ep_->fid, name.data(), &size);
  if (error == 0) name_.assign(name.data(), size);
  for (size_t i = 0; i < kReceives; ++i) {
    Incoming& made = incoming_.emplace_back();
    made.outgoing = false;
    made.bytes = std::make_unique_for_overwrite<std::byte[]>(packet_bytes_);
  }
  return error;
}

fi_addr_t Core::Insert(const std::string& name) {
  fi_addr_t address = FI_ADDR_UNSPEC;
  if (fi_av_insert(av_, name.data(), 1, &address, 0, nullptr) != 1) {
    rules::Violation("the core provider does not take an address");
  }
  return address;
}

void Core::PostReceives() {
  all_posted_ = true;
  for (Incoming& each : incoming_) {
    if (each.posted) continue;
    each.posted = fi_recv(ep_, each.bytes.get(), packet_bytes_, nullptr,
                          FI_ADDR_UNSPEC, &each.scratch) == 0;
    all_posted_ &= each.posted;
  }
}

void Core::Send(fi_addr_t to, std::vector<std::byte> bytes,
                uint64_t operation) {
  auto packet = std::make_unique<Outgoing>();
  packet->outgoing = true;
  packet->bytes = std::move(bytes);
  packet->to = to;
  packet->operation = operation;
  waiting_.push_back(std::move(packet));
}

void Core::Flush() {
  while (!waiting_.empty()) {
    Outgoing& first = *waiting_.front();
    const ssize_t posted = fi_send(ep_, first.bytes.data(), first.bytes.size(),
                                   nullptr, first.to, &first.scratch);
    if (posted == -FI_EAGAIN) return;
    if (posted != 0) {
      rules::Violation("the core provider does not send: %s",
                       fi_strerror(static_cast<int>(-posted)));
    }
    // The completion of the send frees the packet.
    static_cast<void>(waiting_.front().release());
    waiting_.pop_front();
  }
}

void Core::End(Listener& listener, CoreContext& context, size_t nbytes,
               int error) {
  if (context.outgoing) {
    const std::unique_ptr<Outgoing> packet(static_cast<Outgoing*>(&context));
    listener.Sent(*packet, error);
    return;
  }
  auto& packet = static_cast<Incoming&>(context);
  if (error == 0) listener.Received({packet.bytes.get(), nbytes});
  packet.posted = false;
  all_posted_ = false;
}

void Core::TakeError(Listener& listener) {
  fi_cq_err_entry entry = {};
  if (fi_cq_readerr(cq_, &entry, 0) != 1 || entry.op_context == nullptr) return;
  End(listener, *static_cast<CoreContext*>(entry.op_context), 0, entry.err);
}

void Core::Progress(Listener& listener) {
  Flush();
  std::array<fi_cq_msg_entry, kEntries> entries;
  for (bool more = true; more;) {
    const ssize_t read = fi_cq_read(cq_, entries.data(), entries.size());
    if (read == -FI_EAVAIL) TakeError(listener);
    for (ssize_t i = 0; i < read; ++i) {
      End(listener, *static_cast<CoreContext*>(entries[i].op_context),
          entries[i].len, 0);
    }
    more = read > 0 || read == -FI_EAVAIL;
  }
  if (!all_posted_) PostReceives();
}

bool Core::MayWait() {
  fid* queues[] = {&cq_->fid};
  return waiting_.empty() && all_posted_ &&
         fi_trywait(fabric_, queues, 1) == FI_SUCCESS;
}

}  // namespace gasnet::ofi::strict
