/* A runtime whose heap must not be interrupted. Each allocation is a
 * no-interrupt section, also in handlers and under locks. Debug builds use the
 * heap that detects misuse. */
#include <gasnet.h>
#include <gasnet_tools.h>

#include "runtime.h"

#ifdef GASNET_DEBUGMALLOC
#define HEAP_MALLOC gasnett_debug_malloc
#define HEAP_FREE gasnett_debug_free
#else
#define HEAP_MALLOC malloc
#define HEAP_FREE free
#endif

static void *rt_malloc(size_t size) {
  void *block;
  gasnet_hold_interrupts();
  block = HEAP_MALLOC(size);
  gasnet_resume_interrupts();
  CHECK(block != NULL);
  return block;
}

static void rt_free(void *block) {
  gasnet_hold_interrupts();
  HEAP_FREE(block);
  gasnet_resume_interrupts();
}

struct item {
  struct item *next;
  int value;
};

enum { ON_ITEM = 200, ON_COUNT };

static gasnet_hsl_t guard = GASNET_HSL_INITIALIZER;
static struct item *list;
static volatile int counted;

/* Allocates while the thread holds the lock. The lock must still be held
   afterwards. */
static int insert(int value) {
  struct item *item;
  int length = 0;
  gasnet_hsl_lock(&guard);
  item = (struct item *)rt_malloc(sizeof(*item));
  item->value = value;
  item->next = list;
  list = item;
  for (; item != NULL; item = item->next) ++length;
  gasnet_hsl_unlock(&guard);
  return length;
}

static void on_item(gasnet_token_t token, gasnet_handlerarg_t value) {
  int *length = (int *)rt_malloc(sizeof(*length));
  *length = insert(value);
  SAFE(gasnet_AMReplyMedium0(token, ON_COUNT, length, sizeof(*length)));
  rt_free(length);
}

static void on_count(gasnet_token_t token, void *length, size_t bytes) {
  int *copy = (int *)rt_malloc(bytes);
  (void)token;
  CHECK(bytes == sizeof(*copy));
  memcpy(copy, length, bytes);
  CHECK(*copy > 0);
  rt_free(copy);
  counted = counted + 1;
}

static void free_all(void) {
  int length = 0;
  gasnet_hsl_lock(&guard);
  while (list != NULL) {
    struct item *const item = list;
    list = item->next;
    rt_free(item);
    ++length;
  }
  gasnet_hsl_unlock(&guard);
  CHECK(length == (int)gasnet_nodes() + 1);
}

int main(int argc, char **argv) {
  static gasnet_handlerentry_t handlers[] = {{ON_ITEM, (void (*)())on_item},
                                             {ON_COUNT, (void (*)())on_count}};
  gasnet_node_t node;
  SAFE(gasnet_init(&argc, &argv));
  SAFE(gasnet_attach(handlers, 2, GASNET_PAGESIZE, 0));
  insert(-1);
  for (node = 0; node < gasnet_nodes(); ++node) {
    SAFE(gasnet_AMRequestShort1(node, ON_ITEM, (gasnet_handlerarg_t)node));
  }
  GASNET_BLOCKUNTIL(counted == (int)gasnet_nodes());
  meet();
  free_all();
  return finish();
}
