// Reads packets of arbitrary bytes with a valid tag. The reader must touch no
// memory outside the packet. packet_fuzzer_test also runs this fuzzer over the
// corpus.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/am/assembly.h"
#include "core/am/fragment.h"
#include "core/am/records.h"
#include "core/datagram/packet.h"
#include "core/datagram/pieces.h"
#include "core/datagram/receive_window.h"

namespace gasnet::datagram {
namespace {

// Reads all data that a record claims to contain.
void Touch(const am::Record& record, uint32_t length) {
  volatile unsigned sum = 0;
  for (unsigned i = 0; i < record.num_args; ++i) {
    sum = sum + static_cast<unsigned>(record.args[i]);
  }
  for (uint32_t i = 0; i < length; ++i) {
    sum = sum + static_cast<unsigned>(record.payload[i]);
  }
}

// Assembles a Medium as the receiver does. Skips Longs, which need a segment.
void Assemble(const am::FragmentRecord& record) {
  if (record.category != am::Category::kMedium) return;
  am::AssemblyStore store(0);
  am::Assembly* begun = nullptr;
  for (int i = 0; i < 2; ++i) {
    const am::AssemblyStore::Taken taken =
        store.Take(begun, record, 0, am::Lane::kRequest, true);
    if (taken.complete != nullptr) store.Release(taken.complete);
  }
  store.ReleaseAll(begun);
}

void ReadFragment(MutableBytes packet) {
  am::FragmentRecord record;
  if (!am::DecodeFragment(packet, kHeaderBytes, record)) return;
  Touch(record, record.fragment.length);
  Assemble(record);
}

void ReadRecords(MutableBytes packet) {
  am::RecordReader reader(packet, kHeaderBytes);
  for (am::Record record;
       reader.Next(record) == am::RecordReader::Result::kRecord;) {
    Touch(record, record.payload_sent ? 0 : record.nbytes);
  }
}

// Joins pieces, with the usual sizes of datagrams.
void Join(ConstBytes packet) {
  PieceStore store(1200, 8928, 0);
  Piece piece;
  if (!DecodePiece(packet, piece) || !store.IsSound(piece)) return;
  JoinedPacket* const joined = store.Find(0, 1, piece, true);
  if (joined == nullptr) return;
  joined->Add(piece);
  joined->Add(piece);
}

void Register(const PacketHeader& header) {
  ReceiveWindow window;
  for (const Acks& acks : header.acks) acks.Covers(header.sequence);
  if (window.Judge(header.sequence) == ReceiveWindow::Verdict::kNew) {
    window.Register(header.sequence);
  }
}

}  // namespace
}  // namespace gasnet::datagram

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace gasnet::datagram;
  // Allocates exactly `size` bytes, aligned like a port's memory.
  std::vector<std::byte> packet(size);
  if (size > 0) std::memcpy(packet.data(), data, size);
  PacketHeader header;
  if (!DecodeHeader(packet, header)) return 0;
  Register(header);
  Join(packet);
  if (gasnet::am::IsFragment(packet, kHeaderBytes)) {
    ReadFragment(packet);
  } else {
    ReadRecords(packet);
  }
  return 0;
}
