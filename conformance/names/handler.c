// Tests gasnet_handler.h: handlers and messages with pointers as arguments, in
// C and C++. The style is that of programs that also support 32-bit processors.
#include <gasnet_handler.h>
#include <string.h>

#include "conformance/harness.h"

#ifdef __cplusplus
using namespace conformance;  // NOLINT(build/namespaces)
#endif

enum {
  gasneti_handleridx(store) = 201,
  gasneti_handleridx(stored) = 202,
  gasneti_handleridx(fill) = 203,
  gasneti_handleridx(land) = 204,
  gasneti_handleridx(plain) = 205
};

SHORT_HANDLER_DECL(store, 2, 3);
SHORT_HANDLER_DECL(stored, 1, 2);
MEDIUM_HANDLER_DECL(fill, 2, 4);
LONG_HANDLER_DECL(land, 1, 2);

static volatile int replies;
static char buffer[64];

static void store_inner(gasnet_token_t token, void* flag, int value) {
  CHECK_EQ(value, -5);
  CHECK_OK(SHORT_REP(1, 2, (token, gasneti_handleridx(stored), PACK(flag))));
}
SHORT_HANDLER(store, 2, 3, (token, UNPACK(a0), a1),
              (token, UNPACK2(a0, a1), a2));

static void stored_inner(gasnet_token_t token, void* flag) {
  (void)token;
  CHECK(flag == (void*)&replies);
  replies = replies + 1;
}
SHORT_HANDLER(stored, 1, 2, (token, UNPACK(a0)), (token, UNPACK2(a0, a1)));

static void fill_inner(gasnet_token_t token, void* source, size_t size,
                       void* at, void* flag) {
  memcpy(at, source, size);
  stored_inner(token, flag);
}
MEDIUM_HANDLER(fill, 2, 4, (token, addr, nbytes, UNPACK(a0), UNPACK(a1)),
               (token, addr, nbytes, UNPACK2(a0, a1), UNPACK2(a2, a3)));

static void land_inner(gasnet_token_t token, void* at, size_t size,
                       void* flag) {
  CHECK_EQ(memcmp(at, buffer, size), 0);
  CHECK_OK(SHORT_REP(1, 2, (token, gasneti_handleridx(stored), PACK(flag))));
}
LONG_HANDLER(land, 1, 2, (token, addr, nbytes, UNPACK(a0)),
             (token, addr, nbytes, UNPACK2(a0, a1)));

static void plain(gasnet_token_t token, gasnet_handlerarg_t a) {
  (void)token;
  CHECK_EQ(a, 1);
  replies = replies + 1;
}

static gasnet_handlerentry_t handlers[] = {
    gasneti_handler_tableentry_with_bits(store),
    gasneti_handler_tableentry_with_bits(stored),
    gasneti_handler_tableentry_with_bits(fill),
    gasneti_handler_tableentry_with_bits(land),
    gasneti_handler_tableentry_no_bits(plain)};

int main(int argc, char** argv) {
  static char text[] = "by pointer";
  gasnet_node_t me;
  StartJob(&argc, &argv, handlers, COUNT_OF(handlers), 4096);
  me = gasnet_mynode();
  CHECK_OK(
      SHORT_REQ(2, 3, (me, gasneti_handleridx(store), PACK(&replies), -5)));
  CHECK_OK(MEDIUM_REQ(2, 4,
                      (me, gasneti_handleridx(fill), text, sizeof(text),
                       PACK(buffer), PACK(&replies))));
  CHECK_EQ(replies, 2);
  CHECK_EQ(memcmp(buffer, text, sizeof(text)), 0);
  CHECK_OK(LONG_REQ(1, 2,
                    (me, gasneti_handleridx(land), text, sizeof(text),
                     SharedMemory(me), PACK(&replies))));
  CHECK_OK(LONGASYNC_REQ(1, 2,
                         (me, gasneti_handleridx(land), text, sizeof(text),
                          SharedMemory(me), PACK(&replies))));
  CHECK_OK(SHORT_REQ(1, 1, (me, gasneti_handleridx(plain), 1)));
  GASNET_BLOCKUNTIL(replies == 5);
  return FinishJob();
}
