// The settings decide how collectives travel: constants of tuning.h, or what
// the environment makes of them.
#ifndef COLL_SETTINGS_H_
#define COLL_SETTINGS_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "coll/tuning.h"

namespace gasnet::coll {

// The same on all nodes of a job: both ends of a part decide by them.
struct Settings {
  // Parts of up to so many bytes travel at once, in a message (eager): among
  // nodes that map each other's segments, but for forms that are eager up to
  // eager_far there too (Traits::is_all_eager), and to others.
  size_t eager_near = kEagerNear;
  size_t eager_far = kEagerFar;
  // From here to there a part goes by the receiver's word and the sender's copy
  // (push) among such nodes, where all send at once; else by the sender's word
  // and the receiver's copy (pull).
  size_t push_from = kPushFrom;
  size_t push_to = kPushTo;
  // Contributions of up to so many bytes are all sent to the node that combines
  // them, and those of two nodes that share no memory always; larger ones are
  // cut into a slice for each node, or as many as run at once.
  size_t flat_reduce = kFlatReduce;
  // Nodes up to which all send to all at once.
  size_t flat_far = kFlatFar;
  size_t flat_near = kFlatNear;
  // Nodes from which small prefixes go from one to the next, where all share
  // memory and are no crowd.
  size_t chain_from = kChainFrom;
  // Nodes that are a crowd, where all share memory and fewer processors: small
  // blocks of all for all, meetings and barriers go by way of one of them, and
  // small prefixes in rounds.
  size_t central_from = kCentralFrom;
  // Segments of pipelined broadcasts between hosts: a host forwards one while
  // it receives the next. 0: no pipeline.
  size_t segment = kSegment;
  // From so many bytes on the blocks of a gather_all between hosts go round a
  // ring of nodes.
  size_t ring_from = kRingFrom;
  // Among more nodes than send all to all: bytes of all blocks of a gather_all,
  // of each block of an exchange, up to which these go in rounds (Bruck).
  size_t rounds_gather = kRoundsGather;
  size_t rounds_exchange = kRoundsExchange;
  // The blocks of a host in a scatter or gather go in one message to or from
  // its leader, as long as they hold together up to so many bytes, and up to
  // eager_far.
  size_t leaders = kLeaders;
};

// For nodes whose messages carry at most so many bytes.
Settings SettingsFromEnvironment(size_t max_medium);

// The choices in force: a line each of a name, a blank and a value.
std::string DescribeSettings(const Settings& settings);

// Changes the setting that such a line names; # begins a comment, and an empty
// line changes nothing. Answers the fault of the line, or an empty string. For
// nodes whose messages carry at most so many bytes.
std::string ReadSetting(std::string_view line, size_t max_medium,
                        Settings& settings);

}  // namespace gasnet::coll

#endif  // COLL_SETTINGS_H_
