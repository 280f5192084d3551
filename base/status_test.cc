#include "base/status.h"

#include <errno.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <sstream>
#include <string>

namespace gasnet {
namespace {

std::string Shown(const Status& status) {
  std::ostringstream out;
  out << status;
  return out.str();
}

TEST(StatusTest, OneThatNobodyMadeFailIsOk) {
  EXPECT_TRUE(Status().ok());
  EXPECT_TRUE(OkStatus().ok());
  EXPECT_EQ(OkStatus().message(), "");
  EXPECT_EQ(Shown(OkStatus()), "OK");
}

TEST(StatusTest, EveryKindOfFailureIsOneAndKeepsItsMessage) {
  const Status failures[] = {
      InvalidArgumentError("m"),    NotFoundError("m"),
      PermissionDeniedError("m"),   ResourceExhaustedError("m"),
      FailedPreconditionError("m"), AbortedError("m"),
      OutOfRangeError("m"),         UnimplementedError("m"),
      InternalError("m"),           UnavailableError("m"),
      DataLossError("m"),           {StatusCode::kUnknown, "m"},
  };
  for (const Status& failure : failures) {
    EXPECT_FALSE(failure.ok()) << failure;
    EXPECT_EQ(failure.message(), "m") << failure;
    EXPECT_EQ(IsNotFound(failure), Shown(failure) == "NOT_FOUND: m");
    EXPECT_EQ(IsPermissionDenied(failure),
              Shown(failure) == "PERMISSION_DENIED: m");
    for (const Status& other : failures) {
      EXPECT_EQ(failure.code() == other.code(), &failure == &other) << failure;
      EXPECT_EQ(Shown(failure) == Shown(other), &failure == &other) << failure;
    }
  }
}

TEST(StatusTest, AnErrorOfTheSystemSaysWhatItIs) {
  const Status failure = ErrnoToStatus(ENOSPC, "writing x");
  EXPECT_EQ(failure.message(), "writing x: No space left on device");
  EXPECT_EQ(failure.code(), StatusCode::kUnknown);
  EXPECT_TRUE(IsNotFound(ErrnoToStatus(ENOENT, "")));
  EXPECT_TRUE(IsPermissionDenied(ErrnoToStatus(EACCES, "")));
  EXPECT_TRUE(IsPermissionDenied(ErrnoToStatus(EPERM, "")));
}

TEST(StatusTest, UpdateKeepsTheFirstFailure) {
  Status status;
  status.Update(OkStatus());
  EXPECT_TRUE(status.ok());
  status.Update(AbortedError("first"));
  status.Update(InternalError("second"));
  status.Update(OkStatus());
  EXPECT_EQ(Shown(status), "ABORTED: first");
}

TEST(StatusOrTest, HasWhatItWasMadeOf) {
  StatusOr<std::string> text("text");
  ASSERT_TRUE(text.ok());
  EXPECT_TRUE(text.status().ok());
  EXPECT_EQ(*text, "text");
  EXPECT_EQ(text->size(), 4);
  text = NotFoundError("gone");
  EXPECT_FALSE(text.ok());
  EXPECT_EQ(Shown(text.status()), "NOT_FOUND: gone");
  text = std::string("back");
  EXPECT_EQ(text.value(), "back");
  EXPECT_TRUE(text.status().ok());
}

TEST(StatusOrTest, MovesWhatCannotBeCopied) {
  StatusOr<std::unique_ptr<int>> number = std::make_unique<int>(7);
  ASSERT_TRUE(number.ok());
  EXPECT_EQ(**number, 7);
  const std::unique_ptr<int> moved = *std::move(number);
  EXPECT_EQ(*moved, 7);
}

TEST(StatusOrTest, NothingIsAValueWhereItIsOptional) {
  const StatusOr<std::optional<int>> nothing = std::nullopt;
  ASSERT_TRUE(nothing.ok());
  EXPECT_FALSE(nothing->has_value());
}

TEST(StatusOrDeathTest, TheValueOfAFailureIsFatal) {
  const StatusOr<int> failure = AbortedError("it rained");
  EXPECT_DEATH((void)*failure, "value of a failure.*it rained");
  EXPECT_DEATH((void)failure.value(), "value of a failure.*it rained");
}

TEST(StatusOrDeathTest, AFailureMustBeOne) {
  EXPECT_DEATH((void)StatusOr<int>(OkStatus()), "failure .* is none");
}

}  // namespace
}  // namespace gasnet
