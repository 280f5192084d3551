// The extended API: the functions behind its C calls. It checks arguments
// (debug builds) and handles transfers of no bytes. It passes all other
// transfers on to the layers below. The layers below check nothing.
//
// `call` is the public name of the function, for messages. `attempt` is null,
// or an object that tells afterwards if the call was refused (attempt.h). A
// refused call returns no operation.
#ifndef EXTENDED_FRONT_H_
#define EXTENDED_FRONT_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/runtime/runtime.h"
#include "extended/argument_checks.h"
#include "extended/attempt.h"
#include "extended/handle_checks.h"
#include "extended/operations.h"
#include "extended/sync.h"
#include "extended/target.h"
#include "extended/transfers.h"
#include "gasnet/abi.h"

namespace gasnet::extended {

class Front {
 public:
  // Transfers: blocking, with an explicit handle, and implicit.

  static void Put(const char* call, Target target, void* dest, const void* src,
                  size_t nbytes, Attempt* attempt = nullptr) {
    Operation* const put =
        StartPut(call, target, dest, src, nbytes, Source::kStays, attempt);
    if (IsRefused(attempt)) return;
    Wait(put);
    GASNETI_FENCE();
  }
  static Handle PutNb(const char* call, Target target, void* dest,
                      const void* src, size_t nbytes,
                      Source source = Source::kReusable,
                      Attempt* attempt = nullptr) {
    return PutHandle(StartPut(call, target, dest, src, nbytes, source, attempt),
                     nbytes);
  }
  static void PutNbi(const char* call, Target target, void* dest,
                     const void* src, size_t nbytes,
                     Source source = Source::kReusable,
                     Attempt* attempt = nullptr) {
    CheckPut(call, target, dest, src, nbytes);
    if (nbytes != 0)
      Transfers::PutNbi(target, dest, src, nbytes, source, attempt);
  }

  static void Get(const char* call, void* dest, Target target, const void* src,
                  size_t nbytes, Attempt* attempt = nullptr) {
    Operation* const get = StartGet(call, dest, target, src, nbytes, attempt);
    if (!IsRefused(attempt)) Wait(get);
  }
  static Handle GetNb(const char* call, void* dest, Target target,
                      const void* src, size_t nbytes,
                      Attempt* attempt = nullptr) {
    return HandleOf(StartGet(call, dest, target, src, nbytes, attempt));
  }
  static void GetNbi(const char* call, void* dest, Target target,
                     const void* src, size_t nbytes,
                     Attempt* attempt = nullptr) {
    CheckGet(call, dest, target, src, nbytes);
    if (nbytes != 0) Transfers::GetNbi(dest, target, src, nbytes, attempt);
  }

  static void Memset(const char* call, Rank node, void* dest, int value,
                     size_t nbytes) {
    Wait(StartMemset(call, node, dest, value, nbytes));
    GASNETI_FENCE();
  }
  static Handle MemsetNb(const char* call, Rank node, void* dest, int value,
                         size_t nbytes) {
    return PutHandle(StartMemset(call, node, dest, value, nbytes), nbytes);
  }
  static void MemsetNbi(const char* call, Rank node, void* dest, int value,
                        size_t nbytes) {
    CheckMemset(call, node, dest, nbytes);
    if (nbytes != 0) Transfers::MemsetNbi(node, dest, value, nbytes);
  }

  // Transfers of register values of 1..8 bytes.

  static void PutValue(const char* call, Target target, void* dest,
                       uint64_t value, size_t nbytes,
                       Attempt* attempt = nullptr) {
    CheckValueSize(call, nbytes);
    Put(call, target, dest, LowBytes(value, nbytes), nbytes, attempt);
  }
  static Handle PutValueNb(const char* call, Target target, void* dest,
                           uint64_t value, size_t nbytes,
                           Attempt* attempt = nullptr) {
    CheckValueSize(call, nbytes);
    return PutNb(call, target, dest, LowBytes(value, nbytes), nbytes,
                 Source::kReusable, attempt);
  }
  static void PutValueNbi(const char* call, Target target, void* dest,
                          uint64_t value, size_t nbytes,
                          Attempt* attempt = nullptr) {
    CheckValueSize(call, nbytes);
    PutNbi(call, target, dest, LowBytes(value, nbytes), nbytes,
           Source::kReusable, attempt);
  }
  static uint64_t GetValue(const char* call, Target target, const void* src,
                           size_t nbytes) {
    CheckValueSize(call, nbytes);
    uint64_t value = 0;
    Get(call, LowBytes(value, nbytes), target, src, nbytes);
    return value;
  }
  static ValueHandle GetValueNb(const char* call, Target target,
                                const void* src, size_t nbytes) {
    CheckValueSize(call, nbytes);
    CheckCall(call);
    CheckRemote(call, target, src, nbytes);
    return ToValueHandle(Transfers::GetValueNb(target, src, nbytes));
  }
  static uint64_t WaitValue(const char* call, ValueHandle handle) {
    CheckCall(call);
    return Sync::WaitValue(CheckedValget(call, handle));
  }

  // Synchronisation. A try returns true if the operation is complete.

