#include "conduits/portals/local_memory.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/log.h"

namespace gasnet::portals_conduit {
namespace {

uint64_t PageBytes() { return static_cast<uint64_t>(sysconf(_SC_PAGESIZE)); }

// Returns the limits of the cache. Without firehose a region lasts as long as
// its operations, and covers only the memory of these operations.
MdCache::Limits LimitsOf(const RegistrationSettings& settings,
                         const ConduitInterface& interface) {
  const uint64_t page = PageBytes();
  const uint64_t any = UINT64_MAX / page * page;
  if (!settings.firehose) {
    return {.regions = std::min(settings.temporaries, interface.most_bound()),
            .bytes = any,
            .region_bytes = any,
            .page = page};
  }
  return {.regions = std::min(settings.regions, interface.most_bound()),
          .bytes = settings.cached_bytes,
          .region_bytes = settings.region_bytes,
          .page = page};
}

}  // namespace

// There are at most as many bounce buffers as operations. Any more would never
// be used.
LocalMemory::LocalMemory(ConduitInterface& interface,
                         const PortalsSettings& settings,
                         PortalsStatistics& statistics)
    : interface_(interface),
      statistics_(statistics),
      settings_(settings.registration),
      bounce_(std::min(settings.sb_chunks, settings.msg_limit), settings.chunk),
      cache_(LimitsOf(settings_, interface)),
      windows_(cache_.limits().regions) {}

// Covers the segment with at most half of the descriptors. The other half is
// for the rest of the memory.
void LocalMemory::CoverSegment(const Segment& segment) {
  const size_t left = interface_.most_bound() - interface_.bound();
  segment_.Cover(interface_, segment, (left + 1) / 2);
  if (!settings_.verbose || !IsLogRankZero()) return;
  const thread::Holder hold(lock_);
  const MdCache::Limits& limits = cache_.limits();
  Inform(
      "firehose: the segment has %zu descriptors; other memory has %u at most, "
      "of %llu bytes, %llu bytes together; puts up to %u and gets up to %u "
      "bytes have bounce buffers",
      segment_.size(), limits.regions,
      static_cast<unsigned long long>(limits.region_bytes),
      static_cast<unsigned long long>(limits.bytes), settings_.put_bounce,
      settings_.get_bounce);
}

LocalMemory::Piece LocalMemory::ForPut(const void* source, size_t nbytes) {
  // A put only reads its source. So it is safe to cast const away.
  auto* const from = static_cast<std::byte*>(const_cast<void*>(source));
  Piece piece = For(from, nbytes, settings_.put_bounce);
  if (piece.hold.of == Hold::Of::kBounce) {
    std::memcpy(piece.at, source, piece.nbytes);
  }
  return piece;
}

LocalMemory::Piece LocalMemory::ForGet(void* destination, size_t nbytes) {
  return For(static_cast<std::byte*>(destination), nbytes,
             settings_.get_bounce);
}

LocalMemory::Piece LocalMemory::For(std::byte* address, size_t nbytes,
                                    size_t bounce_limit) {
  if (const DescriptorWindow* const window = segment_.Of(address)) {
    return {*window, address, segment_.Covered(address, nbytes), {}};
  }
  if (nbytes <= bounce_limit) {
    const Piece piece = InBounce(nbytes);
    if (piece.nbytes > 0) return piece;
  }
  const std::optional<Piece> piece = InRegion(address, nbytes);
  const Piece taken = piece.has_value() ? *piece : InBounce(nbytes);
  if (taken.nbytes == 0) statistics_.Note(Counted::kNoLocalMemory);
  return taken;
}

LocalMemory::Piece LocalMemory::InBounce(size_t nbytes) {
  const std::optional<uint32_t> number = bounce_.Take();
  if (!number.has_value()) return {};
  statistics_.Count(Counted::kBounced);
  return {bounce_.window(),
          bounce_.At(*number),
          std::min(nbytes, bounce_.bytes()),
          {Hold::Of::kBounce, *number}};
}

// Returns a piece in a region. Returns a piece of 0 bytes if no region is free
// now, but a region will be free when an operation completes. Returns nullopt
// if there may never be a region.
std::optional<LocalMemory::Piece> LocalMemory::InRegion(std::byte* address,
                                                        size_t nbytes) {
  const auto start = reinterpret_cast<uintptr_t>(address);
  const thread::Holder hold(lock_);
  const std::optional<Number> region = TakeRegion(start, nbytes);
  if (!region.has_value()) {
    if (cache_.IsInUse()) return Piece{};
    return std::nullopt;
  }
  const uint64_t left = cache_.RangeOf(*region).end - start;
  return Piece{windows_[*region],
               address,
               std::min<size_t>(nbytes, left),
               {Hold::Of::kRegion, *region}};
}

// Finds a region, or binds a new one. If Portals refuses a range, tries half of
// it, because the range may be too long.
std::optional<MdCache::Number> LocalMemory::TakeRegion(uintptr_t address,
                                                       size_t nbytes) {
  if (const std::optional<Number> found = cache_.Find(address)) return found;
  const uint64_t page = cache_.limits().page;
  uint64_t most = cache_.limits().region_bytes;
  for (;;) {
    const MdCache::Range range = cache_.RangeFor(address, nbytes, most);
    if (!MakeRoom(range.bytes())) return std::nullopt;
    Number number = 0;
    switch (BindRegion(range, number)) {
      case BindResult::kYes:
        if (most < cache_.limits().region_bytes) cache_.Shorten(most);
        return number;
      case BindResult::kNoRoom:
        if (!RemoveVictim()) return std::nullopt;
        break;
      case BindResult::kRefused:
        most = range.bytes() / 2 / page * page;
        if (most == 0) return std::nullopt;
        break;
    }
  }
}

BindResult LocalMemory::BindRegion(const MdCache::Range& range,
                                   Number& number) {
  DescriptorWindow window = {};
  const BindResult bound = interface_.Bind(reinterpret_cast<void*>(range.start),
                                           range.bytes(), window);
  if (bound != BindResult::kYes) return bound;
  number = cache_.Add(range);
  windows_[number] = window;
  statistics_.Count(Counted::kBinds);
  statistics_.Reach(Counted::kMaxBound, cache_.size());
  statistics_.Reach(Counted::kMaxBoundBytes, cache_.bytes());
  statistics_.Reach(Counted::kLargestBound, range.bytes());
  Report("bound", range);
  return bound;
}

bool LocalMemory::MakeRoom(uint64_t bytes) {
  while (!cache_.HasRoom(bytes)) {
    if (!RemoveVictim()) return false;
  }
  return true;
}

bool LocalMemory::RemoveVictim() {
  const std::optional<Number> victim = cache_.Victim();
  return victim.has_value() && Remove(*victim);
}

// Removes a region. Returns false if Portals still uses the region. The region
// then stays idle until room is needed.
bool LocalMemory::Remove(Number number) {
  if (!interface_.Release(windows_[number])) return false;
  statistics_.Count(Counted::kReleases);
  Report("released", cache_.RangeOf(number));
  cache_.Remove(number);
  return true;
}

void LocalMemory::Return(const Hold& hold) {
  if (hold.of == Hold::Of::kBounce) return bounce_.Give(hold.number);
  if (hold.of == Hold::Of::kNothing) return;
  const thread::Holder holder(lock_);
  if (cache_.End(hold.number) && !settings_.firehose) Remove(hold.number);
}

void LocalMemory::Report(const char* what, const MdCache::Range& range) const {
  if (!settings_.verbose) [[likely]]
    return;
  Inform("firehose: %s %llu bytes at %p; %zu regions, %llu bytes", what,
         static_cast<unsigned long long>(range.bytes()),
         reinterpret_cast<void*>(range.start), cache_.size(),
         static_cast<unsigned long long>(cache_.bytes()));
}

}  // namespace gasnet::portals_conduit
