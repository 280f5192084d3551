/* GASNet-EX: the job, the client, and the processes nearby. Calls are legal
 * anywhere unless their comment says otherwise. */
#ifndef GASNET_EX_JOB_H_
#define GASNET_EX_JOB_H_

#include "gasnet/ex_types.h"
#include "gasnet/job.h"

GASNETI_EXTERN_C_BEGIN

/* Joins the job, in place of gasnet_init and gasnet_attach. The call is
 * collective over the job and acts as a barrier. It is made once, in main-line
 * code, before any other call. It sets the client, the endpoint of this
 * process, and the team of all; each pointer may be NULL. Messages, barriers
 * and teams may then be used.
 * - clientName: the same in all processes. It is copied.
 * - argc, argv: those of main, or both NULL in all processes.
 * - flags: 0, or GEX_FLAG_USES_GASNET1, GEX_FLAG_DEFER_THREADS; the same in all
 *   processes.
 *
 * Returns GASNET_OK, or GASNET_ERR_RESOURCE when the job cannot be joined. A
 * second call is fatal. */
int gex_Client_Init(gex_Client_t *client_p, gex_EP_t *ep_p, gex_TM_t *tm_p,
                    const char *clientName, int *argc, char ***argv,
                    gex_Flags_t flags);

/* Return the flags and the name that the client was made with. */
gex_Flags_t gex_Client_QueryFlags(gex_Client_t client);
const char *gex_Client_QueryName(gex_Client_t client);

/* Set and return the client's data, initially NULL. */
void gex_Client_SetCData(gex_Client_t client, const void *val);
void *gex_Client_QueryCData(gex_Client_t client);

/* Return the jobrank of this process, and the number of processes in the
   job. */
GASNETI_INLINE gex_Rank_t gex_System_QueryJobRank(void) {
  gasneti_check_initialised("gex_System_QueryJobRank");
  return gasneti_world.mynode;
}
GASNETI_INLINE gex_Rank_t gex_System_QueryJobSize(void) {
  gasneti_check_initialised("gex_System_QueryJobSize");
  return gasneti_world.nodes;
}

/* Return and set a flag: 1 (the initial value) if calls that return certain
 * errors also print a message, else 0. */
int gex_System_GetVerboseErrors(void);
void gex_System_SetVerboseErrors(int enable);

/* Returns the number of client threads that may use the library at the same
 * time: 1 under GASNET_SEQ. */
uint64_t gex_System_QueryMaxThreads(void);

/* Returns nonzero if a thread of the library may run handlers in this job. The
 * result is at most GASNET_HIDDEN_AM_CONCURRENCY_LEVEL, and constant. */
int gex_System_QueryHiddenAMConcurrencyLevel(void);

/* Set *info_p to an array of processes, in order of jobranks. QueryNbrhdInfo
 * lists the processes that share memory with this process. QueryHostInfo lists
 * those that run on this host. *info_count_p becomes their number and
 * *my_info_index_p the index of this process. Each pointer may be NULL. The
 * array belongs to the library and is constant. */
void gex_System_QueryNbrhdInfo(gex_RankInfo_t **info_p,
                               gex_Rank_t *info_count_p,
                               gex_Rank_t *my_info_index_p);
void gex_System_QueryHostInfo(gex_RankInfo_t **info_p, gex_Rank_t *info_count_p,
                              gex_Rank_t *my_info_index_p);

/* Stores the number of neighbourhoods in the job, the number of hosts, and this
 * process's own neighbourhood and host, numbered from 0. Each pointer may be
 * NULL. */
void gex_System_QueryMyPosition(gex_Rank_t *nbrhd_set_size_p,
                                gex_Rank_t *nbrhd_set_rank_p,
                                gex_Rank_t *host_set_size_p,
                                gex_Rank_t *host_set_rank_p);

/* Sets *count_p to the number of threads that the client must start, and
 * *info_p to their descriptions. A client with GEX_FLAG_DEFER_THREADS calls
 * this once, in main-line code. Returns GASNET_OK; GASNET_ERR_RESOURCE for a
 * client without that flag; GASNET_ERR_BAD_ARG for a NULL pointer or flags that
 * are not 0. */
int gex_System_QueryProgressThreads(gex_Client_t client, unsigned int *count_p,
                                    const gex_ProgressThreadInfo_t **info_p,
                                    gex_Flags_t flags);

GASNETI_EXTERN_C_END

#endif /* GASNET_EX_JOB_H_ */
