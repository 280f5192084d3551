"""Mistakes in how jobs start and end."""

from mutants.base import mutant, row

mutant(
    "exit_code_lost", "job/launch/exit_policy.cc",
    "  code_ = code;\n",
    "  static_cast<void>(code);\n",
    row("job_exit"),
)
mutant(
    "empty_values_are_values", "base/own_env.h",
    "return value != nullptr && *value != '\\0' ? value : nullptr;",
    "return value;",
    "//conformance:empty_values_test",
)
mutant(
    "getenv_is_the_own_one", "export/core.inc",
    "return const_cast<char*>(gasnet::GetEnv(name));",
    "return getenv(name);",
    row("job_environment"),
)

# --- How ranks end ---

mutant(
    "killed_rank_is_success", "job/launch/exit_policy.cc",
    "badness == Badness::kCrash && badness_ == Badness::kNone;",
    "badness == Badness::kCrash && badness_ == Badness::kCrash;",
    "//job/launch:exit_policy_test",
)
mutant(
    "return_of_zero_ends_the_job", "job/launch/exit_policy.cc",
    "code == 0 || patience_ends_ != kNever",
    "patience_ends_ != kNever",
    "//tools/gasnetrun/testing:gasnetrun_test",
)

# --- Who looks after them ---

mutant(
    "report_of_a_rank_before_its_start", "job/launch/rank_reports.cc",
    "    if (type != FrameType::kStarted) return false;\n",
    "    if (type == FrameType::kRankEnded) return false;\n",
    "//job/launch:rank_reports_test",
)
mutant(
    "gather_of_a_rank_that_has_not_joined", "job/launch/rank_reports.cc",
    "return joined() && TakeOfJoined",
    "return TakeOfJoined",
    "//job/launch:rank_reports_test",
)
mutant(
    "guardian_spares_descendants", "job/launch/guardian.cc",
    "kill(-group, SIGKILL)",
    "kill(group, SIGKILL)",
    "//job/launch:guardian_test",
)
mutant(
    "guardian_holds_descriptors", "job/launch/guardian.cc",
    "  CloseAllBut(static_cast<unsigned>(launcher_is_alive));\n",
    "",
    "//job/launch:guardian_test",
)
mutant(
    "last_output_of_a_rank_lost", "job/launch/rank_process.cc",
    "  ReadOutput();\n  observer_.OnEnded",
    "  observer_.OnEnded",
    "//job/launch:rank_process_test",
)
mutant(
    "signal_to_any_process_that_a_rank_names", "job/launch/rank_process.cc",
    "joined_pid_ > 0 && getpgid(joined_pid_) == pid_",
    "joined_pid_ > 0",
    "//job/launch:rank_process_test",
)
mutant(
    "ranks_of_a_lost_host_waited_for", "job/launch/supervisor_end.cc",
    "    lost_ranks = true;\n    policy_.Gone();\n",
    "    lost_ranks = true;\n",
    "//job/launch:supervisor_test",
)
mutant(
    "welcome_before_all_have_joined", "job/launch/supervisor_join.cc",
    "joined_ == plan_.size) {",
    "joined_ + 1 >= plan_.size) {",
    "//job/launch:supervisor_test",
)

# --- A rank's own side ---

