#include "core/datagram/gcm.h"

#include "base/log.h"

#if defined(__x86_64__)

#include <intel-ipsec-mb.h>
#include <sodium.h>

#include <array>
#include <new>

#include "core/datagram/packet.h"

namespace gasnet::datagram {
namespace {

const unsigned char* In(const std::byte* bytes) {
  return reinterpret_cast<const unsigned char*>(bytes);
}
unsigned char* Out(std::byte* bytes) {
  return reinterpret_cast<unsigned char*>(bytes);
}

// The library's functions for this processor.
struct Functions {
  aes_gcm_pre_t expand = nullptr;  // null: it has no AES instructions
  aes_gcm_enc_dec_t seal = nullptr;
  aes_gcm_enc_dec_t open = nullptr;
  aes_gmac_init_t begin_tag = nullptr;
  aes_gmac_update_t add_to_tag = nullptr;
  aes_gmac_finalize_t end_tag = nullptr;

  static const Functions& Get() {
    static const Functions functions = Find();
    return functions;
  }

 private:
  // The manager, 200 KiB, is for other uses of the library.
  static Functions Find() {
    IMB_MGR* const manager = alloc_mb_mgr(0);
    if (manager == nullptr) Fatal("ipsec-mb cannot be initialised");
    IMB_ARCH chosen;
    init_mb_mgr_auto(manager, &chosen);
    constexpr uint64_t kNeeded = IMB_FEATURE_AESNI | IMB_FEATURE_PCLMULQDQ;
    Functions found;
    if ((manager->features & kNeeded) == kNeeded) {
      if ((manager->features & IMB_FEATURE_SELF_TEST_PASS) == 0) {
        Fatal("ipsec-mb does not pass its own test on this processor");
      }
      found.expand = manager->gcm256_pre;
      found.seal = manager->gcm256_enc;
      found.open = manager->gcm256_dec;
      found.begin_tag = manager->gmac256_init;
      found.add_to_tag = manager->gmac256_update;
      found.end_tag = manager->gmac256_finalize;
    }
    free_mb_mgr(manager);
    return found;
  }
};

// Its vector loads want this.
constexpr std::align_val_t kKeyAlignment{64};

// It asks for places that are not null, also for nothing.
unsigned char nowhere[1];

}  // namespace

void Gcm::Free::operator()(gcm_key_data* key) const {
  sodium_memzero(key, sizeof *key);
  ::operator delete(key, kKeyAlignment);
}

bool Gcm::IsAvailable() { return Functions::Get().expand != nullptr; }

Gcm::Gcm(const unsigned char* key)
    : key_(static_cast<gcm_key_data*>(
          ::operator new(sizeof(gcm_key_data), kKeyAlignment))) {
  if (!IsAvailable()) {
    Fatal("this processor cannot do AES-256-GCM, which the job uses");
  }
  Functions::Get().expand(key, key_.get());
}

void Gcm::Seal(ConstBytes secret, std::byte* out, std::byte* tag,
               ConstBytes open, const std::byte* nonce) const {
  gcm_context_data context;
  const bool hides = !secret.empty();
  Functions::Get().seal(key_.get(), &context, hides ? Out(out) : nowhere,
                        hides ? In(secret.data()) : nowhere, secret.size(),
                        In(nonce), In(open.data()), open.size(), Out(tag),
                        kTagBytes);
}

void Gcm::Tag(std::byte* tag, const Outgoing& open,
              const std::byte* nonce) const {
  const Functions& functions = Functions::Get();
  gcm_context_data context;
  functions.begin_tag(key_.get(), &context, In(nonce), 12);
  for (const ConstBytes part : {open.head, open.body}) {
    functions.add_to_tag(key_.get(), &context, In(part.data()), part.size());
  }
  functions.end_tag(key_.get(), &context, Out(tag), kTagBytes);
}

bool Gcm::Open(MutableBytes secret, const std::byte* tag, ConstBytes open,
               const std::byte* nonce) const {
  gcm_context_data context;
  std::array<unsigned char, kTagBytes> expected;
  unsigned char* const bytes = secret.empty() ? nowhere : Out(secret.data());
  Functions::Get().open(key_.get(), &context, bytes, bytes, secret.size(),
                        In(nonce), In(open.data()), open.size(),
                        expected.data(), expected.size());
  return sodium_memcmp(expected.data(), tag, kTagBytes) == 0;
}

}  // namespace gasnet::datagram

#else

namespace gasnet::datagram {

// There is no ipsec-mb for this processor.
void Gcm::Free::operator()(gcm_key_data*) const {}
bool Gcm::IsAvailable() { return false; }
Gcm::Gcm(const unsigned char*) {
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
