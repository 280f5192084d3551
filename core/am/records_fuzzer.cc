// Reads frames of arbitrary bytes. The reader must touch no memory outside the
// frame. records_fuzzer_test also runs this fuzzer over the corpus.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/am/records.h"

namespace gasnet::am {
namespace {

// The size of the network's header in front of the corpus's records.
constexpr size_t kBegin = 8;

// Reads all data that the record describes.
void Touch(const Record& record) {
  volatile unsigned sum = 0;
  for (unsigned i = 0; i < record.num_args; ++i) {
    sum = sum + static_cast<unsigned>(record.args[i]);
  }
  for (uint32_t i = 0; i < record.nbytes && !record.payload_sent; ++i) {
    sum = sum + static_cast<unsigned>(record.payload[i]);
  }
}

}  // namespace
}  // namespace gasnet::am

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace gasnet::am;
  // Allocates exactly `size` bytes, with the alignment of a network's frame.
  std::vector<std::byte> frame(size);
  if (size > 0) std::memcpy(frame.data(), data, size);
  RecordReader reader(frame, kBegin);
  for (Record record; reader.Next(record) == RecordReader::Result::kRecord;) {
    Touch(record);
  }
  return 0;
}
