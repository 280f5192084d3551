/* Types, error codes and flags (spec 1.6, 1.7, 2.1, 2.2, 3.5, 3.6). */
#ifndef GASNET_TYPES_H_
#define GASNET_TYPES_H_

#include <stddef.h>
#include <stdint.h>

#include "gasnet/platform.h"
#include "gasnet_fwd.h"

/* The granularity in bytes of segment bases and sizes. */
#if defined(__aarch64__) || defined(__powerpc64__)
#define GASNET_PAGESIZE 65536
#else
#define GASNET_PAGESIZE 4096
#endif

/* The index of a node in the job, from 0. */
typedef gex_Rank_t gasnet_node_t;

/* An index into the handler table: 0..127 are GASNet's own, 128..255 the
 * client's. */
typedef uint8_t gasnet_handler_t;

/* A handler index as a parameter. The type is wider than gasnet_handler_t, so
 * that an invalid index is detected and not truncated to a valid one. */
typedef unsigned gasneti_index_t;

/* One argument of an active message. */
typedef int32_t gasnet_handlerarg_t;

/* Names the message being handled; invalid once its handler returns. */
typedef void *gasnet_token_t;

/* A non-blocking operation in progress. It belongs to the thread that started
 * it. GASNET_INVALID_HANDLE (all bytes zero) stands for "already complete". */
typedef gex_Event_t gasnet_handle_t;
#define GASNET_INVALID_HANDLE GASNETI_CAST(gasnet_handle_t, NULL)

/* A non-blocking value get in progress. There is no invalid handle of this
   type. */
typedef struct gasneti_valget *gasnet_valget_handle_t;

/* The largest unsigned integer type that fits in one register. */
typedef uint64_t gasnet_register_value_t;
#define SIZEOF_GASNET_REGISTER_VALUE_T 8

/* The library's record of one client thread (spec 3.6.1). */
typedef void *gasnet_threadinfo_t;

/* One handler to register. A C++ client casts its handler to void (*)(). A
 * client that defines GASNET_USE_STRICT_PROTOTYPES casts it to void *. */
#ifndef __cplusplus
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#endif
typedef struct {
  gasnet_handler_t index; /* 128..255, or 0: gasnet_attach chooses */
#ifdef GASNET_USE_STRICT_PROTOTYPES
  void *fnptr;
#else
  void (*fnptr)(); /* old-style in C: a handler of any prototype converts */
#endif
} gasnet_handlerentry_t;
#ifndef __cplusplus
#pragma GCC diagnostic pop
#endif

/* A node's remote-access segment, in that node's address space. */
typedef struct {
  void *addr;
  uintptr_t size; /* bytes */
} gasnet_seginfo_t;

/* A contiguous piece of memory. */
typedef struct {
  void *addr;
  size_t len; /* bytes */
} gasnet_memvec_t;

/* A handler-safe lock (spec 2.4.4.1). It must not be copied or shared by
 * processes. */
typedef struct gasneti_hsl {
  uint32_t state; /* 0 free, 1 held, 2 held with waiters */
  uint32_t magic; /* debug builds: initialised, destroyed or neither */
  void *owner;    /* debug builds: the thread that holds it */
  /* debug builds: the lock that the owner acquired before this one */
  struct gasneti_hsl *below;
} gasnet_hsl_t;

#define GASNETI_HSL_MAGIC 0x4853434cu
#define GASNET_HSL_INITIALIZER \
  { 0, GASNETI_HSL_MAGIC, NULL, NULL }

/* Results of functions that return int (spec 1.6). The numbers are also those
 * of other implementations. */
#define GASNET_OK 0
#define GASNET_ERR_NOT_INIT 10001
#define GASNET_ERR_RESOURCE 10002
#define GASNET_ERR_BAD_ARG 10003
#define GASNET_ERR_NOT_READY 10004
#define GASNET_ERR_BARRIER_MISMATCH 10005

/* Flags of the barrier functions (spec 3.5); 0 is a named barrier. */
#define GASNET_BARRIERFLAG_ANONYMOUS 1
#define GASNET_BARRIERFLAG_MISMATCH 2
/* Makes a barrier of images (gasnet_coll.h) instead of nodes. */
#define GASNET_BARRIERFLAG_IMAGES 4
/* Makes an anonymous barrier. The node promises that all nodes give this
   flag. */
#define GASNET_BARRIERFLAG_UNNAMED (8 | GASNET_BARRIERFLAG_ANONYMOUS)

/* Wait modes of gasnet_set_waitmode (spec 3.6.2.1). */
#define GASNET_WAIT_SPIN 0
#define GASNET_WAIT_BLOCK 1
#define GASNET_WAIT_SPINBLOCK 2

#endif /* GASNET_TYPES_H_ */
