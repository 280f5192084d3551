// Puts, gets and memsets, by the best way to the target's memory: plain copies
// if it is mapped into this process; else the network's own transfers, if they
// reach that memory and the transfer is not too short; else active messages.
//
// Always by messages: memsets of more than a few bytes, and non-blocking value
// gets, whose value is in the record that the reply completes.
//
// Mapped accesses are performed when the call returns, and keep the same order
// as the inline ones of gasnet/extended.h: the caller's earlier stores come
// before a put, its later loads come after a get. A put is complete after the
// fence of its sync (sync.h).
//
// Arguments are checked (debug builds) and nbytes is not 0: see front.h. A null
// Attempt waits for room (attempt.h). Mapped accesses are never refused.
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
#include "gasnet/abi.h"

namespace gasnet::extended {

class Transfers {
 public:
  // Explicit operations. Return null if it is already performed, or refused.
  static Operation* PutNb(Rank node, void* dest, const void* src, size_t nbytes,
                          Source source, Attempt* attempt = nullptr) {
    if (void* const local = Mapped(node, dest)) {
      Store(local, src, nbytes);
      return nullptr;
    }
    return PutNbFar(node, dest, src, nbytes, source, attempt);
  }
  static Operation* GetNb(void* dest, Rank node, const void* src, size_t nbytes,
                          Attempt* attempt = nullptr) {
    if (const void* const local = Mapped(node, src)) {
      Load(dest, local, nbytes);
      return nullptr;
    }
    return GetNbFar(dest, node, src, nbytes, attempt);
  }
  static Operation* MemsetNb(Rank node, void* dest, int value, size_t nbytes) {
    if (void* const local = Mapped(node, dest)) {
      Fill(local, value, nbytes);
      return nullptr;
    }
    return MemsetNbFar(node, dest, value, nbytes);
  }

  // Implicit operations of the calling thread.
  static void PutNbi(Rank node, void* dest, const void* src, size_t nbytes,
                     Source source, Attempt* attempt = nullptr) {
    if (void* const local = Mapped(node, dest)) {
      return Store(local, src, nbytes);
    }
    PutNbiFar(node, dest, src, nbytes, source, attempt);
  }
  static void GetNbi(void* dest, Rank node, const void* src, size_t nbytes,
                     Attempt* attempt = nullptr) {
    if (const void* const local = Mapped(node, src)) {
      return Load(dest, local, nbytes);
    }
    GetNbiFar(dest, node, src, nbytes, attempt);
  }
  static void MemsetNbi(Rank node, void* dest, int value, size_t nbytes) {
    if (void* const local = Mapped(node, dest)) {
      return Fill(local, value, nbytes);
    }
    MemsetNbiFar(node, dest, value, nbytes);
  }

  // Returns the address of node's memory in this process, or null if it is not
  // mapped.
  static void* Mapped(Rank node, const void* address) {
    return runtime->peers()[node].Find(address);
  }

  // Transfers as parts of iop, of memory that is not mapped here.
  static void Put(Iop& iop, Rank node, void* dest, const void* src,
                  size_t nbytes, Source source, Attempt* attempt = nullptr) {
    if (Native::Mine().Puts(node, nbytes))
      return Native::Mine().Put(iop, node, dest, src, nbytes, source, attempt);
    Reference::Put(iop, node, dest, src, nbytes, source, attempt);
  }
  static void Get(Iop& iop, void* dest, Rank node, const void* src,
                  size_t nbytes, Attempt* attempt = nullptr) {
    if (Native::Mine().Gets(node, nbytes))
      return Native::Mine().Get(iop, dest, node, src, nbytes, attempt);
    Reference::Get(iop, dest, node, src, nbytes, attempt);
  }

  // Starts a value get. Always returns a record, since its handle has no
  // invalid value.
  static Transfer& GetValueNb(Rank node, const void* src, size_t nbytes) {
    if (const void* const local = Mapped(node, src)) {
      uint64_t value = 0;
      Load(LowBytes(value, nbytes), local, nbytes);
      return Operations::Mine().CompletedValueGet(value);
    }
    return Reference::GetValue(node, src, nbytes);
  }

  // Copies from and to mapped memory, in the order described above.
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
  static Iop& Current() { return Operations::Mine().current(); }

  // Transfers of memory that is not mapped here. Out of line, so that a copy to
  // mapped memory saves no registers for them.
  [[gnu::noinline]] static Operation* PutNbFar(Rank node, void* dest,
                                               const void* src, size_t nbytes,
                                               Source source,
                                               Attempt* attempt) {
    if (Native::Mine().Puts(node, nbytes))
      return Native::Mine().Put(node, dest, src, nbytes, source, attempt);
    return Reference::Put(node, dest, src, nbytes, source, attempt);
  }
  [[gnu::noinline]] static Operation* GetNbFar(void* dest, Rank node,
                                               const void* src, size_t nbytes,
                                               Attempt* attempt) {
    if (Native::Mine().Gets(node, nbytes))
      return Native::Mine().Get(dest, node, src, nbytes, attempt);
    return Reference::Get(dest, node, src, nbytes, attempt);
  }
  [[gnu::noinline]] static Operation* MemsetNbFar(Rank node, void* dest,
                                                  int value, size_t nbytes) {
    if (Native::Mine().Fills(node, nbytes))
      return &Native::Mine().Fill(node, dest, value, nbytes);
    return &Reference::Memset(node, dest, value, nbytes);
  }
  [[gnu::noinline]] static void PutNbiFar(Rank node, void* dest,
                                          const void* src, size_t nbytes,
                                          Source source, Attempt* attempt) {
    Put(Current(), node, dest, src, nbytes, source, attempt);
  }
  [[gnu::noinline]] static void GetNbiFar(void* dest, Rank node,
                                          const void* src, size_t nbytes,
                                          Attempt* attempt) {
    Get(Current(), dest, node, src, nbytes, attempt);
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
