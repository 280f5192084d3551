/* Features of this implementation, for the preprocessor (GASNet-EX). */
#ifndef GASNET_EX_FEATURES_H_
#define GASNET_EX_FEATURES_H_

#include "gasnet/config.h"

/* The version of the GASNet-EX specification that the headers implement. */
#define GEX_SPEC_VERSION_MAJOR 0
#define GEX_SPEC_VERSION_MINOR 19

/* The maximum number of endpoints of a process. */
#define GASNET_MAXEPS 32

/* gasnet_init and gex_Client_Init accept NULL for argc and argv. */
#define GASNET_NULL_ARGV_OK 1

/* The maximum number of the library's own threads that may run handlers.
 * GASNET_COLL_PROGRESS starts a thread for collectives. GASNET_PROGRESS_THREAD
 * starts a thread for messages. */
#if defined(GASNET_PAR)
#define GASNET_HIDDEN_AM_CONCURRENCY_LEVEL 2
#else
#define GASNET_HIDDEN_AM_CONCURRENCY_LEVEL 0
#endif

/* gex_Token_Info supplies each of these facts in every handler. */
#define GASNET_SUPPORTS_TI_SRCRANK 1
#define GASNET_SUPPORTS_TI_EP 1
#define GASNET_SUPPORTS_TI_ENTRY 1
#define GASNET_SUPPORTS_TI_IS_REQ 1
#define GASNET_SUPPORTS_TI_IS_LONG 1

/* The versions of two families of calls: gex_AM_Cancel* and gex_AM_Commit*. */
#define GASNET_SUPPORTS_AM_CANCEL 20240418L
#define GASNET_SUPPORTS_AM_COMMIT_V2 20240906L

/* Hints: large payloads are best prepared in the library's memory. The library
 * sends payloads in its own memory to ranks of this host without a copy. To
 * other ranks, over ofi, it copies a payload once, wherever the payload is. */
#if defined(GASNET_CONDUIT_SMP) || defined(GASNET_CONDUIT_OFI)
#define GASNET_NATIVE_NP_ALLOC_REQ_MEDIUM 1
#define GASNET_NATIVE_NP_ALLOC_REP_MEDIUM 1
#endif

/* The only kind of memory that is supported is ordinary memory of the host. */
#define GASNET_HAVE_MK_CLASS_HOST 1

#endif /* GASNET_EX_FEATURES_H_ */
