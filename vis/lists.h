// The lists of a vector or indexed transfer. Each describes one side of the
// transfer as a stream of bytes.
#ifndef VIS_LISTS_H_
#define VIS_LISTS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "gasnet/types.h"

namespace gasnet::vis {

// The type that clients use: their lists are used without a copy.
using VectorEntry = gasnet_memvec_t;

// A list of gasnet_putv and gasnet_getv. Its entries may have any length,
// including 0.
struct VectorList {
  const VectorEntry* list;
  size_t count;

  std::byte* address(size_t i) const {
    return static_cast<std::byte*>(list[i].addr);
  }
  size_t run(size_t i) const { return list[i].len; }
  VectorList From(size_t i) const { return {list + i, count - i}; }
  size_t nbytes() const {
    size_t all = 0;
    for (size_t i = 0; i < count; ++i) all += list[i].len;
    return all;
  }
};

// A list of gasnet_puti and gasnet_geti. All entries have the same length.
struct IndexedList {
  void* const* list;
  size_t count;
  size_t length;

  std::byte* address(size_t i) const {
    return static_cast<std::byte*>(list[i]);
  }
  size_t run(size_t) const { return length; }
  size_t nbytes() const { return count * length; }
};

namespace internal {

// A position in a list: an entry, and the number of the entry's bytes that are
// done.
template <class List>
struct Cursor {
  explicit Cursor(const List& side) : list(side) { Settle(); }

  bool AtEnd() const { return at == list.count; }
  std::byte* address() const { return list.address(at) + done; }
  size_t left() const { return list.run(at) - done; }
  void Advance(size_t nbytes) {
    done += nbytes;
    Settle();
  }
  void Settle() {
    for (; at < list.count && done == list.run(at); ++at) done = 0;
  }

  const List& list;
  size_t at = 0;
  size_t done = 0;  // number of the entry's bytes that are done
};

}  // namespace internal

// Calls f(to, from, nbytes) with the longest runs that are contiguous on both
// sides, in order. Both sides have the same number of bytes.
template <class To, class From, class F>
void ForEachRun(const To& to_list, const From& from_list, F f) {
  internal::Cursor<To> to(to_list);
  internal::Cursor<From> from(from_list);
  std::byte* to_begin = nullptr;
  const std::byte* from_begin = nullptr;
  size_t run = 0;
  while (!to.AtEnd()) {
    const size_t nbytes = std::min(to.left(), from.left());
    if (run > 0 && to.address() == to_begin + run &&
        from.address() == from_begin + run) {
      run += nbytes;
    } else {
      if (run > 0) f(to_begin, from_begin, run);
      to_begin = to.address();
      from_begin = from.address();
      run = nbytes;
    }
    to.Advance(nbytes);
    from.Advance(nbytes);
  }
  if (run > 0) f(to_begin, from_begin, run);
}

}  // namespace gasnet::vis

#endif  // VIS_LISTS_H_
