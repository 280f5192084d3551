// The settings that choose how collectives travel: constants of tuning.h,
// modified by the environment.
#ifndef COLL_SETTINGS_H_
#define COLL_SETTINGS_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "coll/tuning.h"

namespace gasnet::coll {

// The settings, the same on all nodes of a job, since both ends of a part
// decide by them.
struct Settings {
  // The largest eager parts, in bytes; an eager part travels in one message.
  // eager_near: among near nodes, which map each other's segments. eager_far:
  // among others, and among near nodes for algorithms with
  // Traits::is_all_eager.
  size_t eager_near = kEagerNear;
  size_t eager_far = kEagerFar;
  // The sizes of parts, in bytes, that are pushed among near nodes if all send
  // at once: the receiver announces the dest and the sender copies. Other parts
  // are pulled: the sender announces the source and the receiver copies.
  size_t push_from = kPushFrom;
  size_t push_to = kPushTo;
  // The largest contributions, in bytes, that are all sent whole to the node
  // that combines them. Two nodes that share no memory always do so. Larger
  // contributions are cut into slices: one for each node, or as many as nodes
  // run at once.
  size_t flat_reduce = kFlatReduce;
  // The largest number of nodes that all send to all at once.
  size_t flat_far = kFlatFar;
  size_t flat_near = kFlatNear;
  // The smallest number of nodes that pass small prefixes from one to the next,
  // if all share memory and are not a crowd.
  size_t chain_from = kChainFrom;
  // The smallest number of nodes of a crowd (crowd.h). In a crowd small blocks
  // from all to all, meetings and barriers go through one node, and small
  // prefixes go in rounds.
  size_t central_from = kCentralFrom;
  // The segment size in bytes of pipelined broadcasts between hosts: a host
  // forwards one segment while it receives the next. 0: no pipeline.
  size_t segment = kSegment;
  // The smallest blocks, in bytes, of a gather_all between hosts that go round
  // a ring of nodes.
  size_t ring_from = kRingFrom;
  // The largest sizes, in bytes, that go in rounds (Bruck), if there are too
  // many nodes to send all to all: all blocks of a gather_all together, and
  // each block of an exchange.
  size_t rounds_gather = kRoundsGather;
  size_t rounds_exchange = kRoundsExchange;
  // The largest total size in bytes of a host's blocks in a scatter or gather
  // that go in one message to or from its leader; at most eager_far.
  size_t leaders = kLeaders;
};

// Returns the settings for nodes whose messages carry at most max_medium bytes.
Settings SettingsFromEnvironment(size_t max_medium);

// Returns the settings as text: one line for each, with its name, a blank and
// its value.
std::string DescribeSettings(const Settings& settings);

// Changes the setting that such a line names. # begins a comment; an empty line
// changes nothing. Returns a description of the line's error, or an empty
// string. Messages carry at most max_medium bytes.
std::string ReadSetting(std::string_view line, size_t max_medium,
                        Settings& settings);

}  // namespace gasnet::coll

#endif  // COLL_SETTINGS_H_
