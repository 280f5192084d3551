"""Mistakes in how jobs start and end."""

from mutants.base import mutant, row

mutant(
    "exit_code_lost", "core/job/exit_policy.cc",
    "  code_ = code;\n",
    "  static_cast<void>(code);\n",
    row("job_exit"),
)
mutant(
    "getenv_is_the_own_one", "api/export/core.inc",
    "return const_cast<char*>(gasnet::GetEnv(name));",
    "return getenv(name);",
    row("job_environment"),
)
