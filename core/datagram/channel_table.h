// The channels of a rank: one pointer for each peer. The pointer is null if the
// rank and the peer never communicated. The table also has the list of channels
// that need attention. It counts the peers that currently send to this rank and
// thus share the socket's buffer. Used under the lock of the channels.
#ifndef CORE_DATAGRAM_CHANNEL_TABLE_H_
#define CORE_DATAGRAM_CHANNEL_TABLE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/datagram/channel.h"
#include "core/datagram/path_size.h"
#include "core/datagram/tuning.h"
#include "core/lane.h"
#include "core/rank.h"

namespace gasnet::datagram {

class ChannelTable {
 public:
  ChannelTable(uint32_t ranks, size_t receive_window_bytes,
               const PathSizes& sizes)
      : receive_window_(receive_window_bytes),
        sizes_(sizes),
        channels_(ranks) {}

  Channel& To(Rank peer) {
    std::unique_ptr<Channel>& channel = channels_[peer];
    if (channel == nullptr) [[unlikely]] {
      channel = std::make_unique<Channel>(peer, sizes_);
      // The peer's first packet replaces this value.
      channel->peer_window = receive_window_ / 2;
      ++made_;
    }
    return *channel;
  }
  // Returns the channel of the peer, or null if this rank and the peer never
  // communicated.
  Channel* Find(Rank peer) const { return channels_[peer].get(); }
  size_t made() const { return made_; }
  uint32_t ranks() const { return static_cast<uint32_t>(channels_.size()); }

  // Adds a channel to the list of those that need attention.
  void Activate(Channel& channel) {
    if (channel.active) return;
    channel.active = true;
    channel.next_active = active_;
    active_ = &channel;
  }

  // Calls visit with every active channel. Channels that are idle afterwards
  // leave the list.
  template <class Visit>
  void ForActive(Visit visit) {
    for (Channel** link = &active_; *link != nullptr;) {
      Channel& channel = **link;
      visit(channel);
      if (channel.IsIdle()) {
        channel.active = false;
        *link = channel.next_active;
      } else {
        link = &channel.next_active;
      }
    }
  }
  template <class Visit>
  void ForAll(Visit visit) {
    for (const auto& channel : channels_) {
      if (channel != nullptr) visit(*channel);
    }
  }

  // Returns true if this rank owes any peer an acknowledgement.
  bool OwesAny() const {
    return std::any_of(channels_.begin(), channels_.end(), [](const auto& c) {
      return c != nullptr && c->owed_packets > 0;
    });
  }

  // Records that the channel's peer has sent something. A time earlier than the
  // latest one counts as the latest.
  void NoteSender(Channel& channel, int64_t now) {
    const int64_t epoch = now / kShareEpoch + 1;
    if (epoch > epoch_) {
      senders_before_ = epoch == epoch_ + 1 ? senders_ : 0;
      senders_ = 0;
      epoch_ = epoch;
    }
    if (channel.epoch == static_cast<uint32_t>(epoch_)) return;
    channel.epoch = static_cast<uint32_t>(epoch_);
    ++senders_;
    window_to_offer_ = ShareOf(std::max(senders_, senders_before_));
  }

  // Returns the number of KiB that a peer may have in flight to this rank in
  // each lane.
  uint16_t WindowToOffer() const { return window_to_offer_; }

 private:
  uint16_t ShareOf(size_t senders) const {
    return static_cast<uint16_t>(std::clamp<size_t>(
        receive_window_ / kLanes / senders / 1024, 1, 0xffff));
  }

  const size_t receive_window_;
  const PathSizes& sizes_;
  std::vector<std::unique_ptr<Channel>> channels_;
  size_t made_ = 0;
  Channel* active_ = nullptr;
  int64_t epoch_ = 0;
  uint32_t senders_ = 0;
  uint32_t senders_before_ = 0;
  uint16_t window_to_offer_ = ShareOf(1);
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_CHANNEL_TABLE_H_
