// Tests every name of gasnet.h that programs use beyond the specification, in C
// and C++ alike.
#include <string.h>

#include "conformance/harness.h"

#ifdef __cplusplus
using namespace conformance;  // NOLINT(build/namespaces)
#endif

#define TEXT_(token) #token
#define TEXT(token) TEXT_(token)

#if defined(GASNET_PSHM) && GASNET_PSHM != 1
#error "GASNET_PSHM must be 1 where it is defined"
#endif
#if defined(GASNET_DEBUG) && GASNET_DEBUG != 1
#error "GASNET_DEBUG must be 1 where it is defined"
#endif
#if defined(GASNET_DEBUGMALLOC) && GASNET_DEBUGMALLOC != 1
#error "GASNET_DEBUGMALLOC must be 1 where it is defined"
#endif
#ifdef GASNET_USE_STRICT_PROTOTYPES
#error "GASNET_USE_STRICT_PROTOTYPES must not be defined"
#endif

/* Existing programs identify their conduit by the macro GASNET_CONDUIT_<NAME>.
 * Only the macro of this build's conduit is defined. */
#if defined(GASNET_CONDUIT_SMP) + defined(GASNET_CONDUIT_UDP) +         \
        defined(GASNET_CONDUIT_OFI) + defined(GASNET_CONDUIT_PORTALS) + \
        defined(GASNET_CONDUIT_FAKE) >                                  \
    1
#error "the header of one conduit alone is included"
#endif
#if GASNET_CONDUIT_SMP
#define CONDUIT "SMP"
#elif GASNET_CONDUIT_UDP
#define CONDUIT "UDP"
#elif GASNET_CONDUIT_OFI
#define CONDUIT "OFI"
#elif GASNET_CONDUIT_PORTALS
#define CONDUIT "PORTALS"
#elif GASNET_CONDUIT_FAKE
#define CONDUIT "FAKE"
#else
#define CONDUIT "ANY"
#endif

enum { kShort = 200, kMedium, kLong, kShortReply, kMediumReply, kLongReply };

static const char kWords[] = "handed over";
static volatile int replies;
static char* long_reply_at;  // target in this node's memory

static void OnShort(gasnet_token_t token, gasnet_handlerarg_t a,
                    gasnet_handlerarg_t b) {
  CHECK_OK(gasnet_AMReplyShort(token, kShortReply, 3, a, b, a - b));
}
static void OnMedium(gasnet_token_t token, void* buffer, size_t bytes,
                     gasnet_handlerarg_t a) {
  CHECK_EQ(a, -7);
  CHECK_OK(gasnet_AMReplyMedium(token, kMediumReply, buffer, bytes, 1, a));
}
static void OnLong(gasnet_token_t token, void* buffer, size_t bytes,
                   gasnet_handlerarg_t a) {
  gasnet_node_t source;
  CHECK_OK(gasnet_AMGetMsgSource(token, &source));
  CHECK_OK(gasnet_AMReplyLong(token, kLongReply, buffer, bytes,
                              SharedMemory(source) + 2048, 1, a));
}
static void OnShortReply(gasnet_token_t token, gasnet_handlerarg_t a,
                         gasnet_handlerarg_t b, gasnet_handlerarg_t c) {
  (void)token;
  CHECK_EQ(a, INT32_MIN);
  CHECK_EQ(b, -1);
  CHECK_EQ(c, INT32_MIN + 1);
  replies = replies + 1;
}
static void OnMediumReply(gasnet_token_t token, void* buffer, size_t bytes,
                          gasnet_handlerarg_t a) {
  (void)token;
  CHECK_EQ(a, -7);
  CHECK_EQ(bytes, sizeof(kWords));
  CHECK_EQ(memcmp(buffer, kWords, bytes), 0);
  replies = replies + 1;
}
static void OnLongReply(gasnet_token_t token, void* buffer, size_t bytes,
                        gasnet_handlerarg_t a) {
  (void)token;
  CHECK_EQ(a, 77);
  CHECK_EQ(buffer, long_reply_at);
  CHECK_EQ(memcmp(buffer, kWords, bytes), 0);
  replies = replies + 1;
}

// The form of a handler table that existing programs use.
static gasnet_handlerentry_t handlers[] = {
    {kShort, (void (*)())OnShort},
    {kMedium, (void (*)())OnMedium},
    {kLong, (void (*)())OnLong},
    {kShortReply, (void (*)())OnShortReply},
    {kMediumReply, (void (*)())OnMediumReply},
    {kLongReply, (void (*)())OnLongReply}};

// Build systems look for the strings that CheckStrings() checks. MODE is the
// part of GASNET_CONFIG_STRING that names the threading mode.
#if defined(GASNET_SEQ)
#define MODE "SEQ"
#elif defined(GASNET_PARSYNC)
#define MODE "PARSYNC"
#else
#define MODE "PAR"
#endif

