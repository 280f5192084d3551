// Names and descriptions of error codes (spec 1.6.0.1).
#include "gasnet.h"

namespace {

struct Error {
  int code;
  const char* name;
  const char* description;
};

constexpr Error kErrors[] = {
    {GASNET_OK, "GASNET_OK", "no error"},
    {GASNET_ERR_NOT_INIT, "GASNET_ERR_NOT_INIT",
     "GASNet is not initialised, or already is"},
    {GASNET_ERR_BAD_ARG, "GASNET_ERR_BAD_ARG",
     "an argument of the call is not legal"},
    {GASNET_ERR_RESOURCE, "GASNET_ERR_RESOURCE",
     "memory, network or system resources are not available"},
    {GASNET_ERR_BARRIER_MISMATCH, "GASNET_ERR_BARRIER_MISMATCH",
     "the barrier's names or flags do not match"},
    {GASNET_ERR_NOT_READY, "GASNET_ERR_NOT_READY",
     "the operation is not complete yet"},
};

constexpr Error kUnknown = {0, "GASNET_ERR_UNKNOWN", "not a GASNet error code"};

const Error& Find(int code) {
  for (const Error& error : kErrors) {
    if (error.code == code) return error;
  }
  return kUnknown;
}

}  // namespace

// The specification's prototypes return char*; clients must not write to it.
extern "C" char* gasnet_ErrorName(int errval) {
  return const_cast<char*>(Find(errval).name);
}
extern "C" char* gasnet_ErrorDesc(int errval) {
  return const_cast<char*>(Find(errval).description);
}
