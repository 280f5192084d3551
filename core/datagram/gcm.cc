#include "core/datagram/gcm.h"

#include "base/log.h"

#if defined(__x86_64__)

#include <intel-ipsec-mb.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>

#include "core/datagram/ciphers.h"
#include "core/datagram/gmac.h"
#include "core/datagram/packet.h"
#include "core/datagram/tuning.h"

namespace gasnet::datagram {
namespace {

const unsigned char* In(const std::byte* bytes) {
  return reinterpret_cast<const unsigned char*>(bytes);
}
unsigned char* Out(std::byte* bytes) {
  return reinterpret_cast<unsigned char*>(bytes);
}

// The library's functions for one kind of processor. A key must be expanded to
// the format that these functions read.
struct Functions {
  aes_gcm_pre_t expand = nullptr;  // null without AES instructions
  aes_gcm_enc_dec_t seal = nullptr;
  aes_gcm_enc_dec_t open = nullptr;
  aes_gmac_init_t begin_tag = nullptr;
  aes_gmac_update_t add_to_tag = nullptr;
  aes_gmac_finalize_t end_tag = nullptr;
  keyexp_t expand_rounds = nullptr;

  static Functions Of(const IMB_MGR& manager) {
    return {manager.gcm256_pre,     manager.gcm256_enc,
            manager.gcm256_dec,     manager.gmac256_init,
            manager.gmac256_update, manager.gmac256_finalize,
            manager.keyexp_256};
  }
};

// The fastest functions for this processor. Functions with the widest vectors
// serve only large packets, since they take 12 ns longer for small packets.
struct Best {
  Functions large;
  Functions small;
  bool prefers_gmac = false;  // Gmac is faster than `large`

  static const Best& Get() {
    static const Best best = Find();
    return best;
  }

 private:
  // Finds the fastest functions. Then frees the library's manager object of 200
  // KiB, because these functions do not need it.
  static Best Find() {
    const Ciphers& ciphers = GetCiphers();
    IMB_MGR* const manager = ciphers.alloc_manager(0);
    if (manager == nullptr) Fatal("ipsec-mb cannot be initialised");
    IMB_ARCH chosen;
    ciphers.init_best(manager, &chosen);
    constexpr uint64_t kNeeded = IMB_FEATURE_AESNI | IMB_FEATURE_PCLMULQDQ;
    Best found;
    if ((manager->features & kNeeded) == kNeeded) {
      RequireTested(*manager);
      found.large = found.small = Functions::Of(*manager);
      if (chosen >= IMB_ARCH_AVX512) {
        ciphers.init_avx2(manager);
        RequireTested(*manager);
        found.small = Functions::Of(*manager);
      } else {
        // Later versions of the library have such a kernel of their own.
        found.prefers_gmac =
            IMB_VERSION_NUM < IMB_VERSION(2, 0, 0) && Gmac::IsAvailable();
      }
    }
    ciphers.free_manager(manager);
    return found;
  }
  static void RequireTested(const IMB_MGR& manager) {
    if ((manager.features & IMB_FEATURE_SELF_TEST_PASS) == 0) {
      Fatal("ipsec-mb does not pass its own test on this processor");
    }
  }
};

// The address passed for empty ranges, because the library refuses null
// pointers.
unsigned char nowhere[1];

// Compares tags in constant time. sodium_memcmp would take a quarter as long as
// the computation of a tag.
bool AreSame(const unsigned char* expected, const std::byte* tag) {
  static_assert(kTagBytes == 16);
  uint64_t a[2];
  uint64_t b[2];
  std::memcpy(a, expected, kTagBytes);
  std::memcpy(b, tag, kTagBytes);
  return ((a[0] ^ b[0]) | (a[1] ^ b[1])) == 0;
}

// A key that is expanded for one set of functions. The vector loads of these
// functions require the alignment.
struct Expanded {
  Expanded(const Functions& best, const unsigned char* raw) : functions(best) {
    functions.expand(raw, &key);
  }
  ~Expanded() { explicit_bzero(&key, sizeof key); }
  Expanded(const Expanded&) = delete;
  Expanded& operator=(const Expanded&) = delete;

  const Functions functions;
  alignas(64) gcm_key_data key;
};

}  // namespace

struct Gcm::Keys {
  Keys(const unsigned char* raw, bool uses_gmac)
      : small(Best::Get().small, raw), large(Best::Get().large, raw) {
    if (uses_gmac) MakeGmac(raw);
  }