  static void Wait(const char* call, Handle handle) {
    CheckCall(call);
    Sync::WaitAll(call, {&handle, 1});
  }
  static bool Try(const char* call, Handle handle,
                  Serving serving = Serving::kOnce) {
    CheckCall(call);
    return Sync::TryAll(call, {&handle, 1}, serving);
  }
  static void WaitAll(const char* call, Handle* handles, size_t count) {
    CheckArray(call, handles, count);
    Sync::WaitAll(call, {handles, count});
  }
  static bool TryAll(const char* call, Handle* handles, size_t count,
                     Serving serving = Serving::kOnce) {
    CheckArray(call, handles, count);
    return Sync::TryAll(call, {handles, count}, serving);
  }
  static void WaitSome(const char* call, Handle* handles, size_t count) {
    CheckArray(call, handles, count);
    Sync::WaitSome(call, {handles, count});
  }
  static bool TrySome(const char* call, Handle* handles, size_t count,
                      Serving serving = Serving::kOnce) {
    CheckArray(call, handles, count);
    return Sync::TrySome(call, {handles, count}, serving);
  }

  // WaitImplicit() waits for the calling thread's implicit operations,
  // TryImplicit() tests them. `done` selects the operations, for example
  // &Iop::GetsDone.
  static void WaitImplicit(const char* call, bool (Iop::*done)() const) {
    CheckCall(call);
    CheckNotInRegion(call);
    Sync::WaitImplicit(done);
  }
  static bool TryImplicit(const char* call, bool (Iop::*done)() const) {
    CheckCall(call);
    CheckNotInRegion(call);
    return Sync::TryImplicit(done);
  }

  // Like WaitImplicit() and TryImplicit(), but `parts` selects the operations.
  // TryParts() does not serve the network.
  static void WaitParts(const char* call, Parts parts) {
    CheckCall(call);
    CheckNotInRegion(call);
    Sync::WaitParts(parts);
  }
  static bool TryParts(const char* call, Parts parts) {
    CheckCall(call);
    CheckNotInRegion(call);
    return Sync::TryParts(parts);
  }

  // Returns the event of one part of an operation, or null if that part is
  // complete.
  static Handle LeafOf(const char* call, Handle root, Parts part) {
    CheckCall(call);
    if (root == nullptr || root == GASNETI_STORED_HANDLE || part == 0) {
      return nullptr;
    }
    Operation& operation = CheckedOperation(call, root);
    if (operation.shape != Operation::Shape::kIop) return nullptr;
    auto& iop = static_cast<Iop&>(operation);
    if (iop.IsDone(part)) return nullptr;
    return ToHandle(Operations::LeafOf(iop, part));
  }

  static void BeginRegion(const char* call) {
    CheckCall(call);
    CheckNotInRegion(call);
    Operations::Mine().OpenRegion();
  }
  static Handle EndRegion(const char* call) {
    CheckCall(call);
    CheckInRegion(call);
    // CloseRegion() returns null if the region is complete, for example if all
    // its puts went to mapped memory.
    Operation* const region = Sync::CloseRegion();
    return region != nullptr ? ToHandle(*region) : GASNETI_STORED_HANDLE;
  }

 private:
  static Handle HandleOf(Operation* operation) {
    return operation != nullptr ? ToHandle(*operation) : nullptr;
  }
  // Returns the handle of a put. If the put has no operation, its bytes are
  // already stored.
  static Handle PutHandle(Operation* operation, size_t nbytes) {
    if (operation != nullptr || nbytes == 0) return HandleOf(operation);
    return GASNETI_STORED_HANDLE;
  }
  static void Wait(Operation* operation) {
    if (operation == nullptr) return Sync::WaitForNothing();
    Sync::Wait(*operation);
  }

  static Operation* StartPut(const char* call, Target target, void* dest,
                             const void* src, size_t nbytes, Source source,
                             Attempt* attempt) {
    CheckPut(call, target, dest, src, nbytes);
    if (nbytes == 0) return nullptr;
    return Transfers::PutNb(target, dest, src, nbytes, source, attempt);
  }
  static Operation* StartGet(const char* call, void* dest, Target target,
                             const void* src, size_t nbytes, Attempt* attempt) {
    CheckGet(call, dest, target, src, nbytes);
    if (nbytes == 0) return nullptr;
    return Transfers::GetNb(dest, target, src, nbytes, attempt);
  }
  static Operation* StartMemset(const char* call, Rank node, void* dest,
                                int value, size_t nbytes) {
    CheckMemset(call, node, dest, nbytes);
    if (nbytes == 0) return nullptr;
    return Transfers::MemsetNb(node, dest, value, nbytes);
  }

  static void CheckPut(const char* call, Target target, const void* dest,
                       const void* src, size_t nbytes) {
    CheckCall(call);
    CheckRemote(call, target, dest, nbytes);
    CheckLocal(call, "src", src, nbytes);
  }
  static void CheckGet(const char* call, const void* dest, Target target,
                       const void* src, size_t nbytes) {
    CheckCall(call);
    CheckRemote(call, target, src, nbytes);
    CheckLocal(call, "dest", dest, nbytes);
  }
  static void CheckMemset(const char* call, Rank node, const void* dest,
                          size_t nbytes) {
    CheckCall(call);
    CheckRemote(call, node, dest, nbytes);
  }
  static void CheckArray(const char* call, const Handle* handles,
                         size_t count) {
    CheckCall(call);
    CheckHandleArray(call, handles, count);
  }
};

}  // namespace gasnet::extended

#endif  // EXTENDED_FRONT_H_
