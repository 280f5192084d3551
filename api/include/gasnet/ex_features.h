/* Features of this implementation, for the preprocessor (GASNet-EX). */
#ifndef GASNET_EX_FEATURES_H_
#define GASNET_EX_FEATURES_H_

#include "gasnet/config.h"

/* The version of the GASNet-EX specification that the headers implement. */
#define GEX_SPEC_VERSION_MAJOR 0
#define GEX_SPEC_VERSION_MINOR 19

/* The most endpoints of a process. */
#define GASNET_MAXEPS 32

/* gasnet_init and gex_Client_Init accept NULL for argc and argv. */
#define GASNET_NULL_ARGV_OK 1

/* The most threads of the library's own that may run handlers. That of
 * collectives does, which GASNET_COLL_PROGRESS starts, and that which
 * GASNET_PROGRESS_THREAD starts for messages. */
#if defined(GASNET_PAR)
#define GASNET_HIDDEN_AM_CONCURRENCY_LEVEL 2
#else
#define GASNET_HIDDEN_AM_CONCURRENCY_LEVEL 0
#endif

/* gex_Token_Info answers these questions in every handler. */
#define GASNET_SUPPORTS_TI_SRCRANK 1
#define GASNET_SUPPORTS_TI_EP 1
#define GASNET_SUPPORTS_TI_ENTRY 1
#define GASNET_SUPPORTS_TI_IS_REQ 1
#define GASNET_SUPPORTS_TI_IS_LONG 1

/* The versions of two families of calls that may change. */
#define GASNET_SUPPORTS_AM_CANCEL 20240418L
#define GASNET_SUPPORTS_AM_COMMIT_V2 20240906L

/* Hints: large payloads are best prepared in the library's memory. To ranks of
 * the host they are sent from there; over ofi to others they are copied once,
 * as those of the client are. */
#if defined(GASNET_CONDUIT_SMP) || defined(GASNET_CONDUIT_OFI)
#define GASNET_NATIVE_NP_ALLOC_REQ_MEDIUM 1
#define GASNET_NATIVE_NP_ALLOC_REP_MEDIUM 1
#endif

/* Ordinary memory is the only kind. */
#define GASNET_HAVE_MK_CLASS_HOST 1

#endif /* GASNET_EX_FEATURES_H_ */
