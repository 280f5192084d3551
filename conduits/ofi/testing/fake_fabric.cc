#include "conduits/ofi/testing/fake_fabric.h"

#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>

#include <cstring>
#include <string>
#include <utility>

#include "conduits/ofi/testing/fake_objects.h"
#include "conduits/ofi/testing/rules/violation.h"

const char gasnet::ofi::rules::kProvider[] = "fake fabric";

namespace gasnet::ofi::testing {
namespace {

// The world that the table's functions use. The functions take no object as an
// argument.
FakeWorld* the_world = nullptr;

// An fi_info together with the structures that its pointers refer to.
struct WholeInfo : fi_info {
  fi_tx_attr tx;
  fi_rx_attr rx;
  fi_ep_attr ep;
  fi_domain_attr domain;
  fi_fabric_attr fabric;
  std::string device;
  std::string provider;

  explicit WholeInfo(const fi_info* from)
      : fi_info(from == nullptr ? fi_info{} : *from),
        tx{},
        rx{},
        ep{},
        domain{},
        fabric{} {
    if (from != nullptr) {
      tx = *from->tx_attr;
      rx = *from->rx_attr;
      ep = *from->ep_attr;
      domain = *from->domain_attr;
      fabric = *from->fabric_attr;
      device = from->domain_attr->name;
      provider = from->fabric_attr->prov_name;
    }
    next = nullptr;
    tx_attr = &tx;
    rx_attr = &rx;
    ep_attr = &ep;
    domain_attr = &domain;
    fabric_attr = &fabric;
    domain.name = device.data();
    fabric.prov_name = provider.data();
  }
};

fi_info* Duplicate(const fi_info* info) { return new WholeInfo(info); }

void Free(fi_info* info) {
  while (info != nullptr) {
    fi_info* const next = info->next;
    delete static_cast<WholeInfo*>(info);
    info = next;
  }
}

fi_info* Offer(const FakeFabricOptions& options) {
  fi_info empty = {};
  fi_tx_attr tx = {};
  fi_rx_attr rx = {};
  fi_ep_attr ep = {};
  fi_domain_attr domain = {};
  fi_fabric_attr fabric = {};
  std::string device = "fake0", provider = options.provider;
  empty.tx_attr = &tx;
  empty.rx_attr = &rx;
  empty.ep_attr = &ep;
  empty.domain_attr = &domain;
  empty.fabric_attr = &fabric;
  domain.name = device.data();
  fabric.prov_name = provider.data();
  empty.caps = FI_MSG | FI_RMA | (options.multi_receive ? FI_MULTI_RECV : 0) |
               (options.fence ? FI_FENCE : 0);
  empty.addr_format = FI_ADDR_STR;
  tx.msg_order = rx.msg_order = options.order;
  tx.inject_size = options.inject_bytes;
  tx.size = options.most_posted;
  ep.type = FI_EP_RDM;
  ep.max_msg_size = options.most_bytes;
  ep.max_order_raw_size = options.raw_bytes;
  domain.mr_mode = options.mr_mode;
  domain.resource_mgmt = options.managed ? FI_RM_ENABLED : FI_RM_DISABLED;
  domain.mr_key_size = options.key_bytes;
  return Duplicate(&empty);
}

int GetInfo(uint32_t, const char*, const char*, uint64_t, const fi_info*,
            fi_info** found) {
  *found = Offer(the_world->options());
  return 0;
}

int OpenFabric(fi_fabric_attr*, fid_fabric** fabric, void*) {
  if (the_world->Fails("fi_fabric")) return -FI_ENOMEM;
  *fabric = &the_world->fabric;
  return 0;
}

const char* TextOf(int error) {
  if (error == FI_ETRUNC) return "Truncation error";
  if (error == FI_EKEYREJECTED) return "Key rejected";
  return std::strerror(error);
}

uint32_t Version() { return kInterface; }

}  // namespace

struct FakeFabric::Parts {
  explicit Parts(const FakeFabricOptions& options) : world(options) {}
  FakeWorld world;
};

FakeFabric::FakeFabric(const FakeFabricOptions& options)
    : parts_(std::make_unique<Parts>(options)) {
  if (the_world != nullptr) rules::Violation("there is one already");
  the_world = &parts_->world;
  the_world->fabric.fid = {FI_CLASS_FABRIC, nullptr, ObjectOps()};
  the_world->fabric.ops = FabricOps();
  the_world->fabric.world = the_world;
}

FakeFabric::~FakeFabric() { the_world = nullptr; }

const Wishes& FakeFabric::wishes() const {
  return parts_->world.options().wishes;
}

FabricLibrary FakeFabric::library() const {
  return {GetInfo, Free, Duplicate, OpenFabric, TextOf, Version};
}

Info FakeFabric::info() const {
  return Info(Offer(parts_->world.options()), FreeInfo{Free});
}

void FakeFabric::Intrude(const std::string& name,
                         std::span<const std::byte> message) {
  auto operation = std::make_unique<FakeOperation>(
      FakeOperation{FakeKind::kSend, nullptr, &parts_->world.Named(name),
                    nullptr, 0, nullptr, message.size()});
  operation->bytes.assign(message.begin(), message.end());
  operation->left = operation->told = true;
  parts_->world.operations.push_back(std::move(operation));
}

void FakeFabric::Block(const std::string& name, bool blocked) {
  parts_->world.Named(name).blocked = blocked;
}

void FakeFabric::FailNext(FakeKind kind, int error) {
  parts_->world.fail_next[static_cast<size_t>(kind)] = error;
}

void FakeFabric::RefusePosts(int error) { parts_->world.refusal = error; }

const FakeFabric::Counts& FakeFabric::counts() const {
  return parts_->world.counts();
}

size_t FakeFabric::under_way() const { return parts_->world.operations.size(); }

// Returns the endpoint with the given name. Endpoints report names that end
// with a zero byte. This byte does not count.
FakeEndpoint& FakeWorld::Named(const std::string& name) {
  for (FakeEndpoint& each : endpoints) {
    if (each.name == name.c_str()) return each;
  }
  rules::Violation("there is no endpoint %s", name.c_str());
}

int FakeWorld::mr_mode() const {
  constexpr int kBasic = FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY;
  return options_.mr_mode == kBasicRegistration ? kBasic : options_.mr_mode;
}

}  // namespace gasnet::ofi::testing
