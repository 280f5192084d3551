#include "core/datagram/large_gcm.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include "base/log.h"
#include "core/datagram/packet.h"

namespace gasnet::datagram {
namespace {

const unsigned char* In(const std::byte* bytes) {
  return reinterpret_cast<const unsigned char*>(bytes);
}
unsigned char* Out(std::byte* bytes) {
  return reinterpret_cast<unsigned char*>(bytes);
}

// None of these can fail but for lack of memory or a broken library.
void Require(int result) {
  if (result != 1) Fatal("AES-256-GCM of the system's OpenSSL does not work");
}

int LengthOf(ConstBytes bytes) { return static_cast<int>(bytes.size()); }

}  // namespace

void LargeGcm::Free::operator()(evp_cipher_ctx_st* context) const {
  EVP_CIPHER_CTX_free(context);
}

LargeGcm::LargeGcm(const unsigned char* key)
    : sealing_(EVP_CIPHER_CTX_new()), opening_(EVP_CIPHER_CTX_new()) {
  // Other threads seal to the very end of the process.
  Require(OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, nullptr));
  Require(sealing_ != nullptr && opening_ != nullptr ? 1 : 0);
  const EVP_CIPHER* const cipher = EVP_aes_256_gcm();
  Require(EVP_EncryptInit_ex(sealing_.get(), cipher, nullptr, key, nullptr));
  Require(EVP_DecryptInit_ex(opening_.get(), cipher, nullptr, key, nullptr));
}

void LargeGcm::Seal(ConstBytes secret, std::byte* out, std::byte* tag,
                    ConstBytes open, const std::byte* nonce) {
  EVP_CIPHER_CTX* const c = sealing_.get();
  int length;
  Require(EVP_EncryptInit_ex(c, nullptr, nullptr, nullptr, In(nonce)));
  Require(
      EVP_EncryptUpdate(c, nullptr, &length, In(open.data()), LengthOf(open)));
  if (!secret.empty()) {
    Require(EVP_EncryptUpdate(c, Out(out), &length, In(secret.data()),
                              LengthOf(secret)));
  }
  Require(EVP_EncryptFinal_ex(c, Out(tag), &length));
  Require(EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_GCM_GET_TAG, kTagBytes, tag));
}

bool LargeGcm::Open(MutableBytes secret, const std::byte* tag, ConstBytes open,
                    const std::byte* nonce) {
  EVP_CIPHER_CTX* const c = opening_.get();
  int length;
  Require(EVP_DecryptInit_ex(c, nullptr, nullptr, nullptr, In(nonce)));
  Require(
      EVP_DecryptUpdate(c, nullptr, &length, In(open.data()), LengthOf(open)));
  unsigned char* const s = Out(secret.data());
  if (!secret.empty()) {
    Require(EVP_DecryptUpdate(c, s, &length, s, LengthOf(secret)));
  }
  Require(EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_GCM_SET_TAG, kTagBytes,
                              const_cast<std::byte*>(tag)));
  unsigned char nothing[16];
  return EVP_DecryptFinal_ex(c, nothing, &length) == 1;
}

}  // namespace gasnet::datagram
