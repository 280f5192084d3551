/* The common part of the runtimes of these programs, in C90 and C++. This file
 * includes nothing. Each program includes the GASNet header that it tests, and
 * that header must include everything that this file uses. */
#ifndef TOOLS_INSTALL_TESTING_PROGRAMS_RUNTIME_H_
#define TOOLS_INSTALL_TESTING_PROGRAMS_RUNTIME_H_

#define SAFE(call)                                                  \
  do {                                                              \
    const int safe_code = (call);                                   \
    if (safe_code != GASNET_OK) {                                   \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, \
              gasnet_ErrorName(safe_code));                         \
      gasnet_exit(safe_code);                                       \
    }                                                               \
  } while (0)

#define CHECK(holds)                                                      \
  do {                                                                    \
    if (!(holds)) {                                                       \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #holds); \
      gasnet_exit(1);                                                     \
    }                                                                     \
  } while (0)

static void meet(void) {
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  SAFE(gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS));
}

/* Prints this node's number. Ends the job once all nodes have printed. */
static int finish(void) {
  printf("node %d of %d\n", (int)gasnet_mynode(), (int)gasnet_nodes());
  fflush(stdout);
  meet();
  gasnet_exit(0);
  return 1;
}

/* PACK_HIGH and PACK_LOW pack an address into two arguments of a message.
 * Runtimes have packed addresses since before pointers had 64 bits. */
#define PACK_HIGH(address) ((gasnet_handlerarg_t)((uintptr_t)(address) >> 32))
#define PACK_LOW(address) \
  ((gasnet_handlerarg_t)((uintptr_t)(address)&0xFFFFFFFFu))
#define UNPACK(high, low) \
  ((void *)(((uintptr_t)(uint32_t)(high) << 32) | (uint32_t)(low)))

#endif /* TOOLS_INSTALL_TESTING_PROGRAMS_RUNTIME_H_ */
