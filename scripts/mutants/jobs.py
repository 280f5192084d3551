"""Mistakes in the start and the end of jobs."""

from mutants.base import mutant, row

mutant(
    "exit_code_lost", "job/launch/exit_policy.cc",
    "  code_ = code;\n",
    "  static_cast<void>(code);\n",
    row("job_exit"),
)
mutant(
    "getenv_is_the_own_one", "export/core.cc",
    "return const_cast<char*>(gasnet::GetEnv(name));",
    "return getenv(name);",
    row("job_environment"),
)

# --- The end of ranks ---

mutant(
    "killed_rank_is_success", "job/launch/exit_policy.cc",
    "badness == Badness::kCrash && badness_ == Badness::kNone;",
    "badness == Badness::kCrash && badness_ == Badness::kCrash;",
    "//job/launch:exit_policy_test",
)

# --- The processes that look after ranks ---

mutant(
    "report_of_a_rank_before_its_start", "job/launch/rank_reports.cc",
    "    if (type != FrameType::kStarted) return false;\n",
    "    if (type == FrameType::kRankEnded) return false;\n",
    "//job/launch:rank_reports_test",
)
mutant(
    "statistics_name_any_peer", "job/statistics/job_statistics.cc",
    "return peer.peer < entries_.size();",
    "return peer.peer <= entries_.size();",
    "//job/statistics:job_statistics_test",
)
mutant(
    "statistics_beyond_the_limit_are_lost", "job/statistics/statistics_writer.cc",
    "    AddTo(other_bytes, peers_.back().bytes);\n",
    "",
    "//job/statistics:rank_statistics_test",
)
mutant(
    "first_statistics_of_a_rank_count", "job/statistics/job_statistics.cc",
    "  entries_[rank] = std::move(entry);\n",
    "  if (entries_[rank] == nullptr) entries_[rank] = std::move(entry);\n",
    "//job/statistics:job_statistics_test",
)
mutant(
    "statistics_always_wanted", "tools/gasnetrun/launch.cc",
    "  Announce(plan, job::kStatisticsVariable, line.statistics);\n",
    "  Announce(plan, job::kStatisticsVariable, true);\n",
    "//tools/gasnetrun/testing:statistics_test",
)
mutant(
    "guardian_spares_descendants", "job/launch/guardian.cc",
    "kill(-group, SIGKILL)",
    "kill(group, SIGKILL)",
    "//job/launch:guardian_test",
)
mutant(
    "welcome_before_all_have_joined", "job/launch/joining.h",
    "return joined_ == has_joined_.size();",
    "return joined_ + 1 >= has_joined_.size();",
    "//job/launch:supervisor_test",
)

# --- A rank's own side ---

mutant(
    "second_exit_sent", "job/control_link.cc",
    "  if (exit_sent_.exchange(true)) return;\n",
    "  exit_sent_.exchange(true);\n",
    "//job:control_link_test",
)
mutant(
    "monitor_runs_the_clients_handlers", "job/monitor.cc",
    "  const BlockAllSignals inherited_by_the_thread;\n",
    "",
    "//job:monitor_test",
)
mutant(
    "monitor_ends_with_success_without_a_launcher", "job/monitor.cc",
    "  }\n  return {true, EXIT_FAILURE};",
    "  }\n  return {true, EXIT_SUCCESS};",
    "//job:monitor_test",
)
mutant(
    "settings_of_a_life_kept", "job/job.cc",
    "WithChanges(start.environment, start.own_settings, OwnSettings()));",
    "WithChanges(start.environment, start.own_settings, start.own_settings));",
    "//conformance:smp_par_fast_job_lives",
)
mutant(
    "memory_of_a_life_kept", "job/job.cc",
    "if (host_rank_ == 0 && ftruncate(host_memory_fd(), 0) != 0) {",
    "if (host_rank_ == 1 && ftruncate(-1, 0) != 0 && errno == 0) {",
    "//conformance:smp_par_fast_job_lives",
)
mutant(
    "records_of_a_life_kept", "extended/record_table.cc",
    "state.operations = nullptr;",
    "static_cast<void>(state);",
    "//conformance:smp_par_fast_job_lives",
)
mutant(
    "mappings_of_a_life_kept", "export/job_functions.h",
    "    WithdrawMappings();\n    job::Job&",
    "    job::Job&",
    "//conformance:smp_par_fast_job_lives",
)
mutant(
    "end_of_a_life_without_others", "core/runtime/runtime.cc",
    "while (!job_.IsBarrierOver()) {\n    engine().WaitStep",
    "while (false) {\n    engine().WaitStep",
    "//conformance:udp_par_fast_job_lives",
)
mutant(
    "process_with_threads_forked", "job/launch/forkable.cc",
    "if (threads <= 1) return absl::OkStatus();",
    "return absl::OkStatus();",
    "//tools/gasnetrun/testing:gasnetrun_test",
)

# --- Memory that ranks share ---

