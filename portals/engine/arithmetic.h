// The arithmetic of atomic operations on items. The items lie in mapped memory
// of this process.
//
// An item is naturally aligned if its address is a multiple of its size. If
// such an item has 1, 2, 4 or 8 bytes, a locked instruction of the processor
// changes it, in sequentially consistent order. So the operation is atomic
// towards the processor's own atomic operations. Other items are loaded and
// stored. The caller holds a lock, which makes all operations atomic towards
// each other.
#ifndef PORTALS_ENGINE_ARITHMETIC_H_
#define PORTALS_ENGINE_ARITHMETIC_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::portals4 {

// Returns the size of an item in bytes, or 0 for an unknown type.
size_t SizeOfType(uint32_t datatype);

// Returns true if PtlAtomic and PtlFetchAtomic have the operation, and it is
// defined for the type. These two calls have no swaps.
bool IsAtomicFor(uint32_t operation, uint32_t datatype);
// Like IsAtomicFor(), but for PtlSwap. Sets `needs_operand` if the operation
// compares or masks. Such an operation has exactly one item.
bool IsSwapFor(uint32_t operation, uint32_t datatype, bool& needs_operand);

// Computes target = target OP source for `bytes` bytes of items. Stores the
// previous items in `old`, unless it is null. No address need be aligned. The
// caller has checked the operation. Only operations that compare or mask use
// `operand`.
void Combine(uint32_t operation, uint32_t datatype, std::byte* target,
             const std::byte* source, size_t bytes, const void* operand,
             std::byte* old);

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_ARITHMETIC_H_
