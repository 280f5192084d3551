// The settings that determine how the data of collectives travels. Their
// defaults are the constants of tuning.h. Environment variables can change
// them.
#ifndef COLL_SETTINGS_H_
#define COLL_SETTINGS_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "coll/tuning.h"

namespace gasnet::coll {

// The settings. They must be the same on all nodes of a job, because sender and
// receiver both use them to decide how a part travels.
struct CollSettings {
  // The maximum sizes, in bytes, of eager parts. An eager part travels in one
  // message. eager_near applies to near nodes: nodes that map each other's
  // segments. eager_far applies to other nodes. With Traits::is_all_eager,
  // eager_far applies to near nodes too.
  size_t eager_near = kEagerNear;
  size_t eager_far = kEagerFar;
  // The minimum and the maximum size, in bytes, of parts that are pushed among
  // near nodes if all nodes send at once. The receiver of a pushed part
  // announces the dest, and the sender copies. Parts of other sizes are pulled:
  // the sender announces the source and the receiver copies.
  size_t push_from = kPushFrom;
  size_t push_to = kPushTo;
  // The maximum size, in bytes, of contributions that all nodes send whole to
  // the node that combines them. Two nodes that share no memory send
  // contributions of any size whole. Other contributions are cut into slices.
  // There is one slice for each node. A crowd may have fewer slices: at least
  // one for each node that runs at once.
  size_t flat_reduce = kFlatReduce;
  // The maximum number of nodes of a team in which every node sends directly to
  // every other node. flat_near applies if all nodes of the team share memory,
  // flat_far otherwise.
  size_t flat_far = kFlatFar;
  size_t flat_near = kFlatNear;
  // The minimum number of nodes that compute small prefixes as a chain: each
  // node passes its result to the next node. All nodes must share memory and
  // must not be a crowd.
  size_t chain_from = kChainFrom;
  // The minimum number of nodes of a crowd (crowd.h). In a crowd one node, the
  // center, relays meetings, barriers and small blocks from all nodes to all.
  // Small prefixes go in rounds.
  size_t central_from = kCentralFrom;
  // The segment size, in bytes, of pipelined broadcasts between hosts: a host
  // forwards one segment while it receives the next. 0 disables the pipeline.
  size_t segment = kSegment;
  // The minimum size, in bytes, of blocks that a gather_all between hosts
  // passes around a ring of nodes.
  size_t ring_from = kRingFrom;
  // The maximum sizes, in bytes, for which data travels in rounds (Bruck's
  // algorithm) if there are too many nodes for direct messages. rounds_gather
  // applies to all blocks of a gather_all together, rounds_exchange to each
  // block of an exchange.
  size_t rounds_gather = kRoundsGather;
  size_t rounds_exchange = kRoundsExchange;
  // The maximum total size, in bytes, of a host's blocks that travel in one
  // message. The message goes to or from the host's leader in a scatter or
  // gather. Sizes above eager_far have no effect.
  size_t leaders = kLeaders;
};

// Returns the default settings, changed by the environment. max_medium limits
// eager parts: a message carries at most max_medium bytes.
CollSettings SettingsFromEnvironment(size_t max_medium);

// Returns the settings as text. Each line has a setting's name, a space and the
// setting's value.
std::string DescribeSettings(const CollSettings& settings);

// Changes the setting that `line` names, in the format of DescribeSettings. A #
// begins a comment. An empty line changes nothing. Returns an empty string, or
// a description of the error in the line. Messages carry at most max_medium
// bytes.
std::string ReadSetting(std::string_view line, size_t max_medium,
                        CollSettings& settings);

}  // namespace gasnet::coll

#endif  // COLL_SETTINGS_H_
