// 64-bit values in the 32-bit arguments of active messages, low half first.
#ifndef EXTENDED_WIRE_H_
#define EXTENDED_WIRE_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/am/message.h"
#include "extended/operation.h"
#include "extended/reply_check.h"

namespace gasnet::extended {

inline int32_t Low(uint64_t value) {
  return static_cast<int32_t>(static_cast<uint32_t>(value));
}
inline int32_t High(uint64_t value) {
  return static_cast<int32_t>(static_cast<uint32_t>(value >> 32));
}
inline uint64_t Join(int32_t low, int32_t high) {
  return static_cast<uint64_t>(static_cast<uint32_t>(high)) << 32 |
         static_cast<uint32_t>(low);
}

inline int32_t Low(const void* address) {
  return Low(reinterpret_cast<uintptr_t>(address));
}
inline int32_t High(const void* address) {
  return High(reinterpret_cast<uintptr_t>(address));
}

// Return the two arguments of a transfer's id.
inline int32_t Index(const Transfer& transfer) {
  return static_cast<int32_t>(transfer.index);
}
inline int32_t Generation(const Transfer& transfer) {
  return static_cast<int32_t>(transfer.Generation());
}
inline TransferId Id(int32_t index, int32_t generation) {
  return {static_cast<uint32_t>(index), static_cast<uint32_t>(generation)};
}

// Make messages. The caller keeps the arguments valid until the send is done.
template <size_t N>
am::Message Short(uint8_t handler, const std::array<int32_t, N>& args) {
  return {.category = am::Category::kShort,
          .handler = handler,
          .num_args = N,
          .args = args.data()};
}
template <size_t N>
am::Message Medium(uint8_t handler, const std::array<int32_t, N>& args,
                   const void* payload, size_t nbytes) {
  return {.category = am::Category::kMedium,
          .handler = handler,
          .num_args = N,
          .args = args.data(),
          .payload = payload,
          .nbytes = nbytes};
}
template <size_t N>
am::Message Long(uint8_t handler, const std::array<int32_t, N>& args,
                 const void* payload, size_t nbytes, void* dest_addr,
                 am::Loan* loan) {
  return {.category = am::Category::kLong,
          .handler = handler,
          .num_args = N,
          .args = args.data(),
          .payload = payload,
          .nbytes = nbytes,
          .dest_addr = dest_addr,
          .loan = loan};
}

}  // namespace gasnet::extended

#endif  // EXTENDED_WIRE_H_
