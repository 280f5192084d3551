#include "core/ip/address.h"

#include <arpa/inet.h>

#include <cstring>

namespace gasnet::ip {

std::optional<Address> Address::From(const sockaddr* address) {
  if (address == nullptr) return std::nullopt;
  if (address->sa_family != AF_INET && address->sa_family != AF_INET6) {
    return std::nullopt;
  }
  Address result;
  result.get()->sa_family = address->sa_family;
  std::memcpy(&result.v6_, address, result.size());
  return result;
}

std::optional<Address> Address::Parse(std::string_view text) {
  const std::string copy(text);
  Address result;
  if (inet_pton(AF_INET, copy.c_str(), &result.v4().sin_addr) == 1) {
    result.get()->sa_family = AF_INET;
    return result;
  }
  if (inet_pton(AF_INET6, copy.c_str(), &result.v6_.sin6_addr) == 1) {
    result.get()->sa_family = AF_INET6;
    return result;
  }
  return std::nullopt;
}

std::optional<Address> Address::FromBytes(std::string_view bytes) {
  Address result;
  if (bytes.size() == sizeof(in_addr)) {
    result.get()->sa_family = AF_INET;
    std::memcpy(&result.v4().sin_addr, bytes.data(), bytes.size());
    return result;
  }
  if (bytes.size() != sizeof(in6_addr)) return std::nullopt;
  result.get()->sa_family = AF_INET6;
  std::memcpy(&result.v6_.sin6_addr, bytes.data(), bytes.size());
  return result;
}

uint16_t Address::port() const {
  return ntohs(family() == AF_INET ? v4().sin_port : v6_.sin6_port);
}

void Address::SetPort(uint16_t port) {
  (family() == AF_INET ? v4().sin_port : v6_.sin6_port) = htons(port);
}

std::string_view Address::bytes() const {
  if (family() == AF_INET) {
    return {reinterpret_cast<const char*>(&v4().sin_addr), 4};
  }
  return {reinterpret_cast<const char*>(&v6_.sin6_addr), 16};
}

bool Address::IsLoopback() const {
  if (family() == AF_INET) return bytes()[0] == 127;
  return IN6_IS_ADDR_LOOPBACK(&v6_.sin6_addr);
}

bool Address::IsLinkLocal() const {
  if (family() == AF_INET) return bytes().substr(0, 2) == "\xa9\xfe";
  return IN6_IS_ADDR_LINKLOCAL(&v6_.sin6_addr);
}

bool Address::SharesPrefix(const Address& other, unsigned bits) const {
  if (family() != other.family()) return false;
  const std::string_view a = bytes();
  const std::string_view b = other.bytes();
  if (bits > a.size() * 8) return false;
  const size_t whole = bits / 8;
  if (a.substr(0, whole) != b.substr(0, whole)) return false;
  if (bits % 8 == 0) return true;
  const auto difference = static_cast<uint8_t>(a[whole] ^ b[whole]);
  return difference >> (8 - bits % 8) == 0;
}

std::string Address::Prefix(unsigned bits) const {
  const std::string_view all = bytes();
  std::string prefix(all.substr(0, (bits + 7) / 8));
  if (bits % 8 != 0 && prefix.size() * 8 > bits) {
    prefix.back() = static_cast<char>(prefix.back() & (0xff << (8 - bits % 8)));
  }
  prefix += static_cast<char>(bits);
  prefix += static_cast<char>(all.size());
  return prefix;
}

std::string Address::ToString() const {
  char text[INET6_ADDRSTRLEN];
  const void* const from = bytes().data();
  return inet_ntop(family(), from, text, sizeof text) == nullptr ? "?" : text;
}

}  // namespace gasnet::ip
