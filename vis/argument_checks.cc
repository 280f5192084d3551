#include "vis/argument_checks.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/log.h"

namespace gasnet::vis::internal {
namespace {

struct Run {
  uintptr_t begin;
  size_t nbytes;
  size_t entry;
};

// Ends the job if runs overlap. `what` is the name of the list that contains
// the runs.
void RequireApart(const char* call, const char* what, std::vector<Run> runs) {
  std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.entry < b.entry;
  });
  for (size_t i = 1; i < runs.size(); ++i) {
    const Run& one = runs[i - 1];
    const Run& next = runs[i];
    if (next.begin - one.begin >= one.nbytes) continue;
    Fatal(
        "%s: its destinations overlap: %zu bytes at 0x%zx, %s[%zu], and %zu at "
        "0x%zx, %s[%zu]",
        call, one.nbytes, size_t{one.begin}, what, one.entry, next.nbytes,
        size_t{next.begin}, what, next.entry);
  }
}

template <class List>
void RequireListApart(const char* call, const List& to) {
  std::vector<Run> runs;
  for (size_t i = 0; i < to.count; ++i) {
    if (to.run(i) == 0) continue;
    runs.push_back({reinterpret_cast<uintptr_t>(to.address(i)), to.run(i), i});
  }
  RequireApart(call, "dstlist", std::move(runs));
}

[[noreturn]] void RefuseExtent(const char* call, const char* argument,
                               size_t level, ptrdiff_t stride, bool has_signs,
                               size_t count) {
  const std::string steps = has_signs
                                ? absl::StrCat(stride)
                                : absl::StrCat(static_cast<size_t>(stride));
  Fatal("%s: %s[%zu] is %s, %zu times: no memory is so large", call, argument,
        level, steps.c_str(), count);
}

// The memory of one side: the number of bytes before the side's address, and
// the number from the address on.
struct RelativeExtent {
  size_t before = 0;
  size_t behind = 0;

  size_t nbytes() const { return before + behind; }
  const void* Begin(const std::byte* address) const { return address - before; }
};

// Returns the extent of a side. The extent is empty if the call moves no bytes.
RelativeExtent ExtentOf(const char* call, const char* argument,
                        const ptrdiff_t* strides, const StridedCall& strided) {
  if (strided.IsEmpty()) return {};
  RelativeExtent extent = {0, strided.run};
  for (size_t level = 0; level < strided.levels; ++level) {
    const size_t count = strided.count[level];
    const bool descends = strided.has_signs && strides[level] < 0;
    const auto stride = static_cast<size_t>(strides[level]);
    size_t& side = descends ? extent.before : extent.behind;
    size_t steps;
    size_t all;
    if (__builtin_mul_overflow(count - 1, descends ? 0 - stride : stride,
                               &steps) ||
        __builtin_add_overflow(side, steps, &side) ||
        __builtin_add_overflow(extent.before, extent.behind, &all)) {
      RefuseExtent(call, argument, level, strides[level], strided.has_signs,
                   count);
    }
  }
  return extent;
}

// Returns true if the step of each level is at least the extent of the levels
// within the level. Then runs cannot overlap.
bool IsNested(const Strided& shape) {
  auto extent = static_cast<ptrdiff_t>(shape.run);
  for (size_t level = 0; level < shape.levels; ++level) {
    const Dim& dim = shape.dims[level];
    if (dim.to_stride < extent) return false;
    extent += Steps(dim.count - 1, dim.to_stride);
  }
  return true;
}

}  // namespace

void RefuseTotals(const char* call, size_t to, size_t from) {
  Fatal(
      "%s: its destination has %zu bytes and its source %zu; they must be the "
      "same",
      call, to, from);
}

void CheckEntry(const char* call, const char* argument, size_t entry,
                const void* address, size_t nbytes) {
  if (address != nullptr || nbytes == 0) return;
  Fatal("%s: %s[%zu] is NULL, with %zu bytes", call, argument, entry, nbytes);
}

void CheckRemoteEntry(const char* call, const char* argument, size_t entry,
                      extended::Target target, const void* address,
                      size_t nbytes) {
  const std::string where = absl::StrCat(call, ": ", argument, "[", entry, "]");
  extended::CheckRemote(where.c_str(), target, address, nbytes);
}

void CheckStridedSide(const char* call, RemoteCheck check_remote,
                      const StridedCall& strided, TransferKind kind) {
  const bool puts = kind == TransferKind::kPut;
  const RelativeExtent to =
      ExtentOf(call, "dststrides", strided.to_strides, strided);
  const RelativeExtent from =
      ExtentOf(call, "srcstrides", strided.from_strides, strided);
  if (puts) {
    check_remote(absl::StrCat(call, ": dstaddr").c_str(), to.Begin(strided.to),
                 to.nbytes());
    extended::internal::CheckLocal(call, "srcaddr", strided.from,
                                   from.nbytes());
  } else {
    check_remote(absl::StrCat(call, ": srcaddr").c_str(),
                 from.Begin(strided.from), from.nbytes());
    extended::internal::CheckLocal(call, "dstaddr", strided.to, to.nbytes());
  }
}

void CheckApart(const char* call, const VectorList& to) {
  RequireListApart(call, to);
}
void CheckApart(const char* call, const IndexedList& to) {
  RequireListApart(call, to);
}

void CheckApart(const char* call, const StridedCall& strided) {
  const Strided shape(strided);
  if (shape.IsEmpty() || IsNested(shape)) return;
  std::vector<Run> runs;
  ForEachRow(shape, [&](const Row& row) {
    for (size_t i = 0; i < row.count; ++i) {
      runs.push_back(
          {reinterpret_cast<uintptr_t>(row.to_at(i)), row.run, runs.size()});
    }
  });
  RequireApart(call, "run", std::move(runs));
}

}  // namespace gasnet::vis::internal
