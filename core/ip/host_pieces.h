// How the ranks of a job exchange something about their hosts without every
// rank sending it all: the ranks of a host share the text among them.
//
// In a first gather each says how long its host's text is, and its fingerprint;
// in a second one those that have the same as the first rank of their host each
// send a piece. All ranks compute the same from what was gathered.
#ifndef CORE_IP_HOST_PIECES_H_
#define CORE_IP_HOST_PIECES_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gasnet::ip {

// Of a host's text, as one of its ranks has it. Trivially copyable.
struct TextHead {
  uint64_t fingerprint = 0;
  uint64_t bytes = 0;
};

TextHead HeadOf(std::string_view text);

class HostPieces {
 public:
  // host_of: dense, in the order of the hosts' first ranks. heads: by rank.
  HostPieces(std::span<const uint32_t> host_of,
             std::span<const TextHead> heads);

  // The bytes that every rank sends; as many as the largest piece has.
  size_t piece_bytes() const { return piece_bytes_; }
  std::string PieceOf(uint32_t rank, std::string_view text) const;

  // By host, from the pieces of all ranks, one after the other.
  std::vector<std::string> Join(std::string_view pieces) const;

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  std::span<const uint32_t> host_of_;
  std::vector<size_t> text_bytes_;  // by host
  std::vector<uint32_t> number_;    // by rank: of its piece; kNone: sends none
  size_t piece_bytes_ = 0;
};

}  // namespace gasnet::ip

#endif  // CORE_IP_HOST_PIECES_H_