  const Expanded& For(size_t bytes) const {
    return bytes <= kSmallTag ? small : large;
  }
  // Returns null if For() serves packets of this size faster.
  const Gmac* GmacFor(size_t bytes) const {
    return gmac.has_value() && bytes >= kMinGmac ? &*gmac : nullptr;
  }

  Expanded small;
  Expanded large;
  std::optional<Gmac> gmac;

 private:
  void MakeGmac(const unsigned char* raw) {
    // The library's vector stores require the alignment.
    alignas(16) Gmac::RoundKeys encrypt;
    alignas(16) Gmac::RoundKeys decrypt;
    Best::Get().large.expand_rounds(raw, encrypt.data(), decrypt.data());
    gmac.emplace(encrypt);
    explicit_bzero(&encrypt, sizeof encrypt);
    explicit_bzero(&decrypt, sizeof decrypt);
  }
};

void Gcm::Free::operator()(Keys* keys) const { delete keys; }

bool Gcm::IsAvailable() { return Best::Get().large.expand != nullptr; }

bool Gcm::PrefersGmac() { return Best::Get().prefers_gmac; }

Gcm::Gcm(const unsigned char* key, bool uses_gmac) {
  if (!IsAvailable()) {
    Fatal("this processor cannot do AES-256-GCM, which the job uses");
  }
  keys_.reset(new Keys(key, uses_gmac));
}

void Gcm::Seal(ConstBytes secret, std::byte* out, std::byte* tag,
               ConstBytes open, const std::byte* nonce) const {
  if (secret.empty()) {
    if (const Gmac* const gmac = keys_->GmacFor(open.size())) {
      return gmac->Tag({open}, nonce, Out(tag));
    }
  }
  const Expanded& with = keys_->For(secret.size() + open.size());
  gcm_context_data context;
  const bool hides = !secret.empty();
  with.functions.seal(&with.key, &context, hides ? Out(out) : nowhere,
                      hides ? In(secret.data()) : nowhere, secret.size(),
                      In(nonce), In(open.data()), open.size(), Out(tag),
                      kTagBytes);
}

void Gcm::Tag(std::byte* tag, const Outgoing& open,
              const std::byte* nonce) const {
  if (const Gmac* const gmac = keys_->GmacFor(open.size())) {
    return gmac->Tag(open, nonce, Out(tag));
  }
  const Expanded& with = keys_->For(open.size());
  gcm_context_data context;
  with.functions.begin_tag(&with.key, &context, In(nonce), 12);
  for (const ConstBytes part : {open.head, open.body}) {
    with.functions.add_to_tag(&with.key, &context, In(part.data()),
                              part.size());
  }
  with.functions.end_tag(&with.key, &context, Out(tag), kTagBytes);
}

bool Gcm::Open(MutableBytes secret, const std::byte* tag, ConstBytes open,
               const std::byte* nonce) const {
  std::array<unsigned char, kTagBytes> expected;
  if (secret.empty()) {
    if (const Gmac* const gmac = keys_->GmacFor(open.size())) {
      gmac->Tag({open}, nonce, expected.data());
      return AreSame(expected.data(), tag);
    }
  }
  const Expanded& with = keys_->For(secret.size() + open.size());
  gcm_context_data context;
  unsigned char* const bytes = secret.empty() ? nowhere : Out(secret.data());
  with.functions.open(&with.key, &context, bytes, bytes, secret.size(),
                      In(nonce), In(open.data()), open.size(), expected.data(),
                      expected.size());
  return AreSame(expected.data(), tag);
}

}  // namespace gasnet::datagram

#else

namespace gasnet::datagram {

// These versions are used if ipsec-mb does not support this kind of processor.
void Gcm::Free::operator()(Keys*) const {}
bool Gcm::IsAvailable() { return false; }
bool Gcm::PrefersGmac() { return false; }
Gcm::Gcm(const unsigned char*, bool) {
  Fatal("this processor cannot do AES-256-GCM, which the job uses");
}
void Gcm::Seal(ConstBytes, std::byte*, std::byte*, ConstBytes,
               const std::byte*) const {}
void Gcm::Tag(std::byte*, const Outgoing&, const std::byte*) const {}
bool Gcm::Open(MutableBytes, const std::byte*, ConstBytes,
               const std::byte*) const {
  return false;
}

}  // namespace gasnet::datagram

#endif
