#!/bin/bash
# abi.sh check LISTING LIBRARY...: compares the symbols that each shared library
# exports with the listing. abi.sh update LISTING LIBRARY...: rewrites it.
# abi.sh skip LISTING LIBRARY...: prints the reason for not comparing.
#
# One listing serves all conduits, modes and segments, which differ only in
# names and in the libraries of their networks. A checked build has more
# symbols. The listing has a line for each needed library and each symbol. The
# line of data that programs may copy into themselves includes its size.
set -euo pipefail
# shellcheck source=tools/install/testing/libraries.sh
source tools/install/testing/libraries.sh

# Prints the libraries that library $1 needs for its network, as lines of a
# listing begin.
network_needs() {
  network_libraries "$1" | tr ' ' '\n' | sed -n 's/^-l/needs lib/p' | sed 's/$/.so/'
}

# core MODE LIBRARY: prints the core next to the library, if it has one.
core() {
  local path
  path=$(echo "$(dirname "$2")/libgasnet-$1.so".*)
  [[ ! -e $path || $2 == *gasnet_tools* ]] || echo "$path"
}

listing() {
  local name mode conduit
  name=$(basename "$1")
  name=${name%%.so*}
  mode=${name##*-}
  conduit=${name#*-}
  conduit=${conduit%-*}
  {
    # shellcheck disable=SC2046 # one word or none
    readelf -dW "$1" $(core "$mode" "$1") |
      sed -n 's/.*(NEEDED).*\[\(.*\)\]/needs \1/p' | sort -u |
      grep -vFf <(network_needs "${name#lib}"; echo "needs libgasnet-$mode.so")
    # The library of all conduits names no single conduit, so use the others'
    # line.
    [[ $conduit != any ]] || echo constant gasneti_compiled_for_conduit_CONDUIT
    nm -DS -t d --defined-only "$1" | awk -v mode="$mode" '
      $4 ~ /^gasneti_core_/ { next }
      # PARSYNC has the tools in both forms.
      mode == "parsync" && $4 == "gasnetti_tools_compiled_for_SEQ" { next }
      $3 ~ /[BDV]/ { print "data", $4, "of", $2 + 0, "bytes"; next }
      $3 == "R" { print "constant", $4; next }
      { print "function", $4 }'
  } | sed -e "s/_threads_${mode^^}\$/_threads_MODE/" \
    -e "/ANY\$/! s/_conduit_${conduit^^}\$/_conduit_CONDUIT/" \
    -e 's/_segment_[A-Z]*$/_segment_SEGMENT/' \
    -e 's/_tools_compiled_for_[A-Z]*/_tools_compiled_for_FORM/' | LC_ALL=C sort
}

command=$1 expected=$2
shift 2
case $command in
  check)
    failed=false
    for library in "$@"; do
      listing "$library" | diff -u --label "$expected" --label "$library" \
        "$expected" - || failed=true
    done
    if $failed; then
      cat <<'ADVICE'
FAILED: the shared library is not as listed. If a line is gone or changed,
programs that are installed break: raise MAJOR of _ABI_VERSION in
tools/install/libraries.bzl; if one is new, raise MINOR. Then write the listing:
ADVICE
      printf '  bazel run //tools/install:update_abi_%s\n' \
        "$(basename "$expected" .txt)"
      exit 1
    fi
    ;;
  skip) echo "SKIP: $expected is of a build without checks" ;;
  update) listing "$1" >"$BUILD_WORKSPACE_DIRECTORY/$expected" ;;
esac
