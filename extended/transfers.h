// Puts, gets and memsets, by the best way to the target's memory:
// - plain copies if the memory is mapped into this process
// - otherwise the network's own transfers, if they reach the memory and the
//   transfer is not too short
// - otherwise active messages
//
// Two kinds of calls never use the network's own transfers. One is memsets of
// more than a few bytes. The other is non-blocking value gets: a reply must
// store their value in the record.
//
// When the call returns, mapped accesses have been performed. They keep the
// same order as the inlined ones of gasnet/extended.h: the caller's earlier
// stores come before a put, and its later loads come after a get. A put is
// complete after the fence of its sync (sync.h).
//
// The caller has checked the arguments (debug builds), and nbytes is not 0: see
// front.h. If the Attempt is null, the call waits for room (attempt.h). Mapped
// accesses are never refused.
#ifndef EXTENDED_TRANSFERS_H_
#define EXTENDED_TRANSFERS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/runtime/runtime.h"
#include "extended/attempt.h"
#include "extended/native.h"
#include "extended/operations.h"
#include "extended/reference.h"
#include "extended/target.h"
#include "gasnet/abi.h"

namespace gasnet::extended {

class Transfers {
 public:
  // Start explicit operations. The functions return null if the operation is
  // complete, or was refused.
  static Operation* PutNb(Target target, void* dest, const void* src,
                          size_t nbytes, Source source,
                          Attempt* attempt = nullptr) {
    if (void* const local = Mapped(target, dest)) {
      Store(local, src, nbytes);
      return nullptr;
    }
    return PutNbFar(target, dest, src, nbytes, source, attempt);
  }
  static Operation* GetNb(void* dest, Target target, const void* src,
                          size_t nbytes, Attempt* attempt = nullptr) {
    if (const void* const local = Mapped(target, src)) {
      Load(dest, local, nbytes);
      return nullptr;
    }
    return GetNbFar(dest, target, src, nbytes, attempt);
  }
  static Operation* MemsetNb(Rank node, void* dest, int value, size_t nbytes) {
    if (void* const local = Mapped(node, dest)) {
      Fill(local, value, nbytes);
      return nullptr;
    }
    return MemsetNbFar(node, dest, value, nbytes);
  }

  // Start implicit operations of the calling thread.
  static void PutNbi(Target target, void* dest, const void* src, size_t nbytes,
                     Source source, Attempt* attempt = nullptr) {
    if (void* const local = Mapped(target, dest)) {
      return Store(local, src, nbytes);
    }
    PutNbiFar(target, dest, src, nbytes, source, attempt);
  }
  static void GetNbi(void* dest, Target target, const void* src, size_t nbytes,
                     Attempt* attempt = nullptr) {
    if (const void* const local = Mapped(target, src)) {
      return Load(dest, local, nbytes);
    }
    GetNbiFar(dest, target, src, nbytes, attempt);
  }
  static void MemsetNbi(Rank node, void* dest, int value, size_t nbytes) {
    if (void* const local = Mapped(node, dest)) {
      return Fill(local, value, nbytes);
    }
    MemsetNbiFar(node, dest, value, nbytes);
  }

  // Returns the address of the target's memory in this process, or null if it
  // is not mapped.
  static void* Mapped(Target target, const void* address) {
    if (target.endpoint != 0) [[unlikely]]
      return MappedFurther(target, address);
    return runtime->peers()[target.node].Find(address);
  }

  // Start transfers as parts of iop, to or from memory that is not mapped here.
  static void Put(Iop& iop, Target target, void* dest, const void* src,
                  size_t nbytes, Source source, Attempt* attempt = nullptr) {
    if (IsNativePut(target, nbytes))
      return Native::Mine().Put(iop, target.node, dest, src, nbytes, source,
                                attempt);
    Reference::Put(iop, target, dest, src, nbytes, source, attempt);
  }
  static void Get(Iop& iop, void* dest, Target target, const void* src,
                  size_t nbytes, Attempt* attempt = nullptr) {
    if (IsNativeGet(target, nbytes))
      return Native::Mine().Get(iop, dest, target.node, src, nbytes, attempt);
    Reference::Get(iop, dest, target, src, nbytes, attempt);
  }

