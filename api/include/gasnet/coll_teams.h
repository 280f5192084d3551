/* Collectives: preparation, teams, team barriers, tuning and profiles.
 * gasnet_coll.h has the rules of all collectives.
 */
#ifndef GASNET_COLL_TEAMS_H_
#define GASNET_COLL_TEAMS_H_

#include "gasnet/abi.h"
#include "gasnet/coll_types.h"

GASNETI_EXTERN_C_BEGIN

/* The team of all nodes of the job, in order of node index. */
#define GASNET_TEAM_ALL gasneti_team_all
extern const gasnet_team_handle_t gasneti_team_all;

/* Prepares for collectives of both families. The call is collective, and does
 * not wait for other nodes. It is made once, after gasnet_attach and before any
 * other collective.
 * - images: the number of images of each node, the same array on all nodes, or
 *   NULL for one image on each node. A node with several images makes this
 *   call once for each image, on a different thread; that thread is the image
 *   from then on. Several images require GASNET_PAR.
 * - my_image: the calling image's number. Images of lower nodes come first;
 *   the images of one node are consecutive. Ignored when images is NULL.
 * - fn_tbl, fn_count: a table of functions for reductions; NULL and 0 for no
 *   functions. The table is copied. All images give the same functions in the
 *   same order.
 * - init_flags: 0.
 *
 * Other values, and a second call, are fatal. Without this call, the first
 * collective warns once and uses the defaults: NULL and 0 for all arguments.
 * One later call may then still give functions. Debug builds end the job
 * instead. */
void gasnet_coll_init(const gasnet_image_t images[], gasnet_image_t my_image,
                      gasnet_coll_fn_entry_t fn_tbl[], size_t fn_count,
                      int init_flags);

/* Divides parent and returns the calling node's new team. Nodes that give the
 * same color form a team. Its nodes are ordered by relrank; nodes with equal
 * relranks keep their order in parent. relranks need not be consecutive. The
 * call is collective over parent and waits for all nodes of parent. Every image
 * calls; all images of a node give the same arguments.
 * - clientdata: a gasnet_seginfo_t of memory in this node's segment that the
 *   team may use, or NULL. This implementation ignores the argument.
 *
 * Calls on a team number roots and blocks in the team's own order. A node may
 * be in any number of teams; a team stays until gasnete_coll_team_free. Nodes
 * that share several teams must begin operations on them in a consistent order.
 * An invalid team, or a team that the node is not in, is fatal. */
gasnet_team_handle_t gasnet_coll_team_split(gasnet_team_handle_t parent,
                                            gasnet_node_t color,
                                            gasnet_node_t relrank,
                                            void *clientdata);

/* Names that programs written for other implementations use: internal names of
 * the team type, the team of all nodes and the split function. */
typedef gasnet_team_handle_t gasnete_coll_team_t;
#define gasnete_coll_team_all GASNET_TEAM_ALL
#define gasnete_coll_team_split gasnet_coll_team_split

/* Returns the number of nodes in the team. This function and the next two do
 * not communicate. */
gasnet_node_t gasnete_coll_team_size(gasnet_team_handle_t team);

/* Returns the node with the given rank in the team; ranks count from 0. Any
 * other rank is fatal. */
gasnet_node_t gasnete_coll_team_rank2node(gasnet_team_handle_t team,
                                          gasnet_node_t rank);

/* Returns the rank of `node` in the team, or (gasnet_node_t)-1 if the node is
 * not in the team. */
gasnet_node_t gasnete_coll_team_node2rank(gasnet_team_handle_t team,
                                          gasnet_node_t node);

/* Frees this node's record of a team that a split has made. The handle is
 * invalid afterwards. The call is illegal while the node or any of its images
 * has an operation of the team under way. The call is local and is made once
 * per node. Other nodes may go on with the team's last operation, and their
 * handles stay valid. A handle that no split has made is fatal. */
void gasnete_coll_team_free(gasnet_team_handle_t team);

/* Barriers of a team. They correspond to gasnet_barrier_notify, _wait, _try and
 * gasnet_barrier of the job (gasnet/barrier.h). id, flags, results and errors
 * are the same. Without GASNET_BARRIERFLAG_IMAGES each node calls once; with
 * this flag each image calls. All nodes must call a team's barriers and its
 * other collectives in the same order. Between notify and wait a node or image
 * may call other collectives, but may not notify the same team again (see
 * gasnet_barrier_notify). Team barriers do not synchronise puts and gets. */
void gasnet_coll_barrier_notify(gasnet_team_handle_t team, int id, int flags);
int gasnet_coll_barrier_wait(gasnet_team_handle_t team, int id, int flags);
int gasnet_coll_barrier_try(gasnet_team_handle_t team, int id, int flags);
int gasnet_coll_barrier(gasnet_team_handle_t team, int id, int flags);

/* Appends to file the sizes at which collectives of the team change their
 * algorithms, as lines of text ("name value"; # begins a comment). The call is
 * not collective: any node may call. If several nodes call, give each a file of
 * its own. A file that cannot be written causes a warning. The call is legal
 * wherever collectives are. */
void gasnet_coll_dumpTuningState(char *file, gasnet_team_handle_t team);

/* Reads lines that gasnet_coll_dumpTuningState wrote and uses their values from
 * now on. team must be GASNET_TEAM_ALL. The call is collective: each node calls
 * once, and the file of node 0 is used. An unreadable file, an unknown name or
 * a value out of range is fatal; the message names the line. A NULL file
 * changes nothing. The call is illegal while any operation is under way. */
void gasnet_coll_loadTuningState(char *file, gasnet_team_handle_t team);

/* Appends to file a line for each kind of operation. The line says how often
 * this node has begun the operation on the team, and how many bytes these
 * calls named. Sorting and reductions of unequal contributions are not
 * counted. The rules for the file and the caller are those of
 * gasnet_coll_dumpTuningState. */
void gasnet_coll_dumpProfile(char *file, gasnet_team_handle_t team);

GASNETI_EXTERN_C_END

#endif /* GASNET_COLL_TEAMS_H_ */
