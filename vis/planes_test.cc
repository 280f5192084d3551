// Tests that packets copy rows as planes correctly.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "vis/packet.h"
#include "vis/packet_writer.h"

namespace gasnet::vis {
namespace {

using Bytes = std::vector<std::byte>;

// Rows as in a transposition. Packets copy such rows as planes. Each row in
// turn may end the plane: it begins at another distance or has another form.
class PlanesTest : public ::testing::TestWithParam<unsigned> {
 protected:
  static constexpr size_t kRoom = 40000;
  static constexpr ptrdiff_t kStride = 4096;

  struct Form {
    size_t at;
    ptrdiff_t stride;
    size_t run, count;
  };

  PlanesTest() : memory_(kRoom), far_(300 * kStride), near_(kRoom) {
    std::minstd_rand random(GetParam());
    for (std::byte& byte : far_) byte = static_cast<std::byte>(random());
    Form form = {0, kStride, 8, 40};
    for (size_t i = 0; i < 40; ++i) {
      form.at += 8;
      switch (random() % 20) {
        case 0:
          form.at = random() % 1000;
          break;
        case 1:
          form.stride = form.stride == kStride ? 5000 : kStride;
          break;
        case 2:
          form.run = form.run == 8 ? 16 : 8;
          break;
        case 3:
          form.count = form.count == 40 ? 33 : 40;
          break;
        default:
          break;
      }
      rows_.push_back(form);
      for (size_t k = 0; k < form.count; ++k) {
        const auto from = far_.begin() + static_cast<ptrdiff_t>(form.at) +
                          Steps(k, form.stride);
        wanted_.insert(wanted_.end(), from, from + form.run);
      }
    }
  }

  static uint64_t Address(Bytes& bytes, size_t at) {
    return reinterpret_cast<uintptr_t>(bytes.data() + at);
  }

  Bytes memory_, far_, near_, wanted_;
  std::vector<Form> rows_;
};

TEST_P(PlanesTest, APutBringsThem) {
  PacketWriter writer(memory_.data(), kRoom, kRoom, true, true);
  size_t done = 0;
  for (const Form& row : rows_) {
    ASSERT_EQ(
        writer.AddRow({Address(near_, done), static_cast<ptrdiff_t>(row.run),
                       row.run, row.count},
                      far_.data() + row.at, row.stride),
        row.count);
    done += row.run * row.count;
  }
  writer.Close();
  Bytes sent(writer.size());
  writer.GatherTo(sent.data());
  VisPacket packet(sent, true);
  ASSERT_EQ(packet.Check({Address(near_, 0), near_.size()}, kRoom).why,
            nullptr);
  packet.Scatter();
  near_.resize(done);
  EXPECT_EQ(near_, wanted_);
}

TEST_P(PlanesTest, AGetBringsThem) {
  PacketWriter writer(memory_.data(), kRoom, kRoom, false, true);
  for (const Form& row : rows_) {
    ASSERT_EQ(
        writer.AddRow({Address(far_, row.at), row.stride, row.run, row.count},
                      nullptr, 0),
        row.count);
  }
  writer.Close();
  Bytes sent(writer.size());
  writer.GatherTo(sent.data());
  VisPacket packet(sent, false);
  ASSERT_EQ(packet.Check({Address(far_, 0), far_.size()}, kRoom).why, nullptr);
  Bytes got(packet.data());
  packet.GatherTo(got.data());
  EXPECT_EQ(got, wanted_);
}

INSTANTIATE_TEST_SUITE_P(Seeds, PlanesTest, ::testing::Range(1u, 21u));

}  // namespace
}  // namespace gasnet::vis
