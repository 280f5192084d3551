// A get of more bytes than 32 bits can count. Its last pieces are small, and
// must arrive at their place in the stream. The source is one megabyte that is
// read over and over. The destination is one megabyte of pages that are mapped
// over and over. So the test needs little memory.
#include <gasnet_vis.h>
#include <sys/mman.h>
#include <unistd.h>

#include <vector>

#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr size_t kBlock = size_t{1} << 20;
constexpr size_t kBlocks = 4097;  // more than 4 GiB
constexpr size_t kPieces = 100;
constexpr size_t kPiece = 7;
constexpr size_t kStep = 10;    // bytes between piece starts, locally
constexpr size_t kFrom = 1000;  // bytes between piece starts at the source

gasnet_node_t Next() { return (gasnet_mynode() + 1) % gasnet_nodes(); }

// Maps the addresses of all blocks to the memory of one block.
char* MapBlocks() {
  void* const all = mmap(nullptr, kBlocks * kBlock, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  CHECK(all != MAP_FAILED);
  const int file = memfd_create("blocks", MFD_CLOEXEC);
  CHECK(file >= 0);
  CHECK_EQ(ftruncate(file, kBlock), 0);
  char* const blocks = static_cast<char*>(all);
  for (size_t i = 0; i < kBlocks; ++i) {
    CHECK(mmap(blocks + i * kBlock, kBlock, PROT_READ | PROT_WRITE,
               MAP_SHARED | MAP_FIXED, file, 0) != MAP_FAILED);
  }
  CHECK_EQ(close(file), 0);
  return blocks;
}

void GetAll(char* blocks, std::vector<char>& pieces) {
  std::vector<gasnet_memvec_t> from, to;
  to.push_back({blocks, kBlocks * kBlock});
  for (size_t i = 0; i < kBlocks; ++i) {
    from.push_back({SharedMemory(Next()), kBlock});
  }
  for (size_t i = 0; i < kPieces; ++i) {
    from.push_back({SharedMemory(Next()) + i * kFrom, kPiece});
    to.push_back({&pieces[i * kStep], kPiece});
  }
  gasnet_getv_bulk(to.size(), to.data(), Next(), from.size(), from.data());
}

void Check(const char* blocks, const std::vector<char>& pieces) {
  CHECK_PATTERN(blocks, kBlock, Next());
  for (size_t i = 0; i < kPieces; ++i) {
    for (size_t byte = 0; byte < kStep; ++byte) {
      const char wanted = byte < kPiece ? blocks[i * kFrom + byte] : 'g';
      CHECK_EQ(pieces[i * kStep + byte], wanted);
    }
  }
}

void Run() {
  FillPattern(SharedMemory(gasnet_mynode()), kBlock, gasnet_mynode());
  Barrier();
  // Only node 0 runs the test: the mapping needs many page tables, and all
  // nodes at once would use too much memory for them.
  if (gasnet_mynode() == 0) {
    char* const blocks = MapBlocks();
    std::vector<char> pieces(kPieces * kStep, 'g');
    GetAll(blocks, pieces);
    Check(blocks, pieces);
    CHECK_EQ(munmap(blocks, kBlocks * kBlock), 0);
  }
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::StartJob(&argc, &argv, nullptr, 0, conformance::kBlock);
  conformance::Run();
  return conformance::FinishJob();
}
