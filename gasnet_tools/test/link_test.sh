#!/bin/bash
# link_test.sh TOOLS GASNET: checks that a program links with the tools alone,
# with a libgasnet that contains them, and with both in either order. Its own
# gasnett_backtrace_user overrides the library's. A program that is compiled for
# the other form does not link.
set -euo pipefail

tools=$1
gasnet=$2
failed=false
fail() {
  printf 'FAILED: %s\n' "$*"
  failed=true
}

cat >"$TEST_TMPDIR/alone.c" <<'CLIENT'
#include <gasnet_tools.h>
static int print(int fd) { return fd - 7; }
gasnett_backtrace_type_t gasnett_backtrace_user = {"OWN", print, 1};
int main(void) {
  static gasnett_mutex_t mutex = GASNETT_MUTEX_INITIALIZER;
  gasnett_mutex_lock(&mutex);
  gasnett_mutex_unlock(&mutex);
  return gasnett_print_backtrace(7);
}
CLIENT
cat >"$TEST_TMPDIR/client.c" <<'CLIENT'
#include <gasnet.h>
#include <gasnet_tools.h>
#include <string.h>
int main(int argc, char **argv) {
  gasnett_setenv("TOOLS_LINK_BEFORE", "1");
  if (gasnet_init(&argc, &argv) != GASNET_OK) return 1;
  if (gasnet_attach(NULL, 0, GASNET_PAGESIZE, 0) != GASNET_OK) return 2;
  if (strcmp(gasnett_getenv("TOOLS_LINK_GIVEN"), "given") != 0) gasnet_exit(3);
  /* The job's environment, not that of the process. */
  gasnet_exit(unsetenv("TOOLS_LINK_GIVEN") != 0 ||
              gasnett_getenv("TOOLS_LINK_GIVEN") == NULL ||
              gasnet_getenv("TOOLS_LINK_BEFORE") == NULL);
  return 4;
}
CLIENT
sed -i '1i #include <stdlib.h>' "$TEST_TMPDIR/client.c"

# build SOURCE FLAG...
build() {
  cc -std=c11 -D_GNU_SOURCE=1 -Iapi/include -Iconduits/smp/include \
    -Igasnet_tools/include "$TEST_TMPDIR/$1.c" "${@:2}" -lstdc++ -lm -pthread \
    -o "$TEST_TMPDIR/$1" 2>&1
}

# runs WHAT SOURCE FLAG...
runs() {
  local said
  said=$(build "${@:2}") || {
    fail "$1 does not link: $said"
    return
  }
  TOOLS_LINK_GIVEN=given "$TEST_TMPDIR/$2" || fail "$1 ends with $?"
}

runs "the tools alone" alone -DGASNETT_THREAD_SAFE=1 "$tools"
runs "the tools with no form chosen" alone "$tools"
runs "gasnet alone" client -DGASNET_PAR=1 "$gasnet"
runs "tools before gasnet" client -DGASNET_PAR=1 "$tools" "$gasnet"
runs "gasnet before tools" client -DGASNET_PAR=1 "$gasnet" "$tools"

if said=$(build alone -DGASNETT_THREAD_SAFE=0 "$tools"); then
  fail "a program of the sequential form links with the other library"
elif [[ $said != *gasnetti_tools_compiled_for_SEQ* ]]; then
  fail "it does not link, without the reason: $said"
fi

! $failed
