#include "job/note.h"

#include "job/wire.h"

namespace gasnet::job {

std::string EncodeNote(FrameType type, const Note& note) {
  WireWriter out;
  out.U32(note.rank);
  out.U32(note.value);
  out.Raw(note.bytes);
  return EncodeFrame(type, out.Take());
}

std::string EncodeNoteHead(FrameType type, size_t size) {
  const FrameHeader header =
      EncodeFrameHeader(type, static_cast<uint32_t>(kNoteBytes + size));
  return std::string(header.data(), header.size()) +
         std::string(kNoteBytes, '\0');
}

bool DecodeNote(std::string_view payload, Note& note) {
  WireReader in(payload);
  note.rank = in.U32();
  note.value = in.U32();
  note.bytes = in.Raw(in.remaining());
  return in.Complete();
}

}  // namespace gasnet::job
