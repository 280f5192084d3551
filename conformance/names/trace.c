// Tests every name of gasnet_trace.h. No trace is written. Each argument is
// evaluated once. The formatting functions describe their arguments.
#include <gasnet_trace.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/harness.h"

#ifdef __cplusplus
using namespace conformance;  // NOLINT(build/namespaces)
#endif

static int evaluated;
static const char* Text(void) {
  ++evaluated;
  return "%d";
}
static int Number(void) {
  ++evaluated;
  return 1;
}

static void Trace(void) {
  const char* file = NULL;
  unsigned line = 1;
  GASNETT_TRACE_PRINTF(Text(), Number());
  GASNETT_TRACE_PRINTF_FORCE(Text(), Number());
  GASNETT_TRACE_SETMASK(Text());
  GASNETT_STATS_SETMASK(Text());
  GASNETT_TRACE_SETSOURCELINE(Text(), (unsigned)Number());
  GASNETT_TRACE_SET_TRACELOCAL(Number());
  CHECK_EQ(evaluated, 9);
  GASNETT_TRACE_FREEZESOURCELINE();
  GASNETT_TRACE_UNFREEZESOURCELINE();
  GASNETT_TRACE_GETSOURCELINE(&file, &line);
  CHECK_EQ(strcmp(file, ""), 0);
  CHECK_EQ(line, 0);
  if (GASNETT_TRACE_ENABLED) CHECK(strlen(GASNETT_TRACE_GETMASK()) > 0);
  CHECK_EQ(strcmp(GASNETT_TRACE_GETMASK(), ""), 0);
  CHECK_EQ(strcmp(GASNETT_STATS_GETMASK(), ""), 0);
  CHECK_EQ(GASNETT_TRACE_GET_TRACELOCAL(), 0);
}

enum { kPieces = 50 };

// Checks that lists of the longest addresses and lengths stay inside their
// buffers.
static void FormatLists(void) {
  void* addresses[kPieces];
  gasnet_memvec_t pieces[kPieces];
  char* buffer;
  for (int i = 0; i < kPieces; ++i) {
    addresses[i] = (void*)(UINTPTR_MAX - (uintptr_t)i);
    pieces[i].addr = addresses[i];
    pieces[i].len = SIZE_MAX;
  }
  buffer = (char*)malloc(gasnett_format_addrlist_bufsz(kPieces));
  gasnett_format_addrlist(buffer, kPieces, addresses, 24);
  CHECK(strlen(buffer) < gasnett_format_addrlist_bufsz(kPieces));
  CHECK(strstr(buffer, "50 pieces of 24 bytes") != NULL);
  CHECK(strstr(buffer, "0xffffffffffffffce") != NULL);
  free(buffer);

  buffer = (char*)malloc(gasnett_format_memveclist_bufsz(kPieces));
  gasnett_format_memveclist(buffer, kPieces, pieces);
  CHECK(strlen(buffer) < gasnett_format_memveclist_bufsz(kPieces));
  CHECK(strstr(buffer, "0xffffffffffffffce+18446744073709551615") != NULL);
  free(buffer);
}

static void FormatStrided(void) {
  const size_t strides[2] = {64, 4096};
  const size_t count[3] = {8, 4, 2};
  char* const buffer = (char*)malloc(gasnett_format_putsgets_bufsz(2));
  CHECK_EQ(gasnett_format_putsgets(buffer, NULL, 3, (void*)16, strides,
                                   (void*)32, strides, count, 2),
           64);
  CHECK(strlen(buffer) < gasnett_format_putsgets_bufsz(2));
  CHECK(strstr(buffer, "node=3") != NULL);
  CHECK(strstr(buffer, "[64 4096]") != NULL);
  CHECK(strstr(buffer, "[8 4 2]") != NULL);
  free(buffer);
}

int main(int argc, char** argv) {
  StartJob(&argc, &argv, NULL, 0, 0);
  Trace();
  FormatLists();
  FormatStrided();
  return FinishJob();
}
