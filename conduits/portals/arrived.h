// A message that has come, as its header and body say, and its checks.
#ifndef CONDUITS_PORTALS_ARRIVED_H_
#define CONDUITS_PORTALS_ARRIVED_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "conduits/portals/header.h"
#include "core/am/message.h"
#include "core/rank.h"
#include "core/segment.h"

namespace gasnet::portals {

struct Arrived {
  Header header;
  std::array<int32_t, am::kMaxArgs> args;
  // Of a Long its place in this rank's segment.
  std::byte* payload = nullptr;
  size_t nbytes = 0;
};

// The bytes may be anything. Answers null, or why they cannot be a message. The
// payload of a packed Long is put in its place.
const char* Read(const Header& header, std::byte* body, size_t nbytes,
                 const Segment& segment, Arrived& arrived);

// For the dispatcher; `arrived` stays until the handler has run.
am::Incoming IncomingOf(Rank source, Lane lane, const Arrived& arrived);

// Ends the job: a message from `source` cannot be. what: "request"
[[noreturn, gnu::cold, gnu::noinline]] void Malformed(Rank source,
                                                      const char* what,
                                                      const char* why);

}  // namespace gasnet::portals

#endif  // CONDUITS_PORTALS_ARRIVED_H_
