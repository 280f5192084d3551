#include "job/wire/reached.h"

#include "gtest/gtest.h"

namespace gasnet::job {
namespace {

TEST(ReachedTest, ReadsWhatAnSshServerTells) {
  const Reached v4 = ParseSshConnection("192.0.2.1 50000 192.0.2.7 22");
  EXPECT_EQ(v4.from, "192.0.2.1");
  EXPECT_EQ(v4.at, "192.0.2.7");
  const Reached v6 = ParseSshConnection("2001:db8::1 50000 2001:db8::7 22");
  EXPECT_EQ(v6.from, "2001:db8::1");
  EXPECT_EQ(v6.at, "2001:db8::7");
}

TEST(ReachedTest, WhatIsNoAddressIsUnknown) {
  for (const char* text :
       {"", "192.0.2.1 1 192.0.2.7", "UNKNOWN 1 UNKNOWN 2",
        "fe80::1%eth0 1 fe80::2%eth0 22", "a,rank=1 1 b=2 22", "1 2 3 4 5"}) {
    const Reached reached = ParseSshConnection(text);
    EXPECT_EQ(reached.from, "") << text;
    EXPECT_EQ(reached.at, "") << text;
  }
}

}  // namespace
}  // namespace gasnet::job
