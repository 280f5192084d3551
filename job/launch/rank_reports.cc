#include "job/launch/rank_reports.h"

#include <signal.h>

#include <iterator>
#include <optional>
#include <string>

namespace gasnet::job {

void RankReporter::OnStarted(uint32_t rank, pid_t pid) {
  Report(FrameType::kStarted,
         {.rank = rank, .value = static_cast<uint32_t>(pid)});
}

void RankReporter::OnHello(uint32_t rank, const Hello& hello) {
  Report(FrameType::kRankHello,
         {.rank = rank, .value = hello.pid, .bytes = hello.config});
}

void RankReporter::OnGather(uint32_t rank, const GatherPart& part) {
  Report(FrameType::kRankGather,
         {.rank = rank, .value = part.sequence, .bytes = part.bytes});
}

void RankReporter::OnExit(uint32_t rank, int code) {
  Report(FrameType::kRankExit,
         {.rank = rank, .value = static_cast<uint32_t>(code)});
}

void RankReporter::OnChannelClosed(uint32_t rank, const std::string& why) {
  Report(FrameType::kRankClosed, {.rank = rank, .bytes = why});
}

void RankReporter::OnOutput(uint32_t rank, Stream stream,
                            std::string_view lines) {
  Report(
      FrameType::kRankOutput,
      {.rank = rank, .value = static_cast<uint32_t>(stream), .bytes = lines});
}

void RankReporter::OnEnded(uint32_t rank, int wait_status) {
  Report(FrameType::kRankEnded,
         {.rank = rank, .value = static_cast<uint32_t>(wait_status)});
}

void RankReporter::OnStatus(uint32_t rank, const RankStatus& status) {
  const std::string bytes = EncodeStatus(status);
  Report(FrameType::kRankStatus, {.rank = rank, .bytes = bytes});
}

void RankReporter::OnStatistics(uint32_t rank,
                                const RankStatistics& statistics) {
  const std::string bytes = Encode(statistics);
  Report(FrameType::kRankStatistics, {.rank = rank, .bytes = bytes});
}

bool ReportedRank::Take(FrameType type, const Note& note,
                        RankObserver& observer) {
  if (state_ == State::kUnstarted) {
    if (type != FrameType::kStarted) return false;
    state_ = State::kStarted;
    observer.OnStarted(note.rank, static_cast<pid_t>(note.value));
    return true;
  }
  if (type == FrameType::kRankOutput) {
    if (note.value >= std::size(kStreams)) return false;
    observer.OnOutput(note.rank, kStreams[note.value], note.bytes);
    return true;
  }
  if (ended()) return false;
  return TakeOfRunning(type, note, observer);
}

bool ReportedRank::TakeOfRunning(FrameType type, const Note& note,
                                 RankObserver& observer) {
  switch (type) {
    case FrameType::kRankHello:
      if (joined()) return false;
      state_ = State::kJoined;
      observer.OnHello(
          note.rank,
          {.rank = note.rank, .pid = note.value, .config = note.bytes});
      return true;
    case FrameType::kRankClosed:
      observer.OnChannelClosed(note.rank, std::string(note.bytes));
      return true;
    case FrameType::kRankEnded:
      state_ = State::kEnded;
      observer.OnEnded(note.rank, static_cast<int>(note.value));
      return true;
    case FrameType::kRankStatus: {
      const std::optional<RankStatus> status = DecodeStatus(note.bytes);
      if (status.has_value()) observer.OnStatus(note.rank, *status);
      return status.has_value();
    }
    default:
      return joined() && TakeOfJoined(type, note, observer);
  }
}

bool ReportedRank::TakeOfJoined(FrameType type, const Note& note,
                                RankObserver& observer) {
  switch (type) {
    case FrameType::kRankGather:
      observer.OnGather(note.rank, {note.value, note.bytes});
      return true;
    case FrameType::kRankExit:
      observer.OnExit(note.rank, static_cast<int>(note.value));
      return true;
    case FrameType::kRankStatistics: {
      RankStatistics statistics;
      if (!Decode(note.bytes, statistics)) return false;
      observer.OnStatistics(note.rank, statistics);
      return true;
    }
    default:
      return false;
  }
}

void ReportedRank::Lose(uint32_t rank, RankObserver& observer) {
  if (ended()) return;
  state_ = State::kEnded;
  observer.OnEnded(rank, SIGKILL);
}

}  // namespace gasnet::job