mutant(
    "children_inherit_the_handoff", "job/bootstrap.cc",
    "  unsetenv(Handoff::kVariable);\n",
    "",
    "//job:bootstrap_test",
)
mutant(
    "result_of_another_gather_taken", "job/control_link.cc",
    "if (done == begun || result.sequence != done) return;",
    "if (done == begun) return;",
    "//job:control_link_test",
)
mutant(
    "second_exit_sent", "job/control_link.cc",
    "  if (exit_sent_.exchange(true)) return;\n",
    "  exit_sent_.exchange(true);\n",
    "//job:control_link_test",
)
mutant(
    "ranks_of_all_hosts_counted", "job/membership.cc",
    "host_of.begin() + rank, host_of[rank]);",
    "host_of.begin() + rank, host_of[0]);",
    "//job:membership_test",
)
mutant(
    "monitor_runs_the_clients_handlers", "job/monitor.cc",
    "  const BlockAllSignals inherited_by_the_thread;\n",
    "",
    "//job:monitor_test",
)
mutant(
    "monitor_ends_with_success_without_a_launcher", "job/monitor.cc",
    "  }\n  return EXIT_FAILURE;\n}",
    "  }\n  return EXIT_SUCCESS;\n}",
    "//job:monitor_test",
)
mutant(
    "second_thread_ends_the_process", "job/process_end.cc",
    "  if (claim == Claim::kOfAnother) AwaitEnd();\n",
    "",
    "//job:process_end_test",
)
mutant(
    "end_interrupted_by_handlers", "job/process_end.cc",
    "  pthread_sigmask(SIG_SETMASK, &blocked, nullptr);\n",
    "",
    "//job:process_end_test",
)
mutant(
    "ignored_sigquit_swallows_a_termination", "job/process_end.cc",
    "!IsDefault(quit) && !IsIgnored(quit);",
    "!IsDefault(quit);",
    "//job:process_end_test",
)
mutant(
    "inherited_ignorance_is_the_clients", "job/process_end.cc",
    "!(IsIgnored(quit) && quit_was_ignored_at_start);",
    "!(IsIgnored(quit) && false);",
    "//tools/gasnetrun/testing:gasnetrun_test",
)
mutant(
    "prompt_waits_for_its_line", "job/launch/rank_process.cc",
    "prompts ? NowNanos() + kPartialLineNanos : kNever",
    "prompts ? kNever : kNever",
    "//job/launch:rank_process_test",
)
mutant(
    "forked_rank_stopped_by_tostop", "job/launch/spawn.cc",
    "  WriteToTheTerminal();\n",
    "",
    "//tools/gasnetrun/testing:terminal_test",
)
mutant(
    "terminal_not_lent", "job/launch/host_ranks.cc",
    "    TakeStop(*rank);\n",
    "",
    "//tools/gasnetrun/testing:terminal_test",
)
mutant(
    "unread_input_stays_with_the_borrower", "job/launch/terminal_loan.cc",
    "  if (HasInput()) TakeBack(borrower_);\n",
    "",
    "//tools/gasnetrun/testing:terminal_test",
)
mutant(
    "process_with_threads_forked", "job/launch/forkable.cc",
    "if (threads <= 1) return absl::OkStatus();",
    "return absl::OkStatus();",
    "//tools/gasnetrun/testing:gasnetrun_test",
)
mutant(
    "clients_streams_waited_for_behind_a_read", "job/stdio_flush.cc",
    "!has_stderr || !Lock(stdin, 1)) return;",
    "!has_stderr) return;",
    "//job:stdio_flush_test",
)

# --- Memory that they share ---

mutant(
    "barriers_not_compared", "core/hostshm/segments.cc",
    "  RequireSameBarrier(job.rank(), parts);\n",
    "",
    "//core/hostshm:segments_test_par",
)
mutant(
    "segments_overlap", "core/hostshm/segments.cc",
    "next += RoundUp(wishes[rank].size, kSegmentAlignment);",
    "next += RoundUp(1, kSegmentAlignment) / 2;",
    "//core/hostshm:segments_test_par",
)
mutant(
    "groups_share_their_rings", "core/hostshm/rings.cc",
    "begin_(MyGroup(job, group_size) * GroupBytes(job, group_size))",
    "begin_(MyGroup(job, group_size) / 2 * GroupBytes(job, group_size))",
    "//core/hostshm:rings_test_seq",
)

# --- Who may call, and when ---

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
    "forked_child_may_call", "core/phase.cc",
    "  if (page.phase == Phase::kNone) WipeInChildren(&page, sizeof page);\n",
    "",
    row("job_fork"),
)
mutant(
    "stranger_is_read_before_its_proof", "job/wire/proven_reader.cc",
    "  return kFirstBytes - frames_.unread().size();",
    "  return size_t{1} << 18;",
    "//job/wire:proven_reader_test",
)
