// Vector, indexed and strided transfers. The C functions of the API call them.
// There is one class for each way to complete a transfer (ways.h). Each class
// checks arguments, handles transfers of no bytes, and copies mapped memory.
//
// `attempt` is null, or an object that tells after the call if the call was
// refused (extended/attempt.h).
//
// Every build checks that both sides have the same number of bytes. Only debug
// builds check the other rules.
#ifndef VIS_FRONT_H_
#define VIS_FRONT_H_

#include <cstddef>
#include <cstring>

#include "core/runtime/runtime.h"
#include "extended/attempt.h"
#include "vis/argument_checks.h"
#include "vis/copy.h"
#include "vis/lists.h"
#include "vis/strided.h"
#include "vis/transfers.h"
#include "vis/ways.h"

namespace gasnet::vis {

namespace internal {

inline std::byte* Displaced(const std::byte* address, uintptr_t by) {
  return reinterpret_cast<std::byte*>(reinterpret_cast<uintptr_t>(address) +
                                      by);
}

// Copies a shape. A shape of one run needs only a call of memcpy.
inline void Copy(const Strided& shape) {
  if (shape.IsOneRun()) {
    std::memcpy(shape.to, shape.from, shape.run);
  } else {
    CopyStrided(shape);
  }
}

}  // namespace internal

// `Way` is Blocking, Explicit or Implicit.
template <class Way>
class VisFront {
 public:
  // Put and Get transfer between two lists, both of vectors or both indexed.
  template <class List>
  static auto Put(const char* call, extended::Target target, const List& to,
                  const List& from, Attempt* attempt = nullptr) {
    const size_t nbytes = CheckLists<List>(
        call, {target, "dstlist", to}, {"srclist", from}, TransferKind::kPut);
    if (nbytes == 0) return Way::Nothing();
    return Way::template Move<TransferKind::kPut>(
        target, FirstOf(to), false,
        [&](uintptr_t by) { CopyLists(to, by, from, 0); },
        [&](Iop& iop) {
          VisTransfers::Put(iop, target, to, from, attempt);
          return !extended::IsRefused(attempt);
        });
  }
  template <class List>
  static auto Get(const char* call, const List& to, extended::Target target,
                  const List& from, Attempt* attempt = nullptr) {
    const size_t nbytes = CheckLists<List>(call, {target, "srclist", from},
                                           {"dstlist", to}, TransferKind::kGet);
    if (nbytes == 0) return Way::Nothing();
    return Way::template Move<TransferKind::kGet>(
        target, FirstOf(from), false,
        [&](uintptr_t by) { CopyLists(to, 0, from, by); },
        [&](Iop& iop) {
          VisTransfers::Get(iop, target, to, from, attempt);
          return !extended::IsRefused(attempt);
        });
  }

  // Put and Get transfer a strided shape. They are inlined. If they were not, a
  // call's arguments would be stored as single words and loaded as pairs. Each
  // load would wait for the stores (4 of the 12 ns that one row takes).
  [[gnu::always_inline]] static auto Put(const char* call,
                                         extended::Target target,
                                         const StridedCall& strided,
                                         Attempt* attempt = nullptr) {
    CheckStrided(call, target, strided, TransferKind::kPut);
    Strided shape(strided);
    if (shape.IsEmpty()) return Way::Nothing();
    return Way::template Move<TransferKind::kPut>(
        target, shape.to, shape.IsOneRun(),
        [&](uintptr_t by) {
          shape.to = internal::Displaced(shape.to, by);
          internal::Copy(shape);
        },
        [&](Iop& iop) {
          VisTransfers::Put(iop, target, shape, attempt);
          return !extended::IsRefused(attempt);
        });
  }
  [[gnu::always_inline]] static auto Get(const char* call,
                                         extended::Target target,
                                         const StridedCall& strided,
                                         Attempt* attempt = nullptr) {
    CheckStrided(call, target, strided, TransferKind::kGet);
    Strided shape(strided);
    if (shape.IsEmpty()) return Way::Nothing();
    return Way::template Move<TransferKind::kGet>(
        target, shape.from, shape.IsOneRun(),
        [&](uintptr_t by) {
          shape.from = internal::Displaced(shape.from, by);
          internal::Copy(shape);
        },
        [&](Iop& iop) {
          VisTransfers::Get(iop, target, shape, attempt);
          return !extended::IsRefused(attempt);
        });
  }

 private:
  // Returns the address of the first entry that is not empty.
  template <class List>
  static const void* FirstOf(const List& list) {
    size_t at = 0;
    while (list.run(at) == 0) ++at;
    return list.address(at);
  }
};

}  // namespace gasnet::vis

#endif  // VIS_FRONT_H_
