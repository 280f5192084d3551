#include "conduits/portals/arrived.h"

#include <cstring>

#include "base/log.h"

namespace gasnet::portals {
namespace {

uint64_t Load(const std::byte* at) {
  uint64_t value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

void ReadArgs(const Header& header, const std::byte* body, Arrived& arrived) {
  const unsigned first = FirstArgInBody(header.shape);
  if (first > 0) arrived.args[0] = static_cast<int32_t>(header.word);
  if (header.num_args > first) {
    std::memcpy(arrived.args.data() + first, body,
                (header.num_args - first) * sizeof(int32_t));
  }
}

}  // namespace

const char* Read(const Header& header, std::byte* body, size_t nbytes,
                 const Segment& segment, Arrived& arrived) {
  const bool is_in_place =
      header.form == Form::kInPlace && header.shape == Shape::kLong;
  if (header.form != Form::kMessage && !is_in_place) {
    return "it is no message";
  }
  if (header.num_args > am::kMaxArgs) return "it has more than 16 arguments";
  const BodyLayout layout =
      BodyLayout::Of(header.shape, header.num_args, header.payload);
  if (layout.end != nbytes) return "it is as long as none";
  if (header.payload > 0 && !HasPayload(header.shape)) {
    return "it has a payload, which none of its kind has";
  }
  arrived.header = header;
  ReadArgs(header, body, arrived);
  if (header.shape == Shape::kShort) return nullptr;
  if (header.shape == Shape::kMedium) {
    arrived.payload = body + layout.payload;
    arrived.nbytes = header.payload;
    return nullptr;
  }
  const bool packed = header.shape == Shape::kPackedLong;
  arrived.nbytes = packed ? header.payload : Load(body + layout.size);
  arrived.payload = reinterpret_cast<std::byte*>(Load(body + layout.dest));
  if (arrived.nbytes > 0 &&
      !segment.Contains(arrived.payload, arrived.nbytes)) {
    return "its payload is outside of this rank's segment";
  }
  if (header.payload > 0) {
    std::memcpy(arrived.payload, body + layout.payload, header.payload);
  }
  return nullptr;
}

am::Incoming IncomingOf(Rank source, Lane lane, const Arrived& arrived) {
  am::Category category = am::Category::kLong;
  if (arrived.header.shape == Shape::kShort) category = am::Category::kShort;
  if (arrived.header.shape == Shape::kMedium) category = am::Category::kMedium;
  return {.source = source,
          .lane = lane,
          .category = category,
          .handler = arrived.header.handler,
          .num_args = arrived.header.num_args,
          .args = arrived.args.data(),
          .payload = arrived.payload,
          .nbytes = arrived.nbytes,
          .endpoint = arrived.header.endpoint,
          .across = arrived.header.across};
}

void Malformed(Rank source, const char* what, const char* why) {
  Fatal("malformed %s from rank %u: %s", what, source, why);
}

}  // namespace gasnet::portals
