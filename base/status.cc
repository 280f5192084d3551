#include "base/status.h"

#include <errno.h>
#include <string.h>

#include <ostream>

#include "base/log.h"

namespace gasnet {
namespace {

const char* Name(StatusCode code) {
  switch (code) {
    case StatusCode::kOk:
      return "OK";
    case StatusCode::kInvalidArgument:
      return "INVALID_ARGUMENT";
    case StatusCode::kNotFound:
      return "NOT_FOUND";
    case StatusCode::kPermissionDenied:
      return "PERMISSION_DENIED";
    case StatusCode::kResourceExhausted:
      return "RESOURCE_EXHAUSTED";
    case StatusCode::kFailedPrecondition:
      return "FAILED_PRECONDITION";
    case StatusCode::kAborted:
      return "ABORTED";
    case StatusCode::kOutOfRange:
      return "OUT_OF_RANGE";
    case StatusCode::kUnimplemented:
      return "UNIMPLEMENTED";
    case StatusCode::kInternal:
      return "INTERNAL";
    case StatusCode::kUnavailable:
      return "UNAVAILABLE";
    case StatusCode::kDataLoss:
      return "DATA_LOSS";
    case StatusCode::kDeadlineExceeded:
      return "DEADLINE_EXCEEDED";
    case StatusCode::kUnknown:
      break;
  }
  return "UNKNOWN";
}

StatusCode CodeOfErrno(int error) {
  switch (error) {
    case 0:
      return StatusCode::kOk;
    case ENODEV:
    case ENOENT:
    case ENXIO:
    case ESRCH:
      return StatusCode::kNotFound;
    case EACCES:
    case EPERM:
      return StatusCode::kPermissionDenied;
    default:
      return StatusCode::kUnknown;
  }
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Status& status) {
  out << Name(status.code());
  if (!status.ok()) out << ": " << status.message();
  return out;
}

Status InvalidArgumentError(std::string_view message) {
  return {StatusCode::kInvalidArgument, message};
}
Status NotFoundError(std::string_view message) {
  return {StatusCode::kNotFound, message};
}
Status PermissionDeniedError(std::string_view message) {
  return {StatusCode::kPermissionDenied, message};
}
Status ResourceExhaustedError(std::string_view message) {
  return {StatusCode::kResourceExhausted, message};
}
Status FailedPreconditionError(std::string_view message) {
  return {StatusCode::kFailedPrecondition, message};
}
Status AbortedError(std::string_view message) {
  return {StatusCode::kAborted, message};
}
Status OutOfRangeError(std::string_view message) {
  return {StatusCode::kOutOfRange, message};
}
Status UnimplementedError(std::string_view message) {
  return {StatusCode::kUnimplemented, message};
}
Status InternalError(std::string_view message) {
  return {StatusCode::kInternal, message};
}
Status UnavailableError(std::string_view message) {
  return {StatusCode::kUnavailable, message};
}
Status DataLossError(std::string_view message) {
  return {StatusCode::kDataLoss, message};
}
Status DeadlineExceededError(std::string_view message) {
  return {StatusCode::kDeadlineExceeded, message};
}

Status ErrnoToStatus(int error, std::string_view message) {
  std::string text(message);
  text += ": ";
  text += strerror(error);
  return {CodeOfErrno(error), text};
}

namespace internal {

void NoValue(const Status& status) {
  Fatal("the value of a failure was asked for: %s",
        std::string(status.message()).c_str());
}

void NoFailure() { Fatal("a failure was announced that is none"); }

}  // namespace internal
}  // namespace gasnet
