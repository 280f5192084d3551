// An IPv4 or IPv6 address and a port.
#ifndef CORE_IP_ADDRESS_H_
#define CORE_IP_ADDRESS_H_

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gasnet::ip {

// Trivially copyable, so that ranks can gather addresses. The size is 28 bytes.
class Address {
 public:
  Address() : v6_{} {}

  // Converts a socket address. Returns nothing if its family is neither IPv4
  // nor IPv6.
  static std::optional<Address> From(const sockaddr* address);
  // Takes 4 or 16 bytes in network order. Returns nothing for any other number
  // of bytes.
  static std::optional<Address> FromBytes(std::string_view bytes);
  // Parses "192.0.2.7" or "2001:db8::7", without a port.
  static std::optional<Address> Parse(std::string_view text);

  const sockaddr* get() const {
    return reinterpret_cast<const sockaddr*>(&v6_);
  }
  sockaddr* get() { return reinterpret_cast<sockaddr*>(&v6_); }
  socklen_t size() const {
    return family() == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
  }
  sa_family_t family() const { return get()->sa_family; }

  uint16_t port() const;
  void SetPort(uint16_t port);

  // Returns the address without its port: 4 or 16 bytes in network order.
  std::string_view bytes() const;
  bool IsLoopback() const;
  bool IsLinkLocal() const;
  // Returns the family and the first `bits` bits of the address, as bytes. Two
  // results are equal exactly if the addresses share that prefix.
  std::string Prefix(unsigned bits) const;
  // Returns true if the first `bits` bits of both addresses are the same.
  bool SharesPrefix(const Address& other, unsigned bits) const;
  bool SameHost(const Address& other) const {
    return family() == other.family() && bytes() == other.bytes();
  }

  // Returns the address as text, without its port.
  std::string ToString() const;

 private:
  sockaddr_in& v4() { return *reinterpret_cast<sockaddr_in*>(&v6_); }
  const sockaddr_in& v4() const {
    return *reinterpret_cast<const sockaddr_in*>(&v6_);
  }

  sockaddr_in6 v6_;
};

static_assert(sizeof(Address) == 28);

}  // namespace gasnet::ip

#endif  // CORE_IP_ADDRESS_H_
