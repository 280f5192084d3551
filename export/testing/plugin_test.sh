#!/bin/bash
# plugin_test.sh ARCHIVE GASNETRUN: checks that a plugin that contains the
# archive may be closed (dlclose), before or after it has ended GASNet. It stays
# in memory, since GASNet's threads run in it and exit handlers call it. If it
# is opened again, GASNet starts anew.
set -euo pipefail

archive=$1
gasnetrun=$(realpath "$2")
failed=false
fail() {
  printf 'FAILED: %s\n' "$*"
  failed=true
}

cat >"$TEST_TMPDIR/plugin.c" <<'PLUGIN'
#include <gasnet.h>
#include <gasnet_finalize.h>
int plugin_end(void) { return gasnet_finalize() != GASNET_OK; }
int plugin_start(int *argc, char ***argv) {
  return gasnet_init(argc, argv) != GASNET_OK ||
         gasnet_attach(0, 0, 0, 0) != GASNET_OK;
}
PLUGIN

# "start" starts a job in the plugin. "load" only loads it. "lives" opens it,
# starts and ends a job, and closes it, three times.
cat >"$TEST_TMPDIR/program.c" <<'PROGRAM'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int is_mapped(const char *name) {
  char line[4096];
  int found = 0;
  FILE *const maps = fopen("/proc/self/maps", "r");
  while (fgets(line, sizeof line, maps)) found |= strstr(line, name) != 0;
  fclose(maps);
  return found;
}
int main(int argc, char **argv) {
  const int lives = strcmp(argv[2], "lives") == 0;
  for (int life = 0; life < (lives ? 3 : 1); ++life) {
    void *const plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    int (*start)(int *, char ***);
    int (*end)(void);
    if (plugin == 0) return puts(dlerror()), 2;
    *(void **)&start = dlsym(plugin, "plugin_start");
    *(void **)&end = dlsym(plugin, "plugin_end");
    if (strcmp(argv[2], "load") != 0 && start(&argc, &argv) != 0) return 3;
    if (lives && end() != 0) return 5;
    if (dlclose(plugin) != 0) return 4;
  }
  puts(is_mapped("plugin.so") ? "stays" : "is gone");
  return 0;
}
PROGRAM

cc -std=c11 -shared -fPIC -DGASNET_PAR=1 -Iapi/include -Iconduits/smp/include \
  "$TEST_TMPDIR/plugin.c" "$archive" -lstdc++ -lm -pthread \
  -o "$TEST_TMPDIR/plugin.so"
cc -D_GNU_SOURCE "$TEST_TMPDIR/program.c" -o "$TEST_TMPDIR/program"

# expect WHAT COMMAND...: checks that the command succeeds, and that every
# process prints "stays".
expect() {
  local said
  said=$("${@:2}" 2>&1) || fail "$1: it ended with $?: $said"
  [[ $(sort -u <<<"$said") == stays ]] || fail "$1: it said: $said"
}

program=("$TEST_TMPDIR/program" "$TEST_TMPDIR/plugin.so")
expect "a plugin that was only loaded" "${program[@]}" load
expect "a plugin that is a job of one" "${program[@]}" start
expect "a plugin of a job" "$gasnetrun" -n 2 "${program[@]}" start
expect "a plugin that ends a job of one" "${program[@]}" lives
expect "a plugin that ends its part in a job" "$gasnetrun" -n 2 "${program[@]}" lives
(cd "$TEST_TMPDIR" && expect "a relative name" ./program ./plugin.so start &&
  ! $failed) || failed=true

! $failed
