// The functions of registration, and the check that posts use registered
// memory.
#include <rdma/fi_errno.h>
#include <sys/random.h>

#include <algorithm>
#include <cstdint>

#include "conduits/ofi/testing/rules/tables.h"
#include "conduits/ofi/testing/rules/violation.h"
#include "conduits/ofi/testing/strict/objects.h"

namespace gasnet::ofi::strict {
namespace {

uint64_t RandomKey() {
  uint64_t key = 0;
  if (getrandom(&key, sizeof key, 0) != sizeof key) {
    rules::Violation("there is no random key");
  }
  return key;
}

int Close(fid* object) {
  const Memory& memory = ObjectOf<Memory, fid_mr>(object);
  Domain& domain = *memory.domain;
  const Entry entry(domain, "fi_close");
  if (memory.bound && domain.endpoint != nullptr) return -FI_EBUSY;
  domain.memories.remove_if(
      [object](const Memory& each) { return &each.fid == object; });
  return 0;
}

int Bind(fid* object, fid* other, uint64_t) {
  Memory& memory = ObjectOf<Memory, fid_mr>(object);
  const Entry entry(*memory.domain, "fi_mr_bind");
  if (!memory.domain->Demands(FI_MR_ENDPOINT)) return -FI_ENOSYS;
  if (other->fclass != FI_CLASS_EP ||
      !ObjectOf<Endpoint, fid_ep>(other).enabled) {
    rules::Violation("memory is bound to what is no enabled endpoint");
  }
  memory.bound = true;
  return 0;
}

int Control(fid* object, int command, void*) {
  Memory& memory = ObjectOf<Memory, fid_mr>(object);
  const Entry entry(*memory.domain, "fi_mr_enable");
  if (command != FI_ENABLE) return -FI_ENOSYS;
  if (!memory.bound) rules::Violation("memory is enabled that is not bound");
  memory.Enable();
  return 0;
}

int Register(fid* object, const void* buffer, size_t nbytes, uint64_t access,
             uint64_t offset, uint64_t key, uint64_t flags, fid_mr** memory,
             void* context) {
  static fi_ops ops = [] {
    auto made = rules::Without<fi_ops>();
    made.close = Close;
    made.bind = Bind;
    made.control = Control;
    return made;
  }();
  Domain& domain = ObjectOf<Domain, fid_domain>(object);
  const Entry entry(domain, "fi_mr_reg");
  rules::CheckRegistered(domain.options.mr_mode, buffer, nbytes, access, offset,
                         flags);
  if (domain.Demands(FI_MR_PROV_KEY)) key = RandomKey();
  for (const Memory& each : domain.memories) {
    if (each.real_key == key) return -FI_ENOKEY;
  }
  Memory& made = domain.memories.emplace_back();
  made.fid = {FI_CLASS_MR, context, &ops};
  made.mem_desc = nullptr;
  made.key = FI_KEY_NOTAVAIL;
  made.domain = &domain;
  made.base = reinterpret_cast<uintptr_t>(buffer);
  made.nbytes = nbytes;
  made.access = access;
  made.real_key = key;
  if (!domain.Demands(FI_MR_ENDPOINT)) made.Enable();
  *memory = &made;
  return 0;
}

}  // namespace

const Memory* Domain::Find(uint64_t key, uint64_t address, size_t n,
                           uint64_t access, std::byte*& at) const {
  for (const Memory& each : memories) {
    if (each.real_key != key || !each.enabled) continue;
    at = rules::Reach(each, options.mr_mode, address, n, access);
    return at == nullptr ? nullptr : &each;
  }
  return nullptr;
}

void Domain::CheckLocal(const char* call, const void* address, size_t n,
                        void* descriptor, uint64_t access) const {
  const auto found = std::find_if(
      memories.begin(), memories.end(),
      [descriptor](const Memory& each) { return &each == descriptor; });
  rules::CheckPosted(call, options.mr_mode, address, n, descriptor,
                     found == memories.end() ? nullptr : &*found, access);
}

fi_ops_mr* MemoryOps() {
  static fi_ops_mr table = [] {
    auto made = rules::Without<fi_ops_mr>();
    made.reg = Register;
    return made;
  }();
  return &table;
}

}  // namespace gasnet::ofi::strict
