// The settings that choose how the data of collectives travels. The defaults
// are the constants of tuning.h; the environment can change them.
#ifndef COLL_SETTINGS_H_
#define COLL_SETTINGS_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "coll/tuning.h"

namespace gasnet::coll {

// The settings. They must be the same on all nodes of a job, because both ends
// of a part use them to decide how it travels.
struct Settings {
  // The largest eager parts, in bytes. An eager part travels in one message.
  // eager_near applies to near nodes, which map each other's segments.
  // eager_far applies to other nodes, and also to near nodes for algorithms
  // with Traits::is_all_eager.
  size_t eager_near = kEagerNear;
  size_t eager_far = kEagerFar;
  // The smallest and the largest size, in bytes, of parts that are pushed among
  // near nodes if all nodes send at once. The receiver of a pushed part
  // announces the dest, and the sender copies. Parts of other sizes are pulled:
  // the sender announces the source and the receiver copies.
  size_t push_from = kPushFrom;
  size_t push_to = kPushTo;
  // The largest contributions, in bytes, that all nodes send whole to the node
  // that combines them. Two nodes that share no memory do so for any size.
  // Larger contributions are cut into slices: one for each node, or as many as
  // there are nodes that run at once.
  size_t flat_reduce = kFlatReduce;
  // The largest number of nodes among which every node sends to every other one
  // directly. flat_near applies if all nodes of the team share memory, flat_far
  // otherwise.
  size_t flat_far = kFlatFar;
  size_t flat_near = kFlatNear;
  // The smallest number of nodes that compute small prefixes as a chain, each
  // node passing its result to the next. All nodes must share memory and must
  // not be a crowd.
  size_t chain_from = kChainFrom;
  // The smallest number of nodes of a crowd (crowd.h). In a crowd, meetings,
  // barriers and small blocks from all nodes to all go through one node, and
  // small prefixes go in rounds.
  size_t central_from = kCentralFrom;
  // The segment size, in bytes, of pipelined broadcasts between hosts: a host
  // forwards one segment while it receives the next. 0 disables the pipeline.
  size_t segment = kSegment;
  // The smallest blocks, in bytes, for which a gather_all between hosts passes
  // blocks around a ring of nodes.
  size_t ring_from = kRingFrom;
  // The largest sizes, in bytes, that travel in rounds (Bruck's algorithm) if
  // there are too many nodes for sending from each to all others. It is the
  // size of all blocks together for a gather_all, and of each block for an
  // exchange.
  size_t rounds_gather = kRoundsGather;
  size_t rounds_exchange = kRoundsExchange;
  // The largest total size, in bytes, of a host's blocks in a scatter or gather
  // that travel in one message to or from the host's leader; at most eager_far.
  size_t leaders = kLeaders;
};

// Returns the default settings, changed by the environment. Messages carry at
// most max_medium bytes, which limits eager parts.
Settings SettingsFromEnvironment(size_t max_medium);

// Returns the settings as text. Each line has a setting's name, a blank and its
// value.
std::string DescribeSettings(const Settings& settings);

// Changes the setting that a line of this format names. # begins a comment. An
// empty line changes nothing. Returns an empty string, or a description of the
// error in the line. Messages carry at most max_medium bytes.
std::string ReadSetting(std::string_view line, size_t max_medium,
                        Settings& settings);

}  // namespace gasnet::coll

#endif  // COLL_SETTINGS_H_
