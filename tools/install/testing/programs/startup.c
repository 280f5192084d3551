/* Includes only gasnet.h. Begins like many runtimes: takes the largest segment
 * up to the runtime's own limit, registers handlers the old way, and greets
 * every node. */
#include <gasnet.h>

#include "runtime.h"

#define HEAP_LIMIT (1024 * 1024)

struct greeting {
  char kind;
  int process;
  char name[16];
};

static volatile int thanks;

static void on_greeting(gasnet_token_t token, void *buffer, size_t bytes,
                        gasnet_handlerarg_t process);
static void on_thanks(gasnet_token_t token, gasnet_handlerarg_t node);

enum { ON_GREETING = 201, ON_THANKS };

static gasnet_handlerentry_t handlers[] = {
    {ON_GREETING, (void (*)())on_greeting}, {ON_THANKS, (void (*)())on_thanks}};

static void on_greeting(gasnet_token_t token, void *buffer, size_t bytes,
                        gasnet_handlerarg_t process) {
  const struct greeting *greeting = (const struct greeting *)buffer;
  gasnet_node_t from;
  SAFE(gasnet_AMGetMsgSource(token, &from));
  CHECK(bytes == sizeof(*greeting) && greeting->process == process);
  CHECK(isupper((unsigned char)greeting->kind) &&
        atoi(greeting->name + offsetof(struct greeting, kind)) == (int)from);
  SAFE(gasnet_AMReplyShort1(token, ON_THANKS,
                            (gasnet_handlerarg_t)gasnet_mynode()));
}

static void on_thanks(gasnet_token_t token, gasnet_handlerarg_t node) {
  gasnet_node_t from;
  SAFE(gasnet_AMGetMsgSource(token, &from));
  CHECK((gasnet_handlerarg_t)from == node);
  thanks = thanks + 1;
}

static uintptr_t heap_size(void) {
  const char *wish = gasnet_getenv("STARTUP_HEAP");
  uintptr_t size = gasnet_getMaxLocalSegmentSize();
  if (wish != NULL) size = strtoul(wish, NULL, 10);
  if (size > HEAP_LIMIT) size = HEAP_LIMIT;
  return size / GASNET_PAGESIZE * GASNET_PAGESIZE;
}

static void greet(gasnet_node_t node) {
  struct greeting *greeting =
      (struct greeting *)calloc(1, sizeof(struct greeting));
  if (greeting == NULL) {
    perror(strerror(errno));
    abort();
  }
  greeting->kind = 'G';
  greeting->process = (int)getpid();
  sprintf(greeting->name, "%d", (int)gasnet_mynode());
  SAFE(gasnet_AMRequestMedium1(node, ON_GREETING, greeting, sizeof(*greeting),
                               greeting->process));
  memset(greeting, UCHAR_MAX, sizeof(*greeting));
  free(greeting);
}

int main(int argc, char **argv) {
  gasnet_seginfo_t *heaps;
  gasnet_node_t node;
  SAFE(gasnet_init(&argc, &argv));
  SAFE(gasnet_attach(handlers, sizeof(handlers) / sizeof(handlers[0]),
                     heap_size(), GASNET_PAGESIZE));
  heaps = (gasnet_seginfo_t *)malloc(gasnet_nodes() * sizeof(*heaps));
  SAFE(gasnet_getSegmentInfo(heaps, (int)gasnet_nodes()));
  for (node = 0; node < gasnet_nodes(); ++node) {
    CHECK(heaps[node].size > 0 && heaps[node].size <= HEAP_LIMIT);
    greet(node);
  }
  GASNET_BLOCKUNTIL(thanks == (int)gasnet_nodes());
  free(heaps);
  return finish();
}
