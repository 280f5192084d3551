#include "core/ip/interfaces.h"

#include <gtest/gtest.h>

#include <vector>

#include "absl/status/statusor.h"

namespace gasnet::ip {
namespace {

TEST(InterfacesTest, FindsThoseOfThisHost) {
  const absl::StatusOr<std::vector<HostInterface>> found = LocalInterfaces();
  ASSERT_TRUE(found.ok());
  ASSERT_FALSE(found->empty());
  for (const HostInterface& interface : *found) {
    EXPECT_FALSE(interface.Name().empty());
    EXPECT_GT(interface.mtu, 0u);
    EXPECT_TRUE(Selects(interface.Name(), interface));
    EXPECT_TRUE(Selects(interface.address.ToString(), interface));
  }
}

}  // namespace
}  // namespace gasnet::ip