  // Starts a value get. Always returns a record, since a handle of a value get
  // is never null.
  static Transfer& GetValueNb(Target target, const void* src, size_t nbytes) {
    if (const void* const local = Mapped(target, src)) {
      uint64_t value = 0;
      Load(LowBytes(value, nbytes), local, nbytes);
      return Operations::Mine().CompletedValueGet(value);
    }
    return Reference::GetValue(target, src, nbytes);
  }

  // Copy to and from mapped memory, in the order that is described at the top
  // of this file.
  static void Store(void* to, const void* from, size_t nbytes) {
    GASNETI_RELEASE();
    std::memcpy(to, from, nbytes);
  }
  static void Load(void* to, const void* from, size_t nbytes) {
    std::memcpy(to, from, nbytes);
    GASNETI_ACQUIRE();
  }
  static void Fill(void* to, int value, size_t nbytes) {
    GASNETI_RELEASE();
    std::memset(to, value, nbytes);
  }

 private:
  // Like Mapped(), for endpoints other than 0. Their segments are mapped only
  // in their own process.
  [[gnu::noinline]] static void* MappedFurther(Target target,
                                               const void* address) {
    if (target.node != runtime->job().rank()) return nullptr;
    const Segment segment =
        runtime->further_segments().BoundTo(target.endpoint);
    return segment.size > 0 && segment.Contains(address, 1)
               ? const_cast<void*>(address)
               : nullptr;
  }
  // Return true if the network itself performs the transfer. It does so only
  // for endpoints 0.
  static bool IsNativePut(Target target, size_t nbytes) {
    return target.endpoint == 0 && Native::Mine().Puts(target.node, nbytes);
  }
  static bool IsNativeGet(Target target, size_t nbytes) {
    return target.endpoint == 0 && Native::Mine().Gets(target.node, nbytes);
  }

  static Iop& Current() { return Operations::Mine().current(); }

  // Start transfers to or from memory that is not mapped here. The functions
  // are out of line, so that a copy to mapped memory saves no registers for
  // them.
  [[gnu::noinline]] static Operation* PutNbFar(Target target, void* dest,
                                               const void* src, size_t nbytes,
                                               Source source,
                                               Attempt* attempt) {
    if (IsNativePut(target, nbytes))
      return Native::Mine().Put(target.node, dest, src, nbytes, source,
                                attempt);
    return Reference::Put(target, dest, src, nbytes, source, attempt);
  }
  [[gnu::noinline]] static Operation* GetNbFar(void* dest, Target target,
                                               const void* src, size_t nbytes,
                                               Attempt* attempt) {
    if (IsNativeGet(target, nbytes))
      return Native::Mine().Get(dest, target.node, src, nbytes, attempt);
    return Reference::Get(dest, target, src, nbytes, attempt);
  }
  [[gnu::noinline]] static Operation* MemsetNbFar(Rank node, void* dest,
                                                  int value, size_t nbytes) {
    if (Native::Mine().Fills(node, nbytes))
      return &Native::Mine().Fill(node, dest, value, nbytes);
    return &Reference::Memset(node, dest, value, nbytes);
  }
  [[gnu::noinline]] static void PutNbiFar(Target target, void* dest,
                                          const void* src, size_t nbytes,
                                          Source source, Attempt* attempt) {
    Put(Current(), target, dest, src, nbytes, source, attempt);
  }
  [[gnu::noinline]] static void GetNbiFar(void* dest, Target target,
                                          const void* src, size_t nbytes,
                                          Attempt* attempt) {
    Get(Current(), dest, target, src, nbytes, attempt);
  }
  [[gnu::noinline]] static void MemsetNbiFar(Rank node, void* dest, int value,
                                             size_t nbytes) {
    if (Native::Mine().Fills(node, nbytes))
      return Native::Mine().Fill(Current(), node, dest, value, nbytes);
    Reference::Memset(Current(), node, dest, value, nbytes);
  }
};

}  // namespace gasnet::extended

#endif  // EXTENDED_TRANSFERS_H_
