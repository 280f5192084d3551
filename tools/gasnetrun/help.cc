#include "tools/gasnetrun/command_line.h"

namespace gasnet::gasnetrun {

const char kHelpText[] =
    R"(Usage: gasnetrun -n N [options] program [arguments]
       gasnetrun --status [--json] [JOB]

Starts N ranks of a GASNet program, on this host or on several, and sees the job
through to its end: whole lines of output, one exit code, nothing left behind.

  -n, -np, --np N        number of ranks, 1 to 65535
  -H, --host HOST[:SLOTS],...
                         the hosts to run on, through ssh
      --hostfile FILE    the same from a file, a host a line
  -N, --host-count N     run on the first N of the hosts, evenly
      --map-by HOW       block: neighbouring ranks together, evenly
                         cyclic: one rank on each host in turn
                         slots: each host's slots in turn (the default if
                         slots are known and suffice; otherwise block)
      --spawner HOW      local: all ranks on this host; ssh: all through ssh;
                         slurm: through srun, in a job of Slurm; pmix: through
                         prterun or mpirun
  -E, --env NAME[=VALUE] set NAME for the job (repeatable); without =VALUE, make
                         sure that NAME, or each of NAME,NAME..., is set here
      --tag-output       put "[rank] " in front of every line
      --timeout SECONDS  end the job after this long
      --bind WHERE       none: ranks run anywhere (the default)
                         cpu: one logical CPU for each rank, in turn
                         core: all CPUs of one core for each rank, in turn
                         spread: the CPUs divided evenly among the ranks
  -spawn F, -depth D     like amudprun's: --spawner local (L) or ssh (S),
                         and GASNET_NETWORKDEPTH=D
  -spawner=HOW           like GASNet's scripts': fork (on this host), ssh
                         (to other hosts), mpi or pmi (several hosts through
                         srun, prterun or mpirun, if there is one)
  -v, --verbose          report the events of every rank
  -t, --dry-run          show what would be started, and start nothing
  -c N, -k               have no effect: CPUs of a rank, files to keep
      --stats[=FILE.svg] print at the end the ranks' time in GASNet and their
                         traffic, and draw them in FILE.svg
      --status [JOB]     report what holds up a running job: that of the
                         gasnetrun with process number JOB, or your only one
      --json             report it as JSON
  -h, --help             this text
      --version          the version
  --                     end of the options

Options end at the program; its arguments are its own. Rank 0 reads standard
input, the others /dev/null.

Without -H and --hostfile the hosts are those of GASNET_SSH_SERVERS (a list) or
SSH_SERVERS, GASNET_SSH_NODEFILE or GASNET_NODEFILE (a file), or of the Slurm,
PBS, LSF or SGE job that this is part of; without any, this host.

Exit code: that of the job, which is the code of the first gasnet_exit (or exit)
or, while others are exiting too, the first that is not 0. Otherwise
  124      --timeout was reached
  125      gasnetrun itself failed, or was called wrongly
  126      the program cannot be run
  127      the program was not found
  128+S    a rank was killed by signal S, or gasnetrun received it

SIGINT, SIGTERM, SIGHUP and SIGQUIT end the job: the ranks get SIGQUIT and, after
GASNET_EXITTIMEOUT seconds, SIGKILL; a second signal kills at once. SIGUSR1 is
passed on to the ranks. SIGUSR2 makes gasnetrun print what holds up the job,
like --status. SIGTSTP (^Z) and SIGCONT stop and continue the job.
)";

}  // namespace gasnet::gasnetrun
