#!/bin/bash
# Runs tests: without targets, those that find most in the least time. --all:
# all tests, three times, in the configurations below. --full: also those that
# repeat the results of others, with all numbers of nodes. Ends with the times
# of tests, and `N passed, N failed, N skipped`, counted in test cases.
set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/common.sh
source "$root/scripts/common.sh"

results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT

# Bazel's exit code after a signal. Bazel handles the signal, so the shell
# continues.
interrupted=8
is_interrupted=false

# run_configuration NAME [BAZEL ARGUMENTS]
run_configuration() {
  local name=$1
  shift
  ! $is_interrupted || return 0
  say "== tests, $name"
  bazel_do test --keep_going --test_summary=terse \
    --build_event_json_file="$results/events" "$@"
  local status=$?
  [[ $status != "$interrupted" ]] || is_interrupted=true
  python3 "$root/scripts/summarize_tests.py" collect "$name" \
    "$results/events" "$status" >>"$results/cases" || exit 1
  # Without events there is nothing to time, as reported above.
  [[ ! -e $results/events ]] || python3 "$root/scripts/test_times.py" collect \
    "$name" "$results/events" >>"$results/times" || exit 1
  rm -f "$results/events"
}

# Runs one configuration, which .bazelrc explains.
run_short() {
  run_configuration short --config=short --build_tests_only "$@" //...
}

# Builds first, since both would take longer at once than one after the other:
# ranks that wait in a test take processors from the compilers.
build_and_run() {
  local name=$1
  shift
  ! $is_interrupted || return 0
  say "== build, $name"
  bazel_do build --keep_going --show_result=0 "$@"
  [[ $? != "$interrupted" ]] || is_interrupted=true
  run_configuration "$name" "$@"
}

run_everything() {
  build_and_run plain "$@" "${everything[@]}"
  build_and_run asan+ubsan "$@" --config=asan_ubsan --build_tests_only //...
  build_and_run tsan "$@" --config=tsan --build_tests_only //...
}

# Runs a query. A package that does not load must not keep others from being
# tested.
query() {
  bazel_do query --noshow_progress --keep_going "$1" || true
}

# Prints the tests that $1 names: a target pattern, or a part of labels.
# Includes tests that run only on request if no other test matches.
matching_tests() {
  local all="filter('$1', tests(//...))" found
  case $1 in
    //* | :* | *:* | *...) found=$1 ;;
    *) found=$(query "$all except attr(tags, '\bmanual\b', $all)") ;;
  esac
  printf '%s' "${found:-$(query "$all")}"
}

run_named() {
  local options=() targets=() name='' argument
  for argument in "$@"; do
    if [[ $argument == -* ]]; then
      options+=("$argument")
      [[ $argument != --config=* ]] || name=${argument#--config=}
    else
      local found
      found=$(matching_tests "$argument")
      [[ -n $found ]] || die "no test has '$argument' in its name"
      mapfile -t -O "${#targets[@]}" targets <<<"$found"
    fi
  done
  # Compiles as without names, but omits no test and no number of nodes.
  [[ -n $name ]] || options=(--config=short --test_tag_filters=
    --//build_defs:brief=false "${options[@]}")
  run_configuration "${name:-plain}" "${options[@]}" -- "${targets[@]}"
}

everything=(//...)
run_unnamed=run_short
case ${1:-} in
  --all)
    shift
    run_unnamed=run_everything
    ;;
  --full)
    shift
    run_unnamed=run_everything
    everything+=(//conformance:full)
    # Three tests at a time share the processors. Some providers of libfabric
    # need minutes for a row that others finish in seconds.
    set -- --//build_defs:full=true --test_env=CONFORMANCE_TIME_LIMIT=240 "$@"
    ;;
esac
named=false
for argument in "$@"; do
  [[ $argument == -* ]] || named=true
done
if $named; then run_named "$@"; else $run_unnamed "$@"; fi

[[ ! -e $results/times ]] ||
  python3 "$root/scripts/test_times.py" report "$results/times"
python3 "$root/scripts/summarize_tests.py" report "$results/cases"
