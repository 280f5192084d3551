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

// what: the name of the list whose entries the runs are.
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

bool IsEmpty(const StridedCall& strided) {
  for (size_t level = 0; level <= strided.levels; ++level) {
    if (strided.count[level] == 0) return true;
  }
  return false;
}

// Returns the bytes from the first one to behind the last; 0 if there are none.
size_t ExtentOf(const char* call, const char* argument, const size_t* strides,
                const StridedCall& strided) {
  if (IsEmpty(strided)) return 0;
  size_t extent = strided.count[0];
  for (size_t level = 1; level <= strided.levels; ++level) {
    const size_t count = strided.count[level];
    const size_t stride = strides[level - 1];
    size_t steps;
    if (__builtin_mul_overflow(count - 1, stride, &steps) ||
        __builtin_add_overflow(extent, steps, &extent)) {
      Fatal("%s: %s[%zu] is %zu, %zu times: no memory is so large", call,
            argument, level - 1, stride, count);
    }
  }
  return extent;
}

// Returns true if each level steps over all that is within it: then nothing
// overlaps.
bool IsNested(const Strided& shape) {
  size_t extent = shape.run;
  for (size_t level = 0; level < shape.levels; ++level) {
    const Dim& dim = shape.dims[level];
    if (dim.to_stride < extent) return false;
    extent += (dim.count - 1) * dim.to_stride;
  }
  return true;
}

void CheckRemoteSide(const char* call, const char* argument,
                     std::span<const Segment> segments, Rank node,
                     const void* address, size_t nbytes) {
  const std::string where = absl::StrCat(call, ": ", argument);
  extended::internal::CheckRemote(where.c_str(), segments, node, address,
                                  nbytes);
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
                      std::span<const Segment> segments, Rank node,
                      const void* address, size_t nbytes) {
  if (nbytes == 0 || segments[node].Contains(address, nbytes)) return;
  CheckRemoteSide(call, absl::StrCat(argument, "[", entry, "]").c_str(),
                  segments, node, address, nbytes);
}

void CheckNode(const char* call, std::span<const Segment> segments, Rank node) {
  extended::internal::CheckRemote(call, segments, node, nullptr, 0);
}

void CheckStridedSide(const char* call, std::span<const Segment> segments,
                      Rank node, const StridedCall& strided, Kind kind) {
  const bool puts = kind == Kind::kPut;
  const size_t to = ExtentOf(call, "dststrides", strided.to_strides, strided);
  const size_t from =
      ExtentOf(call, "srcstrides", strided.from_strides, strided);
  CheckNode(call, segments, node);
  if (puts) {
    CheckRemoteSide(call, "dstaddr", segments, node, strided.to, to);
    extended::internal::CheckLocal(call, "srcaddr", strided.from, from);
  } else {
    CheckRemoteSide(call, "srcaddr", segments, node, strided.from, from);
    extended::internal::CheckLocal(call, "dstaddr", strided.to, to);
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
      runs.push_back({reinterpret_cast<uintptr_t>(row.to + i * row.to_stride),
                      row.run, runs.size()});
    }
  });
  RequireApart(call, "run", std::move(runs));
}

}  // namespace gasnet::vis::internal
