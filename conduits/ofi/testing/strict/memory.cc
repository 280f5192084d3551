// Registration, and whether what is posted lies in what was registered.
#include <rdma/fi_errno.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "conduits/ofi/testing/strict/objects.h"
#include "conduits/ofi/testing/strict/unused.h"
#include "conduits/ofi/testing/strict/violation.h"

namespace gasnet::ofi::strict {
namespace {

// Whether each page of it is in memory.
bool IsThere(uintptr_t base, size_t nbytes) {
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const uintptr_t begin = base / page * page;
  const uintptr_t end = base + nbytes;
  std::vector<unsigned char> there((end - begin + page - 1) / page);
  if (mincore(reinterpret_cast<void*>(begin), end - begin, there.data()) != 0) {
    return false;
  }
  return std::all_of(there.begin(), there.end(),
                     [](unsigned char each) { return (each & 1) != 0; });
}

uint64_t RandomKey() {
  uint64_t key = 0;
  if (getrandom(&key, sizeof key, 0) != sizeof key) {
    Violation("there is no random key");
  }
  return key;
}

void Enable(Memory& memory) {
  memory.enabled = true;
  memory.mem_desc = &memory;
  memory.key = memory.real_key;
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
    Violation("memory is bound to what is no enabled endpoint");
  }
  memory.bound = true;
  return 0;
}

int Control(fid* object, int command, void*) {
  Memory& memory = ObjectOf<Memory, fid_mr>(object);
  const Entry entry(*memory.domain, "fi_mr_enable");
  if (command != FI_ENABLE) return -FI_ENOSYS;
  if (!memory.bound) Violation("memory is enabled that is not bound");
  Enable(memory);
  return 0;
}

int Register(fid* object, const void* buffer, size_t nbytes, uint64_t access,
             uint64_t offset, uint64_t key, uint64_t flags, fid_mr** memory,
             void* context) {
  static fi_ops ops = [] {
    fi_ops made = ObjectOps();
    made.close = Close;
    made.bind = Bind;
    made.control = Control;
    return made;
  }();
  Domain& domain = ObjectOf<Domain, fid_domain>(object);
  const Entry entry(domain, "fi_mr_reg");
  if (offset != 0 || flags != 0 || access == 0) {
    Violation("memory is registered with offset, flags, or for no access");
  }
  const auto base = reinterpret_cast<uintptr_t>(buffer);
  if (domain.Demands(FI_MR_ALLOCATED) && !IsThere(base, nbytes)) {
    Violation("memory of %zu bytes is registered that is not allocated",
              nbytes);
  }
  if (domain.Demands(FI_MR_PROV_KEY)) key = RandomKey();
  for (const Memory& each : domain.memories) {
    if (each.real_key == key) return -FI_ENOKEY;
  }
  Memory& made = domain.memories.emplace_back();
  made.fid = {FI_CLASS_MR, context, &ops};
  made.mem_desc = nullptr;
  made.key = FI_KEY_NOTAVAIL;
  made.domain = &domain;
  made.base = base;
  made.nbytes = nbytes;
  made.access = access;
  made.real_key = key;
  if (!domain.Demands(FI_MR_ENDPOINT)) Enable(made);
  *memory = &made;
  return 0;
}

}  // namespace

const Memory* Domain::Find(uint64_t key, uint64_t address, size_t n,
                           uint64_t access, std::byte*& at) const {
  for (const Memory& each : memories) {
    if (each.real_key != key || !each.enabled) continue;
    const uintptr_t place =
        Demands(FI_MR_VIRT_ADDR) ? address : each.base + address;
    if (!Demands(FI_MR_VIRT_ADDR) && address > each.nbytes) return nullptr;
    if (!each.Covers(place, n) || (each.access & access) != access) {
      return nullptr;
    }
    at = reinterpret_cast<std::byte*>(place);
    return &each;
  }
  return nullptr;
}

void Domain::CheckLocal(const char* call, const void* address, size_t n,
                        void* descriptor, uint64_t access) const {
  if (descriptor == nullptr) {
    if (!Demands(FI_MR_LOCAL) || n == 0) return;
    Violation("%s of %zu bytes has no descriptor", call, n);
  }
  const auto found = std::find_if(
      memories.begin(), memories.end(),
      [descriptor](const Memory& each) { return &each == descriptor; });
  if (found == memories.end() || !found->enabled) {
    Violation("%s has a descriptor of no registered memory", call);
  }
  if (!found->Covers(reinterpret_cast<uintptr_t>(address), n)) {
    Violation("%s of %zu bytes is not within the descriptor's memory", call, n);
  }
  if (Demands(FI_MR_LOCAL) && (found->access & access) == 0) {
    Violation("%s uses memory that is not registered for that", call);
  }
}

fi_ops_mr* MemoryOps() {
  static fi_ops_mr table = [] {
    fi_ops_mr made = {};
    made.size = sizeof made;
    made.reg = Register;
    Without<"fi_mr_regv">(made.regv);
    Without<"fi_mr_regattr">(made.regattr);
    return made;
  }();
  return &table;
}

}  // namespace gasnet::ofi::strict
