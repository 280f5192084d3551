#include "conduits/ofi/testing/strict/strict_test_rank.h"

#include <rdma/fi_cm.h>
#include <rdma/fi_errno.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace gasnet::ofi::strict {
namespace {

void Need(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "test rank: %s\n", what);
  std::exit(1);
}

template <class Post>
void Insist(const Post& post, StrictTestRank& rank) {
  ssize_t posted;
  while ((posted = post()) == -FI_EAGAIN) {
    Need(!rank.Read(), "a completion has come while it was posting");
  }
  Need(posted == 0, "a post fails");
}

}  // namespace

fi_info* AskStrict(const std::string& options, uint64_t mode, int mr_mode) {
  setenv("FI_PROVIDER_PATH", "conduits/ofi/testing/strict", 1);
  setenv("GASNET_STRICT", options.c_str(), 1);
  fi_info* const hints = fi_allocinfo();
  hints->caps = FI_MSG | FI_RMA;
  hints->mode = mode;
  hints->ep_attr->type = FI_EP_RDM;
  hints->domain_attr->mr_mode = mr_mode;
  hints->domain_attr->threading = FI_THREAD_DOMAIN;
  hints->fabric_attr->prov_name = strdup("strict");
  fi_info* found = nullptr;
  fi_getinfo(FI_VERSION(1, 17), nullptr, nullptr, 0, hints, &found);
  fi_freeinfo(hints);
  return found;
}

StrictTestRank::StrictTestRank(const std::string& options, size_t entries) {
  fi_info* const info =
      AskStrict(options, FI_CONTEXT | FI_CONTEXT2, kAllMemoryModes);
  Need(info != nullptr, "there is no strict provider");
  binds_memory_ = (info->domain_attr->mr_mode & FI_MR_ENDPOINT) != 0;
  int error = fi_fabric(info->fabric_attr, &fabric_, nullptr);
  if (error == 0) error = fi_domain(fabric_, info, &domain_, nullptr);
  fi_cq_attr queue = {};
  queue.size = entries;
  queue.format = FI_CQ_FORMAT_DATA;
  if (error == 0) error = fi_cq_open(domain_, &queue, &cq_, nullptr);
  fi_av_attr vector = {};
  if (error == 0) error = fi_av_open(domain_, &vector, &av_, nullptr);
  if (error == 0) error = fi_endpoint(domain_, info, &ep_, nullptr);
  if (error == 0) error = fi_ep_bind(ep_, &av_->fid, 0);
  if (error == 0) error = fi_ep_bind(ep_, &cq_->fid, FI_TRANSMIT | FI_RECV);
  if (error == 0) error = fi_enable(ep_);
  Need(error == 0, "the endpoint does not open");
  std::array<char, 64> name;
  size_t size = name.size();
  Need(fi_getname(&ep_->fid, name.data(), &size) == 0, "it has no name");
  name_.assign(name.data(), size);
  fi_freeinfo(info);
}

StrictTestRank::~StrictTestRank() {
  Need(fi_close(&ep_->fid) == 0, "the endpoint does not close");
  while (!regions_.empty()) Close(regions_.back());
  for (fid* const each : {&av_->fid, &cq_->fid, &domain_->fid, &fabric_->fid}) {
    Need(fi_close(each) == 0, "an object does not close");
  }
}

void StrictTestRank::Close(fid_mr* region) {
  std::erase(regions_, region);
  Need(fi_close(&region->fid) == 0, "memory does not close");
}

fi_addr_t StrictTestRank::Insert(const StrictTestRank& peer) {
  fi_addr_t address = FI_ADDR_UNSPEC;
  Need(fi_av_insert(av_, peer.name_.data(), 1, &address, 0, nullptr) == 1,
       "an address is not taken");
  return address;
}

fid_mr* StrictTestRank::Register(void* memory, size_t nbytes, uint64_t access,
                                 uint64_t key) {
  fid_mr* region = nullptr;
  int error =
      fi_mr_reg(domain_, memory, nbytes, access, 0, key, 0, &region, nullptr);
  if (error == 0 && binds_memory_) error = fi_mr_bind(region, &ep_->fid, 0);
  if (error == 0 && binds_memory_) error = fi_mr_enable(region);
  Need(error == 0, "memory is not registered");
  return regions_.emplace_back(region);
}

std::optional<Told> StrictTestRank::Read() {
  fi_cq_data_entry entry;
  const ssize_t read = fi_cq_read(cq_, &entry, 1);
  if (read == 1) {
    return Told{entry.op_context, entry.flags, entry.len,
                static_cast<std::byte*>(entry.buf), 0};
  }
  if (read != -FI_EAVAIL) return std::nullopt;
  fi_cq_err_entry failed = {};
  Need(fi_cq_readerr(cq_, &failed, 0) == 1, "no error is there");
  return Told{failed.op_context, failed.flags, failed.len, nullptr, failed.err};
}

Told StrictTestRank::Await(StrictTestRank& other) {
  for (;;) {
    if (const auto told = Read()) return *told;
    if (&other != this) {
      Need(!other.Read(), "the other one is told something");
    }
  }
}

void* StrictTestRank::Receive(void* buffer, size_t nbytes, uint64_t flags,
                              void* descriptor) {
  const iovec memory = {buffer, nbytes};
  fi_msg message = {};
  message.msg_iov = &memory;
  message.desc = &descriptor;
  message.iov_count = 1;
  message.addr = FI_ADDR_UNSPEC;
  message.context = NewContext();
  Insist([&] { return fi_recvmsg(ep_, &message, flags); }, *this);
  return message.context;
}

void* StrictTestRank::Send(fi_addr_t to, const void* buffer, size_t nbytes,
                           uint64_t flags, void* descriptor) {
  const iovec memory = {const_cast<void*>(buffer), nbytes};
  fi_msg message = {};
  message.msg_iov = &memory;
  message.desc = &descriptor;
  message.iov_count = 1;
  message.addr = to;
  message.context = NewContext();
  Insist([&] { return fi_sendmsg(ep_, &message, flags); }, *this);
  return message.context;
}

void* StrictTestRank::Write(fi_addr_t to, const void* buffer, size_t nbytes,
                            uint64_t address, uint64_t key, uint64_t flags,
                            void* descriptor) {
  const iovec memory = {const_cast<void*>(buffer), nbytes};
  const fi_rma_iov remote = {address, nbytes, key};
  fi_msg_rma message = {};
  message.msg_iov = &memory;
  message.desc = &descriptor;
  message.iov_count = 1;
  message.addr = to;
  message.rma_iov = &remote;
  message.rma_iov_count = 1;
  message.context = NewContext();
  Insist([&] { return fi_writemsg(ep_, &message, flags); }, *this);
  return message.context;
}

void* StrictTestRank::ReadFrom(fi_addr_t to, void* buffer, size_t nbytes,
                               uint64_t address, uint64_t key,
                               void* descriptor) {
  void* const context = NewContext();
  Insist(
      [&] {
        return fi_read(ep_, buffer, nbytes, descriptor, to, address, key,
                       context);
      },
      *this);
  return context;
}

}  // namespace gasnet::ofi::strict
