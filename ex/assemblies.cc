#include "ex/assemblies.h"

#include <utility>

namespace gasnet::ex {

FurtherReassembly& Assemblies::Find(uint64_t key, const FurtherHead& piece) {
  std::unique_ptr<FurtherReassembly>& found = all_[key];
  if (found == nullptr) {
    found = std::make_unique<FurtherReassembly>();
    found->head.size = piece.size;
    if (piece.category == am::Category::kMedium) {
      found->bytes = std::make_unique_for_overwrite<std::byte[]>(piece.size);
    }
  }
  return *found;
}

std::byte* Assemblies::BytesOf(Rank source, const FurtherHead& piece) {
  const absl::MutexLock lock(&mutex_);
  const FurtherReassembly& assembly = Find(KeyOf(source, piece), piece);
  return assembly.head.size == piece.size ? assembly.bytes.get() : nullptr;
}

std::unique_ptr<FurtherReassembly> Assemblies::Count(Rank source,
                                                     const FurtherHead& piece,
                                                     size_t nbytes) {
  const uint64_t key = KeyOf(source, piece);
  const absl::MutexLock lock(&mutex_);
  FurtherReassembly& assembly = Find(key, piece);
  assembly.arrived += static_cast<uint32_t>(nbytes);
  if (piece.kind == FurtherHead::Kind::kLast) {
    assembly.head = piece;
    assembly.has_head = true;
  }
  if (!assembly.has_head || assembly.arrived != assembly.head.size) {
    return nullptr;
  }
  std::unique_ptr<FurtherReassembly> whole = std::move(all_[key]);
  all_.erase(key);
  return whole;
}

}  // namespace gasnet::ex
