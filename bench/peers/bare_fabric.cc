#include "bench/peers/bare_fabric.h"

#include <poll.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace gasnet::bench {
namespace {

void Check(ssize_t result, const char* what) {
  if (result >= 0) return;
  fprintf(stderr, "%s: %s\n", what, fi_strerror(static_cast<int>(-result)));
  _exit(1);
}

struct Contact {
  std::array<char, 128> name;
  size_t name_size;
  uint64_t key;
  uint64_t address;
};

fi_info* Choose(const char* provider) {
  fi_info* const hints = fi_allocinfo();
  hints->caps = FI_MSG | FI_RMA;
  hints->mode = FI_CONTEXT | FI_CONTEXT2;
  hints->ep_attr->type = FI_EP_RDM;
  hints->domain_attr->mr_mode =
      FI_MR_LOCAL | FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY;
  hints->domain_attr->threading = FI_THREAD_DOMAIN;
  hints->domain_attr->control_progress = FI_PROGRESS_MANUAL;
  hints->domain_attr->data_progress = FI_PROGRESS_MANUAL;
  hints->fabric_attr->prov_name = strdup(provider);
  fi_info* info = nullptr;
  const bool shares_memory = strcmp(provider, "shm") == 0;
  Check(fi_getinfo(FI_VERSION(1, 17), shares_memory ? nullptr : "127.0.0.1",
                   nullptr, shares_memory ? 0 : FI_SOURCE, hints, &info),
        provider);
  fi_freeinfo(hints);
  return info;
}

}  // namespace

BareFabric::BareFabric(const char* provider, bool descriptor, int socket)
    : info_(Choose(provider)),
      memory_(kMemory),
      receives_(kReceives * kLargestMessage),
      contexts_(kReceives) {
  Check(fi_fabric(info_->fabric_attr, &fabric_, nullptr), "fabric");
  Check(fi_domain(fabric_, info_, &domain_, nullptr), "domain");
  fi_cq_attr queue = {};
  queue.size = 4096;
  queue.format = FI_CQ_FORMAT_DATA;
  queue.wait_obj = descriptor ? FI_WAIT_FD : FI_WAIT_NONE;
  Check(fi_cq_open(domain_, &queue, &cq_, nullptr), "queue");
  fi_av_attr vector = {};
  vector.type = FI_AV_TABLE;
  Check(fi_av_open(domain_, &vector, &av_, nullptr), "address vector");
  Check(fi_endpoint(domain_, info_, &ep_, nullptr), "endpoint");
  Check(fi_ep_bind(ep_, &av_->fid, 0), "bind");
  Check(fi_ep_bind(ep_, &cq_->fid, FI_TRANSMIT | FI_RECV), "bind");
  Check(fi_enable(ep_), "enable");
  Check(fi_mr_reg(domain_, memory_.data(), memory_.size(),
                  FI_SEND | FI_RECV | FI_READ | FI_WRITE | FI_REMOTE_READ |
                      FI_REMOTE_WRITE,
                  0, 77, 0, &mr_, nullptr),
        "registration");
  descriptor_ = fi_mr_desc(mr_);
  Exchange(socket);
  for (unsigned i = 0; i < kReceives; ++i) PostReceive(i);
}

void BareFabric::Exchange(int socket) {
  Contact mine = {};
  mine.name_size = mine.name.size();
  Check(fi_getname(&ep_->fid, mine.name.data(), &mine.name_size), "name");
  mine.key = fi_mr_key(mr_);
  if ((info_->domain_attr->mr_mode & FI_MR_VIRT_ADDR) != 0) {
    mine.address = reinterpret_cast<uintptr_t>(memory_.data());
  }
  Contact theirs = {};
  if (write(socket, &mine, sizeof mine) != sizeof mine ||
      read(socket, &theirs, sizeof theirs) != sizeof theirs) {
    _exit(1);
  }
  peer_key_ = theirs.key;
  peer_address_ = theirs.address;
  Check(fi_av_insert(av_, theirs.name.data(), 1, &peer_, 0, nullptr) == 1 ? 0
                                                                          : -1,
        "insert");
}

// Repeats post() while it returns -FI_EAGAIN. Polls the completion queue
// between the attempts.
template <class Post>
void BareFabric::Try(Post post) {
  for (;;) {
    const ssize_t posted = post();
    if (posted == 0) return;
    if (posted != -FI_EAGAIN) Check(posted, "post");
    Poll();
  }
}

void BareFabric::PostReceive(unsigned which) {
  Try([&] {
    return fi_recv(ep_, &receives_[which * kLargestMessage], kLargestMessage,
                   nullptr, FI_ADDR_UNSPEC, &contexts_[which]);
  });
}

void BareFabric::Poll() {
  std::array<fi_cq_data_entry, 16> entries;
  const ssize_t read = fi_cq_read(cq_, entries.data(), entries.size());
  if (read == -FI_EAGAIN) return;
  Check(read, "queue");
  for (ssize_t i = 0; i < read; ++i) {
    if ((entries[i].flags & FI_RECV) == 0) {
      --under_way_;
      continue;
    }
    ++messages_;
    PostReceive(static_cast<unsigned>(
        static_cast<fi_context2*>(entries[i].op_context) - contexts_.data()));
  }
}

void BareFabric::PostSend(size_t nbytes) {
  while (under_way_ >= kMaxUnderWay) Poll();
  Try([&] {
    return fi_send(ep_, memory_.data(), nbytes, descriptor_, peer_,
                   &own_context_);
  });
  ++under_way_;
}

void BareFabric::Send(size_t nbytes) {
  if (nbytes > info_->tx_attr->inject_size) {
    PostSend(nbytes);
    return;
  }
  Try([&] { return fi_inject(ep_, memory_.data(), nbytes, peer_); });
}

void BareFabric::AwaitMessageAsleep() {
  int descriptor = -1;
  Check(fi_control(&cq_->fid, FI_GETWAIT, &descriptor), "descriptor");
  for (++awaited_; messages_ < awaited_; Poll()) {
    fid* queues[] = {&cq_->fid};
    if (fi_trywait(fabric_, queues, 1) != FI_SUCCESS) continue;
    pollfd readable = {descriptor, POLLIN, 0};
    poll(&readable, 1, -1);
  }
}

void BareFabric::AwaitMessage() {
  ++awaited_;
  while (messages_ < awaited_) Poll();
}

void BareFabric::PostPut(size_t nbytes) {
  while (under_way_ >= kMaxUnderWay) Poll();
  const iovec from = {memory_.data(), nbytes};
  const fi_rma_iov to = {peer_address_, nbytes, peer_key_};
  fi_msg_rma message = {};
  message.msg_iov = &from;
  message.desc = &descriptor_;
  message.iov_count = 1;
  message.addr = peer_;
  message.rma_iov = &to;
  message.rma_iov_count = 1;
  message.context = &own_context_;
  Try([&] {
    return fi_writemsg(ep_, &message, FI_COMPLETION | FI_DELIVERY_COMPLETE);
  });
  ++under_way_;
}

void BareFabric::PostGet(size_t nbytes) {
  while (under_way_ >= kMaxUnderWay) Poll();
  Try([&] {
    return fi_read(ep_, memory_.data(), nbytes, descriptor_, peer_,
                   peer_address_, peer_key_, &own_context_);
  });
  ++under_way_;
}

void BareFabric::AwaitAll() {
  while (under_way_ > 0) Poll();
}

}  // namespace gasnet::bench
