// Implements gasnet_coll_dumpTuningState and related functions
// (gasnet/coll_teams.h).
#ifndef EXPORT_COLL_TUNER_STATE_H_
#define EXPORT_COLL_TUNER_STATE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "base/log.h"
#include "coll/request.h"
#include "coll/settings.h"
#include "export/coll/front.h"
#include "export/coll/team_record.h"
#include "gasnet/coll_teams.h"

namespace gasnet::exported {

// Appends text to the file. Warns if the file cannot be written.
void AppendToFile(const char* call, const char* file, const std::string& text);

// Returns the whole file. A file that cannot be read is fatal.
std::string ReadFile(const char* call, const char* file);

// Changes the settings that are named in the lines of `text`. An error in a
// line is fatal.
void ReadSettings(const char* call, const char* file, const std::string& text,
                  size_t max_medium, coll::CollSettings& settings);

// Returns a profile's line for one kind of collective, or an empty string if
// this kind was not used.
std::string UseLine(coll::CollectiveKind kind, const CollUse& use);

template <class P>
class CollTunerState {
 public:
  using Front = CollFront<P>;

  static void DumpState(const char* call, const char* file,
                        gasnet_team_handle_t team) {
    Front::Open(call);
    P::calls().teams.Find(call, team);
    AppendToFile(call, file, coll::DescribeSettings(P::engine().settings()));
  }

  static void DumpProfile(const char* call, const char* file,
                          gasnet_team_handle_t team) {
    Front::Open(call);
    const auto& record = P::calls().teams.Find(call, team);
    std::string text;
    for (unsigned kind = 0; kind < coll::kKinds; ++kind) {
      text +=
          UseLine(static_cast<coll::CollectiveKind>(kind), record.use[kind]);
    }
    AppendToFile(call, file, text);
  }

  // Reads the file on node 0 and changes the settings of all nodes. All nodes
  // that take part in an operation must use the same settings. So no node
  // changes its settings before all nodes have entered, and no node returns
  // before all have changed theirs.
  static void LoadState(const char* call, const char* file,
                        gasnet_team_handle_t team) {
    Front::Open(call);
    if (team != GASNET_TEAM_ALL) {
      Fatal(
          "%s: team must be GASNET_TEAM_ALL: nodes that go by different "
          "settings do not understand each other",
          call);
    }
    std::string text;
    if (P::node() == 0 && file != nullptr) text = ReadFile(call, file);
    size_t nbytes = text.size();
    Broadcast(call, &nbytes, sizeof(nbytes));
    text.resize(nbytes);
    Broadcast(call, text.data(), nbytes);
    coll::CollSettings settings = P::engine().settings();
    ReadSettings(call, file, text, P::engine().MaxEager(), settings);
    P::engine().Use(settings);
    Perform(Front::RequestOf(call, coll::CollectiveKind::kBarrier, 0, 0));
  }

 private:
  static void Broadcast(const char* call, void* at, size_t nbytes) {
    coll::CollectiveRequest request =
        Front::RequestOf(call, coll::CollectiveKind::kBroadcast, nbytes, 0);
    request.dests = at;
    request.root_area = at;
    Perform(request);
  }
  static void Perform(const coll::CollectiveRequest& request) {
    CollHandles<P>::Wait(
        Front::BeginAsNode(P::calls().teams.of_nodes(), request));
  }
};

}  // namespace gasnet::exported

#endif  // EXPORT_COLL_TUNER_STATE_H_
