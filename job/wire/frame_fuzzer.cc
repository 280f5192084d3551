// libFuzzer: feeds arbitrary bytes, in pieces, to the parser of a control
// channel and to every decoder.
#include <stdlib.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "job/wire/frame.h"
#include "job/wire/member_messages.h"
#include "job/wire/messages.h"
#include "job/wire/note.h"
#include "job/wire/proven_reader.h"
#include "job/wire/secret.h"

namespace gasnet::job {
namespace {

void Decode(std::string_view payload) {
  Hello hello;
  Welcome welcome;
  GatherPart part;
  End end;
  MemberHello member;
  SharedMemoryPlace place;
  Note note;
  int32_t code;
  std::vector<uint32_t> numbers;
  DecodeHello(payload, hello);
  DecodeWelcome(payload, welcome);
  DecodeGather(payload, part);
  DecodeExit(payload, code);
  DecodeEnd(payload, end);
  DecodeLeft(payload, numbers);
  DecodeMemberHello(payload, member);
  DecodePlace(payload, place);
  DecodeNote(payload, note);
}

void Feed(const FrameLimits& limits, std::string_view bytes, size_t piece) {
  FrameReader reader(limits);
  while (!bytes.empty()) {
    reader.Append(bytes.substr(0, piece));
    bytes.remove_prefix(std::min(piece, bytes.size()));
    for (Frame frame; reader.Next(frame) == FrameReader::Result::kFrame;) {
      Decode(frame.payload);
    }
  }
}

// Reads the bytes as if they came from a stranger. The secret is all zeros, so
// that the fuzzer can find the right proof.
void FeedStranger(const FrameLimits& limits, std::string_view bytes,
                  size_t piece) {
  const std::string zeros(Secret::kBytes, '\0');
  ProvenReader reader(limits, Secret::FromBytes(zeros));
  auto result = ProvenReader::Result::kNeedMore;
  while (!bytes.empty() && result == ProvenReader::Result::kNeedMore) {
    const size_t most = std::min({piece, bytes.size(), reader.Appetite()});
    if (most == 0) abort();
    reader.Append(bytes.substr(0, most));
    bytes.remove_prefix(most);
    Frame frame;
    while ((result = reader.Next(frame)) == ProvenReader::Result::kFrame) {
      Decode(frame.payload);
    }
  }
}

}  // namespace
}  // namespace gasnet::job

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace gasnet::job;
  if (size == 0) return 0;
  const size_t piece = 1 + data[0] % 64;
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1),
                               size - 1);
  Decode(bytes);
  for (const FrameLimits* limits :
       {&LimitsBeforeHello(), &LimitsAfterHello(), &LimitsBeforeWelcome(),
        &LimitsAfterWelcome(), &LimitsBeforeMember(), &LimitsAfterMember(),
        &LimitsOfMember()}) {
    Feed(*limits, bytes, piece);
  }
  for (const FrameLimits* limits :
       {&LimitsBeforeHello(), &LimitsBeforeMember()}) {
    FeedStranger(*limits, bytes, piece);
  }
  return 0;
}
