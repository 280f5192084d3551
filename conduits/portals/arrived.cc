#include "conduits/portals/arrived.h"

#include <cstring>

#include "base/log.h"
#include "conduits/portals/tuning.h"

namespace gasnet::portals_conduit {
namespace {

uint64_t Load(const std::byte* at) {
  uint64_t value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

const char* ReadOffer(uint64_t bits, Arrived& arrived) {
  arrived.offer = static_cast<uint32_t>(bits >> 32);
  arrived.nbytes = static_cast<uint32_t>(bits);
  if (arrived.offer >= kLanes * kOffersEach) return "it names no offer";
  if (arrived.nbytes == 0 || arrived.nbytes > kFetchedBytes) {
    return "its payload has a length that no fetched one has";
  }
  return nullptr;
}

void ReadArgs(const PortalsHeader& header, const std::byte* body,
              Arrived& arrived) {
  const unsigned first = FirstArgInBody(header.shape);
  if (first > 0) arrived.args[0] = static_cast<int32_t>(header.word);
  if (header.num_args > first) {
    std::memcpy(arrived.args.data() + first, body,
                (header.num_args - first) * sizeof(int32_t));
  }
}

}  // namespace

const char* Read(const PortalsHeader& header, std::byte* body, size_t nbytes,
                 const Segment& segment, Arrived& arrived) {
  const bool is_in_place =
      header.form == Form::kInPlace && header.shape == MessageShape::kLong;
  if (header.form != Form::kMessage && !is_in_place) {
    return "it is no message";
  }
  if (header.num_args > am::kMaxArgs) return "it has more than 16 arguments";
  const BodyLayout layout = BodyLayout::Of(header.shape, header.num_args,
                                           header.payload, header.is_fetched);
  if (layout.end != nbytes) return "it has a length that no message has";
  const bool has_payload = header.payload > 0 || header.is_fetched;
  if (has_payload && !HasPayload(header.shape)) {
    return "it has a payload, but no message of its kind has one";
  }
  if (header.payload > 0 && header.is_fetched) return "it has two payloads";
  arrived.header = header;
  ReadArgs(header, body, arrived);
  if (header.shape == MessageShape::kShort) return nullptr;
  if (header.is_fetched) {
    const char* const why = ReadOffer(Load(body + layout.size), arrived);
    if (why != nullptr) return why;
  }
  if (header.shape == MessageShape::kMedium) {
    if (header.is_fetched) return nullptr;
    arrived.payload = body + layout.payload;
    arrived.nbytes = header.payload;
    return nullptr;
  }
  const bool packed = header.shape == MessageShape::kPackedLong;
  if (!header.is_fetched) {
    arrived.nbytes = packed ? header.payload : Load(body + layout.size);
  }
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
  if (arrived.header.shape == MessageShape::kShort)
    category = am::Category::kShort;
  if (arrived.header.shape == MessageShape::kMedium)
    category = am::Category::kMedium;
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

}  // namespace gasnet::portals_conduit
