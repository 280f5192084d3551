// How set-up and control say that something failed: a Status, or a StatusOr
// where there is a value otherwise. Neither is for the message path.
//
// The names are those of Abseil, which a library for clients cannot contain:
// see docs/STYLE.md, "Dependencies". A failure has a kind, for the few callers
// that treat one kind in another way, and a message for the user.
#ifndef BASE_STATUS_H_
#define BASE_STATUS_H_

#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace gasnet {

enum class StatusCode {
  kOk,
  kUnknown,
  kInvalidArgument,
  kNotFound,
  kPermissionDenied,
  kResourceExhausted,
  kFailedPrecondition,
  kAborted,
  kOutOfRange,
  kUnimplemented,
  kInternal,
  kUnavailable,
  kDataLoss,
  kDeadlineExceeded,
};

class [[nodiscard]] Status {
 public:
  // Success.
  Status() = default;

  Status(StatusCode code, std::string_view message)
      : code_(code), message_(message) {}

  bool ok() const { return code_ == StatusCode::kOk; }
  StatusCode code() const { return code_; }
  std::string_view message() const { return message_; }

  // Of several steps the first that failed counts.
  void Update(Status later) {
    if (ok()) *this = std::move(later);
  }

  // Says that the caller has looked, or need not.
  void IgnoreError() const {}

 private:
  StatusCode code_ = StatusCode::kOk;
  std::string message_;
};

// For messages of tests: `OK`, or the kind and the message.
std::ostream& operator<<(std::ostream& out, const Status& status);

inline Status OkStatus() { return {}; }
Status InvalidArgumentError(std::string_view message);
Status NotFoundError(std::string_view message);
Status PermissionDeniedError(std::string_view message);
Status ResourceExhaustedError(std::string_view message);
Status FailedPreconditionError(std::string_view message);
Status AbortedError(std::string_view message);
Status OutOfRangeError(std::string_view message);
Status UnimplementedError(std::string_view message);
Status InternalError(std::string_view message);
Status UnavailableError(std::string_view message);
Status DataLossError(std::string_view message);
Status DeadlineExceededError(std::string_view message);

// `MESSAGE: what the system says of ERROR`, an errno. The kind is kNotFound or
// kPermissionDenied where the error means that, and kUnknown otherwise.
Status ErrnoToStatus(int error, std::string_view message);

inline bool IsNotFound(const Status& status) {
  return status.code() == StatusCode::kNotFound;
}
inline bool IsPermissionDenied(const Status& status) {
  return status.code() == StatusCode::kPermissionDenied;
}
inline bool IsUnavailable(const Status& status) {
  return status.code() == StatusCode::kUnavailable;
}
inline bool IsDeadlineExceeded(const Status& status) {
  return status.code() == StatusCode::kDeadlineExceeded;
}

namespace internal {
// Ends the program: a value was asked for that is not there.
[[noreturn]] void NoValue(const Status& status);
// Ends the program: there is neither a value nor a failure.
[[noreturn]] void NoFailure();
}  // namespace internal

// A T, or why there is none. Taking the value of a failure is fatal.
template <typename T>
class [[nodiscard]] StatusOr {
 public:
  // Implicit, so that functions return what they have.
  StatusOr(Status failure)  // NOLINT(google-explicit-constructor)
      : status_(std::move(failure)) {
    if (status_.ok()) internal::NoFailure();
  }

  template <typename U = T>
  requires(std::is_convertible_v<U&&, T> &&
           !std::is_same_v<std::remove_cvref_t<U>, Status> &&
           !std::is_same_v<std::remove_cvref_t<U>, StatusOr>)
      StatusOr(U&& value)  // NOLINT(google-explicit-constructor)
      : value_(std::in_place, std::forward<U>(value)) {}

  bool ok() const { return value_.has_value(); }
  const Status& status() const& { return status_; }
  Status status() && { return std::move(status_); }

  const T& value() const& {
    Require();
    return *value_;
  }
  T& value() & {
    Require();
    return *value_;
  }
  T&& value() && {
    Require();
    return *std::move(value_);
  }

  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

 private:
  void Require() const {
    if (!ok()) internal::NoValue(status_);
  }

  Status status_;
  std::optional<T> value_;
};

}  // namespace gasnet

#endif  // BASE_STATUS_H_
