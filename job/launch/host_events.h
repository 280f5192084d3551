// Handles the reports of hosts about their ranks: welcomes ranks that join,
// relays gathers, reports departures, and passes reasons to end to JobEnd. It
// connects the objects that keep the state of the job. Used by one thread. No
// call blocks.
#ifndef JOB_LAUNCH_HOST_EVENTS_H_
#define JOB_LAUNCH_HOST_EVENTS_H_

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "job/launch/departures.h"
#include "job/launch/gather_board.h"
#include "job/launch/host.h"
#include "job/launch/job_end.h"
#include "job/launch/job_hosts.h"
#include "job/launch/job_output.h"
#include "job/launch/joining.h"
#include "job/launch/status_book.h"
#include "job/statistics/job_statistics.h"
#include "job/status/job_status.h"

namespace gasnet::job {

class HostEvents : public HostObserver {
 public:
  // All arguments must outlive this object. `environment` is the environment of
  // the job.
  HostEvents(const std::vector<std::string>& environment, JobHosts& hosts,
             JobOutput& output, JobEnd& end);

  void OnStarted(uint32_t rank, pid_t pid) override;
  void OnHello(uint32_t rank, const Hello& hello) override;
  void OnGather(uint32_t rank, const GatherPart& part) override;
  void OnExit(uint32_t rank, int code) override;
  void OnChannelClosed(uint32_t rank, const std::string& why) override;
  void OnOutput(uint32_t rank, Stream stream, std::string_view lines) override;
  void OnLacksTerminal(uint32_t rank, int signal_number) override;
  void OnEnded(uint32_t rank, int wait_status) override;
  void OnStatus(uint32_t rank, const RankStatus& status) override;
  void OnStatistics(uint32_t rank, const RankStatistics& statistics) override;
  void OnHostFailed(uint32_t host, int code, const std::string& why) override;
  void OnHostSays(const std::string& line) override;

  bool HasAnyJoined() const { return joining_.HasAny(); }
  bool HaveAllJoined() const { return joining_.HasAll(); }

  // Sets the receiver of the ranks' statistics. Statistics that arrive before
  // this call are dropped. `to` must outlive this object.
  void CollectStatistics(JobStatistics& to) { statistics_ = &to; }

  // Returns the state of all ranks at `now`: the status that each rank has
  // reported in the present round, and which ranks wait in the job's collective
  // calls.
  JobView View(int64_t now) const;
  StatusBook& statuses() { return statuses_; }
  // Returns true if the rank has started and not ended, and so may still report
  // its status.
  bool MayReport(uint32_t rank) const {
    return hosts_.HasStarted(rank) && !end_.HasEnded(rank);
  }

  // Ends the job if a rank's channel has closed early and the rank's process
  // has not ended in time.
  void CheckLostChannels(int64_t now);
  // Reports due departures to all ranks.
  void SendDepartures(int64_t now);
  // The time at which CheckLostChannels or SendDepartures next has work.
  int64_t deadline() const;

 private:
  void WelcomeAll();
  void EndedByItself(uint32_t rank, int wait_status);
  void ReturnedFromMain(uint32_t rank, int code, const std::string& note);
  void CheckGathers();
  void NoteDeparture(uint32_t rank);
  RankView::Phase PhaseOf(uint32_t rank) const;
  bool WaitsForOthers(uint32_t rank) const;
  void Lose(uint32_t rank, int code, const std::string& why);

  const std::vector<std::string>& environment_;
  JobHosts& hosts_;
  JobOutput& output_;
  JobEnd& end_;
  const bool catches_exit_;
  Joining joining_;
  GatherBoard gathers_;
  Departures departures_;
  StatusBook statuses_;
  JobStatistics* statistics_ = nullptr;
  // The time at which ranks began to wait for other ranks, in gasnet_init or a
  // gather.
  int64_t waiting_since_ = 0;
  // Indexed by rank: the time by which the rank's process must end after its
  // channel closed early.
  std::vector<int64_t> lost_deadlines_;
  bool has_any_returned_ = false;
  bool return_ends_job_ = false;  // a rank has sent kReturnEndsJob
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_HOST_EVENTS_H_
