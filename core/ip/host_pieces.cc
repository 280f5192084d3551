#include "core/ip/host_pieces.h"

#include <algorithm>
#include <functional>

namespace gasnet::ip {

TextHead HeadOf(std::string_view text) {
  return {std::hash<std::string_view>()(text), text.size()};
}

HostPieces::HostPieces(std::span<const uint32_t> host_of,
                       std::span<const TextHead> heads)
    : host_of_(host_of) {
  std::vector<TextHead> firsts;
  std::vector<uint32_t> senders;
  for (size_t rank = 0; rank < host_of.size(); ++rank) {
    const uint32_t host = host_of[rank];
    if (host == firsts.size()) {
      firsts.push_back(heads[rank]);
      text_bytes_.push_back(heads[rank].bytes);
      senders.push_back(0);
    }
    const bool same = heads[rank].fingerprint == firsts[host].fingerprint &&
                      heads[rank].bytes == firsts[host].bytes;
    number_.push_back(same ? senders[host]++ : kNone);
  }
  for (size_t host = 0; host < text_bytes_.size(); ++host) {
    piece_bytes_ = std::max(
        piece_bytes_, (text_bytes_[host] + senders[host] - 1) / senders[host]);
  }
}

std::string HostPieces::PieceOf(uint32_t rank, std::string_view text) const {
  std::string piece;
  if (number_[rank] != kNone) {
    const size_t begin = std::min(text.size(), number_[rank] * piece_bytes_);
    piece = text.substr(begin, piece_bytes_);
  }
  piece.resize(piece_bytes_);
  return piece;
}

std::vector<std::string> HostPieces::Join(std::string_view pieces) const {
  std::vector<std::string> texts(text_bytes_.size());
  for (size_t rank = 0; rank < host_of_.size(); ++rank) {
    const uint32_t host = host_of_[rank];
    if (number_[rank] == kNone) continue;
    const size_t missing = text_bytes_[host] - texts[host].size();
    texts[host] +=
        pieces.substr(rank * piece_bytes_, std::min(missing, piece_bytes_));
  }
  return texts;
}

}  // namespace gasnet::ip