mutant(
    "segments_overlap", "core/hostshm/segments.cc",
    "next += RoundUp(by_rank[rank].size, kSegmentAlignment);",
    "next += RoundUp(1, kSegmentAlignment) / 2;",
    "//core/hostshm:segments_test_par",
)
mutant(
    "groups_share_their_rings", "core/hostshm/rings.cc",
    "begin_(StatusBytes(job) + my_group_ * group_bytes_)",
    "begin_(StatusBytes(job) + my_group_ / 2 * group_bytes_)",
    "//core/hostshm:rings_test_seq",
)

# --- Several endpoints of a rank ---

mutant(
    "endpoints_share_a_doorbell", "core/hostshm/endpoint_rings.cc",
    "{memory.peer_bells, partner, partner}",
    "{memory.peer_bells, own, own}",
    "//core/hostshm:endpoint_rings_test_par",
)
mutant(
    "endpoint_not_announced", "core/network/partners.cc",
    "if (source_->Announce(peer, own_, index) != am::Post::kDone) {",
    "if (source_ == nullptr) {",
    "//core/runtime/testing:two_endpoints_smp_par_test",
)
mutant(
    "other_endpoints_unserved", "core/network/link.cc",
    "    if (is_polled) continue;\n",
    "    if (is_polled || handled == 0) continue;\n",
    "//core/runtime/testing:two_endpoints_smp_seq_test",
)
mutant(
    "segment_of_endpoint_0_for_all", "core/runtime/endpoints.cc",
    "  link.SetOwnSegment(own);\n",
    "  if (own.size == 0) link.SetOwnSegment(own);\n",
    "//core/runtime/testing:two_endpoints_smp_par_test",
)
mutant(
    "reply_to_the_same_index", "core/am/engine.h",
    "      copy.across = token.across;\n",
    "      copy.across = 0;\n",
    "//core/runtime/testing:two_endpoints_udp_par_test",
)
mutant(
    "fragments_forget_their_endpoint", "core/am/assembly.cc",
    "      .endpoint = fragment.endpoint,\n",
    "      .endpoint = 0,\n",
    "//core/runtime/testing:two_endpoints_udp_par_test",
)
mutant(
    "portals_header_forgets_the_endpoint", "conduits/portals/packet.cc",
    "  header.endpoint = message.endpoint;\n",
    "",
    "//core/runtime/testing:two_endpoints_portals_par_test",
)

# --- Legal callers and times ---

mutant(
    "early_call_accepted", "core/phase.h",
    "  if (CurrentPhase() == Phase::kNone) [[unlikely]]\n",
    "  if (call == nullptr) [[unlikely]]\n",
    row("misuse_early"),
)
mutant(
    "call_before_attach_accepted", "core/phase.h",
    "  if (CurrentPhase() != Phase::kAttached) [[unlikely]]\n",
    "  if (CurrentPhase() == Phase::kNone) [[unlikely]]\n",
    row("misuse_early"),
)
mutant(
    "stranger_is_read_before_its_proof", "job/wire/proven_reader.cc",
    "  return kFirstBytes - frames_.unread().size();",
    "  return size_t{1} << 18;",
    "//job/wire:proven_reader_test",
)
mutant(
    "launcher_stops_after_it_was_continued", "job/launch/launcher_signals.cc",
    "if (!sigismember(&pending, SIGCONT)) kill",
    "kill",
    "//job/launch:launcher_signals_test",
)

# --- A job that hangs ---

mutant(
    "long_wait_is_not_told", "core/am/waits.h",
    "      status_->BeginWait(describe());\n",
    "",
    "//core/am:told_wait_test_par",
)
mutant(
    "told_wait_is_told_for_ever", "core/am/waits.h",
    "      status_->EndWait();\n",
    "",
    "//core/am:told_wait_test_par",
)
mutant(
    "next_poll_is_not_noted", "core/hostshm/host_link.cc",
    "  status_->NotePolled();\n",
    "",
    "//core/hostshm:next_poll_test_par",
)
mutant(
    "status_is_read_from_the_first_page", "job/status/rank_status.cc",
    "static_cast<off_t>(place) * kStatusPageBytes",
    "static_cast<off_t>(place) / 2 * kStatusPageBytes",
    "//job/status:rank_status_test",
)
mutant(
    "who_has_come_last_is_missing", "job/status/wait_targets.cc",
    "static_cast<uint32_t>(waiting.first)) < 0;",
    "static_cast<uint32_t>(waiting.first)) <= 0;",
    "//job/status:diagnosis_test",
)
mutant(
    "rank_in_a_handler_counts_as_waiting", "job/status/job_status.h",
    "return Waits() && status.unpolled_nanos >= kLongestWithoutPoll;",
    "return false;",
    "//job/status:chains_test",
)
mutant(
    "stall_is_told_again", "job/launch/status_desk.cc",
    "if (causes == reported_) return;",
    "",
    "//job/launch:status_desk_test",
)
mutant(
    "stall_with_another_cause_is_not_told", "job/launch/status_desk.cc",
    "report_from_ = 2 * longest;",
    "report_from_ = kNever;",
    "//job/launch:status_desk_test",
)
mutant(
    "other_hosts_are_not_asked", "tools/gasnetrun/remote/agent.cc",
    "      return ranks_->AskStatus();\n",
    "      return;\n",
    "//tools/gasnetrun/testing:status_test",
)
