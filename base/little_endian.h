// Loads and stores numbers in messages: little-endian, at any address.
#ifndef BASE_LITTLE_ENDIAN_H_
#define BASE_LITTLE_ENDIAN_H_

#include <bit>
#include <cstddef>
#include <cstring>

namespace gasnet {

static_assert(std::endian::native == std::endian::little,
              "LoadNumber and StoreNumber have to swap bytes here");

template <class Number>
[[gnu::always_inline]] inline Number LoadNumber(const std::byte* from) {
  Number number;
  std::memcpy(&number, from, sizeof(number));
  return number;
}

template <class Number>
[[gnu::always_inline]] inline void StoreNumber(std::byte* to, Number number) {
  std::memcpy(to, &number, sizeof(number));
}

}  // namespace gasnet

#endif  // BASE_LITTLE_ENDIAN_H_
