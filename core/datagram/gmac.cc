#include "core/datagram/gmac.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#include <algorithm>
#include <cstring>

// The instructions of the functions below. IsAvailable() is called first.
#define GASNETI_WIDE __attribute__((target("aes,avx2,pclmul,vpclmulqdq")))
#define GASNETI_WIDE_INLINE GASNETI_WIDE __attribute__((always_inline)) inline

namespace gasnet::datagram {
namespace {

// The field's polynomial in the order of bits that these functions use: the
// coefficients of a block's bytes, reversed.
constexpr uint64_t kPolynomial = 0xC200000000000000;

// The sum of products that are not reduced yet, of 256 bits.
struct Sum {
  __m128i low;
  __m128i high;
};

GASNETI_WIDE_INLINE __m128i Load(const unsigned char* block) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(block));
}
GASNETI_WIDE_INLINE __m256i LoadTwo(const unsigned char* blocks) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(blocks));
}
GASNETI_WIDE_INLINE void Store(__m128i value, unsigned char* block) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(block), value);
}

GASNETI_WIDE_INLINE __m128i ReversedOrder() {
  return _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}
// Returns the elements of blocks of a packet.
GASNETI_WIDE_INLINE __m128i Element(__m128i block) {
  return _mm_shuffle_epi8(block, ReversedOrder());
}
GASNETI_WIDE_INLINE __m256i Elements(__m256i blocks) {
  return _mm256_shuffle_epi8(blocks,
                             _mm256_broadcastsi128_si256(ReversedOrder()));
}

// Exchanges the halves of an element.
GASNETI_WIDE_INLINE __m128i Swapped(__m128i element) {
  return _mm_shuffle_epi32(element, 0x4E);
}

// Reduces a sum modulo the field's polynomial, in two steps of 64 bits.
GASNETI_WIDE_INLINE __m128i Reduce(const Sum& sum) {
  const __m128i polynomial =
      _mm_set_epi64x(static_cast<int64_t>(kPolynomial), 1);
  __m128i low = sum.low;
  for (int step = 0; step < 2; ++step) {
    const __m128i multiple = _mm_clmulepi64_si128(low, polynomial, 0x10);
    low = _mm_xor_si128(Swapped(low), multiple);
  }
  return _mm_xor_si128(low, sum.high);
}

GASNETI_WIDE_INLINE __m128i Product(__m128i a, __m128i b) {
  const __m128i middle = _mm_xor_si128(_mm_clmulepi64_si128(a, b, 0x01),
                                       _mm_clmulepi64_si128(a, b, 0x10));
  return Reduce({_mm_xor_si128(_mm_clmulepi64_si128(a, b, 0x00),
                               _mm_slli_si128(middle, 8)),
                 _mm_xor_si128(_mm_clmulepi64_si128(a, b, 0x11),
                               _mm_srli_si128(middle, 8))});
}

// Returns the element multiplied by x, as all powers of H are stored: the
// product of two reversed elements lacks one shift.
GASNETI_WIDE_INLINE __m128i TimesX(__m128i element) {
  const __m128i carries = _mm_srli_epi64(element, 63);
  const __m128i shifted =
      _mm_or_si128(_mm_slli_epi64(element, 1), _mm_slli_si128(carries, 8));
  // All bits are set if the shift has lost a bit. No branch depends on it.
  const __m128i lost =
      _mm_sub_epi64(_mm_setzero_si128(), _mm_unpackhi_epi64(carries, carries));
  return _mm_xor_si128(
      shifted, _mm_and_si128(
                   lost, _mm_set_epi64x(static_cast<int64_t>(kPolynomial), 1)));
}

GASNETI_WIDE void EncryptBlock(const Gmac::RoundKeys& keys,
                               const unsigned char* from, unsigned char* to) {
  __m128i state = _mm_xor_si128(Load(from), Load(keys[0].data()));
  for (size_t round = 1; round < keys.size() - 1; ++round) {
    state = _mm_aesenc_si128(state, Load(keys[round].data()));
  }
  Store(_mm_aesenclast_si128(state, Load(keys.back().data())), to);
}

// Multiplies `count` pairs of blocks by pairs of powers, and adds the products.
// `before` is added to the first block.
GASNETI_WIDE_INLINE __m128i AddPairs(__m128i before,
                                     const unsigned char* blocks, size_t count,
                                     const unsigned char* powers,
                                     const unsigned char* halves) {
  __m256i low = _mm256_setzero_si256();
  __m256i high = low;
  __m256i middle = low;
  // The first pair comes last, since `before` is known last.
#pragma GCC unroll 8
  for (size_t left = count; left-- > 0;) {
    __m256i pair = Elements(LoadTwo(blocks + 32 * left));
    if (left == 0)
      pair = _mm256_xor_si256(pair, _mm256_zextsi128_si256(before));
    const __m256i power = LoadTwo(powers + 32 * left);
    const __m256i half = LoadTwo(halves + 32 * left);
    const __m256i sum =
        _mm256_xor_si256(pair, _mm256_shuffle_epi32(pair, 0x4E));
    low = _mm256_xor_si256(low, _mm256_clmulepi64_epi128(pair, power, 0x00));
    high = _mm256_xor_si256(high, _mm256_clmulepi64_epi128(pair, power, 0x11));
    middle =
        _mm256_xor_si256(middle, _mm256_clmulepi64_epi128(sum, half, 0x00));
  }
  // Karatsuba: three multiplications in place of four.
  middle = _mm256_xor_si256(middle, _mm256_xor_si256(low, high));
  low = _mm256_xor_si256(low, _mm256_slli_si256(middle, 8));
  high = _mm256_xor_si256(high, _mm256_srli_si256(middle, 8));
  return Reduce({_mm_xor_si128(_mm256_castsi256_si128(low),
                               _mm256_extracti128_si256(low, 1)),
                 _mm_xor_si128(_mm256_castsi256_si128(high),
                               _mm256_extracti128_si256(high, 1))});
}

}  // namespace

