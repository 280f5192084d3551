#include "core/datagram/description.h"

#include <algorithm>
#include <cinttypes>
#include <cstdarg>
#include <cstdio>

namespace gasnet::datagram {
namespace {

const char* NameOf(Drop reason) {
  switch (reason) {
    case Drop::kSize:
      return "too short or too long";
    case Drop::kForged:
      return "wrong tag";
    case Drop::kHeader:
      return "wrong header";
    case Drop::kTarget:
      return "for another rank";
    case Drop::kSource:
      return "from no other rank";
    case Drop::kMalformed:
      return "malformed messages";
    case Drop::kDuplicate:
      return "duplicate";
    case Drop::kTooFar:
      return "too far ahead";
    case Drop::kNoRoom:
      return "no room";
  }
  return "unknown reason";
}

}  // namespace

Description::Description(const DatagramStatistics& statistics,
                         uint64_t lost_in_port) {
  Begin("sent");
  Add("messages", statistics.messages_sent);
  Add("packets", statistics.packets_sent);
  AddUnlessZero("acknowledgements", statistics.acks_sent);
  Begin("received");
  Add("messages", statistics.messages_delivered);
  Add("packets", statistics.packets_received);
  AddUnlessZero("messages served for a client that computed",
                statistics.unattended);
  Begin("repeated");
  AddUnlessZero("packets", statistics.retransmissions);
  AddUnlessZero("time-outs", statistics.timeouts);
  AddUnlessZero("probes", statistics.probes);
  Begin("dropped");
  for (size_t i = 0; i < kDropReasons; ++i) {
    AddUnlessZero(NameOf(static_cast<Drop>(i)), statistics.dropped[i]);
  }
  AddUnlessZero("socket full", lost_in_port);
}

void Description::Begin(const char* group) { group_ = group; }

void Description::Add(const char* name, uint64_t count) {
  if (group_ != nullptr) {
    Append("%s%s: ", length_ == 0 ? "" : "; ", group_);
    group_ = nullptr;
  } else {
    Append(", ");
  }
  Append("%s %" PRIu64, name, count);
}

void Description::Append(const char* format, ...) {
  va_list args;
  va_start(args, format);
  const size_t room = text_.size() - length_;
  const int wanted = vsnprintf(text_.data() + length_, room, format, args);
  va_end(args);
  length_ += std::min<size_t>(std::max(wanted, 0), room - 1);
}

}  // namespace gasnet::datagram
