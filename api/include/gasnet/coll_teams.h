/* Collectives: preparation, teams, their barriers, and what the library has
 * chosen. gasnet_coll.h has the rules of all of them.
 */
#ifndef GASNET_COLL_TEAMS_H_
#define GASNET_COLL_TEAMS_H_

#include "gasnet/abi.h"
#include "gasnet/coll_types.h"

GASNETI_EXTERN_C_BEGIN

/* All nodes of the job, in their order. */
#define GASNET_TEAM_ALL gasneti_team_all
extern const gasnet_team_handle_t gasneti_team_all;

/* Prepares for collectives, of both families: once, after gasnet_attach and
 * before any other; collective.
 * images: how many images each node has, the same array on all nodes, or NULL
 *   for one each. With several on a node, each of its images calls this, in a
 *   thread of its own, which speaks for that image from then on. That takes
 *   GASNET_PAR: in other modes no node has several.
 * my_image: the calling image's number: those of lower nodes, and then of
 *   this node, come first. Ignored when images is NULL.
 * fn_tbl, fn_count: functions for reductions; NULL and 0 for none. Copied. All
 *   images give the same functions in the same order.
 * init_flags: 0.
 * Other values, and a second call, are fatal. Waits for nobody.
 * Without it the first collective starts as with NULL and 0, and says so once;
 * a call that follows may then bring functions. Debug builds end the job there.
 */
void gasnet_coll_init(const gasnet_image_t images[], gasnet_image_t my_image,
                      gasnet_coll_fn_entry_t fn_tbl[], size_t fn_count,
                      int init_flags);

/* Divides parent: those of its nodes that give the same color are a new team,
 * which is returned, ordered by relrank and, where that is equal, as in parent;
 * relranks need not be consecutive. Collective over parent; waits for all of
 * it, and is called by every image, all of a node with the same arguments.
 * clientdata: a gasnet_seginfo_t of memory in this node's segment that the
 *   team may use, or NULL; it is not needed here, and ignored.
 * In calls on a team roots and blocks are numbered in its own order. A node may
 * be in any number of teams; they stay until gasnete_coll_team_free. Operations
 * on different teams are begun in an order that is consistent among the nodes
 * that share them. A team that is none, or that the node is not in, is fatal.
 */
gasnet_team_handle_t gasnet_coll_team_split(gasnet_team_handle_t parent,
                                            gasnet_node_t color,
                                            gasnet_node_t relrank,
                                            void *clientdata);

/* The same teams under the names of the functions behind gasnet_coll_*, which
 * programs for other implementations call. */
typedef gasnet_team_handle_t gasnete_coll_team_t;
#define gasnete_coll_team_all GASNET_TEAM_ALL
#define gasnete_coll_team_split gasnet_coll_team_split

/* Returns how many nodes are in the team. Like the next two it is local. */
gasnet_node_t gasnete_coll_team_size(gasnet_team_handle_t team);

/* Returns the node of the job that has this rank in the team, from 0. Another
 * rank is fatal. */
gasnet_node_t gasnete_coll_team_rank2node(gasnet_team_handle_t team,
                                          gasnet_node_t rank);

/* Returns the rank in the team of this node of the job, or (gasnet_node_t)-1
 * where the node is not in it. */
gasnet_node_t gasnete_coll_team_node2rank(gasnet_team_handle_t team,
                                          gasnet_node_t node);

/* Gives back what this node keeps of a team that a split has made. Not while it
 * or any of its images has an operation of the team under way; the handle is
 * dead afterwards. Local: other nodes may go on with the team's last operation,
 * and their handles stay. One call a node. Another handle is fatal. */
void gasnete_coll_team_free(gasnet_team_handle_t team);

/* Barriers of a team, as gasnet_barrier_notify, _wait, _try and gasnet_barrier
 * are of the job (gasnet/barrier.h): id and flags mean the same, with the same
 * results and errors. Of nodes, one call each, without
 * GASNET_BARRIERFLAG_IMAGES; with it of images, each of which calls. Such a
 * barrier is one of the collectives of the team, in their order; others may
 * come between notify and wait, but no second notify of the team by the same
 * node or image (see gasnet_barrier_notify). They do not synchronise puts and
 * gets. */
void gasnet_coll_barrier_notify(gasnet_team_handle_t team, int id, int flags);
int gasnet_coll_barrier_wait(gasnet_team_handle_t team, int id, int flags);
int gasnet_coll_barrier_try(gasnet_team_handle_t team, int id, int flags);
int gasnet_coll_barrier(gasnet_team_handle_t team, int id, int flags);

/* Appends to file, as lines of text, by which sizes collectives of the team
 * choose their ways ("name value"; # begins a comment). Called by any node,
 * on its own; in a job on several nodes give each a file of its own, or call on
 * one. A file that cannot be written is a warning. Legal where collectives
 * are. */
void gasnet_coll_dumpTuningState(char *file, gasnet_team_handle_t team);

/* Reads such lines and goes by them from now on. Collective over the team,
 * which is GASNET_TEAM_ALL, one call a node; the file of node 0 counts. One
 * that cannot be read, an unknown name or a value out of range is fatal, with
 * its line. NULL asks for nothing. Not while any operation is under way. */
void gasnet_coll_loadTuningState(char *file, gasnet_team_handle_t team);

/* Appends to file how often this node has begun each kind of operation on the
 * team, and how many bytes it named, a line each. Like dumpTuningState. Sorting
 * and reductions of unequal contributions do not count. */
void gasnet_coll_dumpProfile(char *file, gasnet_team_handle_t team);

GASNETI_EXTERN_C_END

#endif /* GASNET_COLL_TEAMS_H_ */
