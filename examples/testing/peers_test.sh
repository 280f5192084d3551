#!/bin/bash
# peers_test.sh PEERS: checks the output of the program without a launcher, and
# under launchers.
set -euo pipefail

peers=$1
ranks=5
# Different from the identifiers of tests that run at the same time.
first=$((100 + $$ % 900))

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

# start RANK_VARIABLE SIZE_VARIABLE: starts the ranks, the last one first.
start() {
  local rank
  for ((rank = ranks - 1; rank > 0; --rank)); do
    env "$1=$rank" "$2=$ranks" "$peers" "$first" &
  done
  env "$1=0" "$2=$ranks" "$peers" "$first"
  wait
}

expect() {
  [[ $2 == "peers: the token has seen $1 of $1" ]] || fail "$2"
}

expect 1 "$("$peers" "$first")"
expect $ranks "$(start OMPI_COMM_WORLD_RANK OMPI_COMM_WORLD_SIZE)"
expect $ranks "$(start PMI_RANK PMI_SIZE)"
expect $ranks "$(start SLURM_PROCID SLURM_STEP_NUM_TASKS)"
if command -v mpirun >/dev/null; then
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  export PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
  # Open MPI 5 does not start without HOME.
  export HOME="${HOME:-$TEST_TMPDIR}"
  expect $ranks "$(mpirun --oversubscribe -n $ranks "$peers" "$first")"
else
  echo "skipped: under mpirun, which is not installed (./dev setup does it)"
fi
