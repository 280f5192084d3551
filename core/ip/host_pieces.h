// An exchange of one text for each host among the ranks of a job. To keep the
// messages small, each rank of a host sends a piece of the host's text.
//
// In a first gather each rank sends the length and fingerprint of its host's
// text. In a second gather, a rank sends a piece if its length and fingerprint
// are the same as on its host's first rank. All ranks compute the same results.
#ifndef CORE_IP_HOST_PIECES_H_
#define CORE_IP_HOST_PIECES_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gasnet::ip {

// The length and fingerprint of a host's text, as computed by one rank.
// Trivially copyable.
struct TextHead {
  uint64_t fingerprint = 0;
  uint64_t bytes = 0;
};

TextHead HeadOf(std::string_view text);

class HostPieces {
 public:
  // host_of: the hosts are numbered densely, in the order of their first ranks.
  // heads: by rank.
  HostPieces(std::span<const uint32_t> host_of,
             std::span<const TextHead> heads);

  // Returns the number of bytes that every rank sends: the size of the largest
  // piece.
  size_t piece_bytes() const { return piece_bytes_; }
  std::string PieceOf(uint32_t rank, std::string_view text) const;

  // Returns the texts, indexed by host, from the concatenated pieces of all
  // ranks.
  std::vector<std::string> Join(std::string_view pieces) const;

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  std::span<const uint32_t> host_of_;
  std::vector<size_t> text_bytes_;  // indexed by host
  // number of each rank's piece; kNone if it sends none
  std::vector<uint32_t> number_;
  size_t piece_bytes_ = 0;
};

}  // namespace gasnet::ip

#endif  // CORE_IP_HOST_PIECES_H_