bool Gmac::IsAvailable() {
  return __builtin_cpu_supports("aes") && __builtin_cpu_supports("avx2") &&
         __builtin_cpu_supports("pclmul") &&
         __builtin_cpu_supports("vpclmulqdq");
}

Gmac::Gmac(const RoundKeys& keys) : keys_(keys) { ComputePowers(); }

GASNETI_WIDE void Gmac::ComputePowers() {
  alignas(16) std::array<unsigned char, kBlock> zero{};
  EncryptBlock(keys_, zero.data(), zero.data());
  const __m128i h = TimesX(Element(Load(zero.data())));
  explicit_bzero(zero.data(), zero.size());
  __m128i power = h;
  for (size_t index = kAtOnce; index-- > 0;) {
    Store(power, powers_[index].data());
    Store(_mm_xor_si128(power, Swapped(power)), halves_[index].data());
    power = Product(power, h);
  }
}

Gmac::~Gmac() {
  explicit_bzero(&keys_, sizeof keys_);
  explicit_bzero(&powers_, sizeof powers_);
  explicit_bzero(&halves_, sizeof halves_);
}

// The polynomial so far, and the blocks that continue it.
class Gmac::Hash {
 public:
  explicit Hash(const Gmac& gmac) : gmac_(gmac) {}

  GASNETI_WIDE_INLINE void Add(const unsigned char* blocks, size_t count) {
    for (; count >= kAtOnce; count -= kAtOnce, blocks += kAtOnce * kBlock) {
      value_ = AddPairs(value_, blocks, kAtOnce / 2, gmac_.powers_[0].data(),
                        gmac_.halves_[0].data());
    }
    if (count % 2 != 0) {
      value_ = Product(_mm_xor_si128(value_, Element(Load(blocks))),
                       Load(gmac_.powers_.back().data()));
      blocks += kBlock;
      --count;
    }
    if (count == 0) return;
    value_ = AddPairs(value_, blocks, count / 2,
                      gmac_.powers_[kAtOnce - count].data(),
                      gmac_.halves_[kAtOnce - count].data());
  }
  // Adds bytes that end the packet or fill a block, padded with zeros.
  GASNETI_WIDE_INLINE void AddPadded(const unsigned char* bytes, size_t count) {
    if (count == 0) return;
    std::array<unsigned char, kBlock> block{};
    std::memcpy(block.data(), bytes, count);
    Add(block.data(), 1);
  }
  GASNETI_WIDE_INLINE __m128i value() const { return value_; }

 private:
  const Gmac& gmac_;
  __m128i value_{};
};

GASNETI_WIDE void Gmac::Tag(const Outgoing& open, const std::byte* nonce,
                            unsigned char* tag) const {
  const auto* head = reinterpret_cast<const unsigned char*>(open.head.data());
  const auto* body = reinterpret_cast<const unsigned char*>(open.body.data());
  size_t body_bytes = open.body.size();
  Hash hash(*this);
  hash.Add(head, open.head.size() / kBlock);
  // The block in which the body begins.
  const size_t rest = open.head.size() % kBlock;
  if (rest != 0) {
    std::array<unsigned char, kBlock> joint{};
    std::memcpy(joint.data(), head + open.head.size() - rest, rest);
    const size_t filled = std::min(kBlock - rest, body_bytes);
    if (filled > 0) std::memcpy(joint.data() + rest, body, filled);
    hash.Add(joint.data(), 1);
    body += filled;
    body_bytes -= filled;
  }
  hash.Add(body, body_bytes / kBlock);
  hash.AddPadded(body + body_bytes / kBlock * kBlock, body_bytes % kBlock);
  // The last block has the number of bits of what is not encrypted, and of what
  // is encrypted: nothing.
  std::array<unsigned char, kBlock> block{};
  const uint64_t bits = __builtin_bswap64(open.size() * 8);
  std::memcpy(block.data(), &bits, sizeof bits);
  hash.Add(block.data(), 1);

  block = {};
  std::memcpy(block.data(), nonce, 12);
  block[kBlock - 1] = 1;
  EncryptBlock(keys_, block.data(), block.data());
  Store(_mm_xor_si128(Element(hash.value()), Load(block.data())), tag);
  // With the tag, the encrypted nonce would reveal the hash, and so H.
  explicit_bzero(block.data(), block.size());
}

}  // namespace gasnet::datagram

#else

#include "base/log.h"

namespace gasnet::datagram {

// These versions are used if this kind of processor has other instructions.
bool Gmac::IsAvailable() { return false; }
Gmac::Gmac(const RoundKeys&) { Fatal("this processor has no VPCLMULQDQ"); }
Gmac::~Gmac() = default;
void Gmac::Tag(const Outgoing&, const std::byte*, unsigned char*) const {}

}  // namespace gasnet::datagram

#endif
