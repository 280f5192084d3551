// The arithmetic of atomic operations on items, in memory of ours that is sure
// to be there. Not atomic by itself: the caller holds a lock.
#ifndef PORTALS_ENGINE_ARITHMETIC_H_
#define PORTALS_ENGINE_ARITHMETIC_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::portals4 {

// Bytes of an item; 0: no such type.
size_t SizeOfType(uint32_t datatype);

// Whether the operation is of PtlAtomic and PtlFetchAtomic (swaps are not), and
// is defined for the type.
bool IsAtomicFor(uint32_t operation, uint32_t datatype);
// The same for PtlSwap. `needs_operand`: it compares, or masks; one item then.
bool IsSwapFor(uint32_t operation, uint32_t datatype, bool& needs_operand);

// target = target OP source for `bytes` bytes of items, neither of which need
// be aligned. Of a checked operation. `operand` of those that need it.
void Combine(uint32_t operation, uint32_t datatype, std::byte* target,
             const std::byte* source, size_t bytes, const void* operand);

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_ARITHMETIC_H_
