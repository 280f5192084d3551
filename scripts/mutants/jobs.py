"""Mistakes in how jobs start and end."""

from mutants.base import mutant, row

mutant(
    "exit_code_lost", "job/exit_policy.cc",
    "  code_ = code;\n",
    "  static_cast<void>(code);\n",
    row("job_exit"),
)
mutant(
    "getenv_is_the_own_one", "export/core.inc",
    "return const_cast<char*>(gasnet::GetEnv(name));",
    "return getenv(name);",
    row("job_environment"),
)

# --- How ranks end ---

mutant(
    "killed_rank_is_success", "job/exit_policy.cc",
    "badness == Badness::kCrash && badness_ == Badness::kNone;",
    "badness == Badness::kCrash && badness_ == Badness::kCrash;",
    "//job:exit_policy_test",
)
mutant(
    "return_of_zero_ends_the_job", "job/exit_policy.cc",
    "code == 0 || patience_ends_ != kNever",
    "patience_ends_ != kNever",
    row("job_return"),
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
    "stranger_is_read_before_its_proof", "job/proven_reader.cc",
    "  return kFirstBytes - frames_.unread().size();",
    "  return size_t{1} << 18;",
    "//job:proven_reader_test",
)