static void CheckStrings(void) {
  CHECK_EQ(strcmp(GASNET_CONDUIT_NAME_STR, TEXT(GASNET_CORE_NAME)), 0);
  CHECK_EQ(strcmp(GASNET_CONDUIT_NAME_STR, CONDUIT), 0);
  CHECK(strlen(TEXT(GASNET_CORE_VERSION)) >= 3);
  CHECK(strstr(GASNET_CONFIG_STRING, "CONDUIT=" GASNET_CONDUIT_NAME_STR) !=
        NULL);
  CHECK(strstr(GASNET_CONFIG_STRING, ",THREADMODEL=" MODE ",") != NULL);
  CHECK(strstr(GASNET_CONFIG_STRING,
               ",IMPLEMENTATION=" TEXT(GASNET_IMPLEMENTATION_VERSION_MAJOR)) !=
        NULL);
}

// Sends messages by the functions that take their number of arguments as a
// parameter.
static void SendMessages(void) {
  const gasnet_node_t peer = (gasnet_mynode() + 1) % gasnet_nodes();
  char words[sizeof(kWords)];
  char* const there = SharedMemory(peer);
  memcpy(words, kWords, sizeof(words));
  long_reply_at = SharedMemory(gasnet_mynode()) + 2048;
  CHECK_OK(gasnet_AMRequestShort(peer, kShort, 2, INT32_MIN, -1));
  CHECK_OK(gasnet_AMRequestMedium(peer, kMedium, words, sizeof(words), 1, -7));
  CHECK_OK(
      gasnet_AMRequestLong(peer, kLong, words, sizeof(words), there, 1, 77));
  GASNET_BLOCKUNTIL(replies == 3);
  CHECK_OK(gasnet_AMRequestLongAsync(peer, kLong, words, sizeof(words), there,
                                     1, 77));
  GASNET_BLOCKUNTIL(replies == 4);
}

static void MeetAtBarriers(void) {
  int id = 0;
  CHECK_OK(gasnet_barrier(42, 0));
  CHECK_EQ(gasnet_barrier_result(&id), 0);
  CHECK_EQ(id, 42);
  CHECK_OK(gasnet_barrier(1, GASNET_BARRIERFLAG_ANONYMOUS));
  CHECK(gasnet_barrier_result(&id) != 0);
  CHECK_OK(gasnet_barrier(2, GASNET_BARRIERFLAG_UNNAMED));
  CHECK(gasnet_barrier_result(&id) != 0);
  CHECK(GASNET_BARRIERFLAG_UNNAMED & GASNET_BARRIERFLAG_ANONYMOUS);
  CHECK_EQ(GASNET_BARRIERFLAG_IMAGES &
               (GASNET_BARRIERFLAG_UNNAMED | GASNET_BARRIERFLAG_MISMATCH),
           0);
}

/* Checks that the numbers of the error codes equal those of other
   implementations. */
static void CheckNumbersOfErrors(void) {
  CHECK_EQ(GASNET_ERR_NOT_INIT, 10001);
  CHECK_EQ(GASNET_ERR_RESOURCE, 10002);
  CHECK_EQ(GASNET_ERR_BAD_ARG, 10003);
  CHECK_EQ(GASNET_ERR_NOT_READY, 10004);
  CHECK_EQ(GASNET_ERR_BARRIER_MISMATCH, 10005);
}

static int NameOfHost(const char* name GASNETE_THREAD_GET) {
  return strlen(name) > 0;
}

static void CheckHelpers(void) {
  const uint64_t value = 0x123456789abcdef0u;
  const gasnet_handlerarg_t high = GASNETI_HIWORD(value);
  const gasnet_handlerarg_t low = GASNETI_LOWORD(value);
  CHECK_EQ(high, 0x12345678);
  CHECK_EQ((uint32_t)low, 0x9abcdef0u);
  CHECK(GASNETI_MAKEWORD(high, low) == value);
  CHECK(GASNETI_MAKEWORD(GASNETI_HIWORD(&replies), GASNETI_LOWORD(&replies)) ==
        (uintptr_t)&replies);
  CHECK(NameOfHost(gasneti_gethostname() GASNETE_THREAD_GET));
}

static void AskAboutNodes(void) {
  gasnet_nodeinfo_t info = {0, 0
#ifdef GASNET_PSHM
                            ,
                            1
#endif
  };
  CHECK_OK(gasnet_getNodeInfo(&info, 1));
  CHECK_EQ(info.host, 0);
  CHECK_EQ(info.supernode, 0);
}

int main(int argc, char** argv) {
  gasnet_memvec_t piece;
  piece.addr = &argc;
  piece.len = sizeof(argc);
  CHECK_EQ(*(int*)piece.addr, argc);
  CHECK_EQ(piece.len, sizeof(int));
  StartJob(&argc, &argv, handlers, COUNT_OF(handlers), 4096);
  CheckStrings();
  CheckNumbersOfErrors();
  CheckHelpers();
  SendMessages();
  MeetAtBarriers();
  AskAboutNodes();
  return FinishJob();
}
