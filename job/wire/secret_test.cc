#include "job/wire/secret.h"

#include <errno.h>
#include <unistd.h>

#include <string>

#include "gtest/gtest.h"

namespace gasnet::job {
namespace {

TEST(SecretTest, NoTwoAreTheSame) {
  const auto one = Secret::Generate();
  const auto other = Secret::Generate();
  ASSERT_TRUE(one.ok() && other.ok());
  EXPECT_NE(one->key(), other->key());
  EXPECT_TRUE(one->Matches(one->proof()));
  EXPECT_FALSE(one->Matches(other->proof()));
  EXPECT_FALSE(one->Matches(one->proof().substr(1)));
  EXPECT_FALSE(one->Matches(""));
}

// The proof is public, so it must reveal nothing of the key.
TEST(SecretTest, TheProofIsNotAPartOfTheKey) {
  const auto secret = Secret::Generate();
  ASSERT_TRUE(secret.ok());
  EXPECT_EQ(secret->proof().size(), Secret::kProofBytes);
  EXPECT_EQ(secret->key().size(), Secret::kKeyBytes);
  EXPECT_EQ(std::string(secret->proof()) + std::string(secret->key()),
            secret->bytes());
  EXPECT_FALSE(secret->Matches(secret->key().substr(0, Secret::kProofBytes)));
  EXPECT_FALSE(secret->Matches(secret->bytes()));
}

TEST(SecretTest, TravelsInADescriptorThatCannotBeWritten) {
  const auto secret = Secret::Generate();
  const auto fd = secret->ToDescriptor();
  ASSERT_TRUE(fd.ok()) << fd.status();
  for (int reader = 0; reader < 2; ++reader) {
    const auto read = Secret::ReadFrom(fd->get());
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(secret->bytes(), read->bytes());
  }
  EXPECT_EQ(write(fd->get(), "x", 1), -1);
  EXPECT_EQ(errno, EBADF);
}

TEST(SecretTest, AnEmptyDescriptorIsAnError) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_FALSE(Secret::ReadFrom(ends[0]).ok());
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace gasnet::job
