#!/bin/bash
# two_libraries_test.sh CORE LIBRARY LIBRARY: checks that a process with shared
# libraries of two conduits ends with a message that names both, in any order.
# With either alone the program runs.
set -euo pipefail

failed=false
fail() {
  printf 'FAILED: %s\n' "$*"
  failed=true
}

# soname LIBRARY
soname() {
  readelf -dW "$1" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p'
}

cp tools/install/testing/client.c "$TEST_TMPDIR"
for library in "$@"; do
  cp "$library" "$TEST_TMPDIR/$(soname "$library")"
done
first=$(soname "$2") second=$(soname "$3")
readonly first second headers=$PWD/api/include
cd "$TEST_TMPDIR"
readonly linking=("-Wl,--no-as-needed,-rpath,$PWD")

# client LIBRARY...
client() {
  gcc -DGASNET_PAR "-I$headers" client.c "${linking[@]}" "$@" -o client
}

# is_refused WHAT
is_refused() {
  local said
  if said=$(./client 2>&1); then
    fail "$1 runs: $said"
  elif [[ $said != *"two libraries of GASNet"* || $said != *CONDUIT=SMP* ||
    $said != *CONDUIT=UDP* ]]; then
    fail "$1 ends without a clear message: $said"
  fi
}

for library in "$first" "$second"; do
  client "./$library"
  said=$(./client 2>&1) || said+=" (status $?)"
  [[ $said == "node 0 of 1" ]] || fail "$library alone: $said"
done

# The program links one library, and a library of the program links another.
cat >late.c <<'PROGRAM'
#include <dlfcn.h>
#include <stdio.h>
#include <gasnet.h>
int main(int argc, char **argv) {
  if (gasnet_init(&argc, &argv) != GASNET_OK) return 0;
  if (!dlopen("./libruntime.so", RTLD_NOW | RTLD_LOCAL)) puts(dlerror());
  return 0;
}
PROGRAM
for order in "$first $second" "$second $first"; do
  read -r one other <<<"$order"
  client "./$one" "./$other"
  is_refused "$one before $other"
  echo 'int runtime(void) { return 0; }' |
    gcc -x c - -x none -fPIC -shared "${linking[@]}" "./$other" -o libruntime.so
  client "./$one" ./libruntime.so
  is_refused "$one before a library that links $other"
  gcc -DGASNET_PAR "-I$headers" late.c "${linking[@]}" "./$one" -o client
  is_refused "$one, and a library that is loaded late and links $other"
done

# Makes two plugins that are independent of each other.
for library in "$first" "$second"; do
  echo '#include <gasnet.h>
    int plugin(int *argc, char ***argv) { return gasnet_init(argc, argv); }' |
    gcc -x c - -x none -DGASNET_PAR "-I$headers" -fPIC -shared \
      "${linking[@]}" "./$library" -o "plugin-$library"
done
cat >client.c <<'PROGRAM'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv) {
  int i, status = 0, count = argc;
  char **rest = argv;
  for (i = 1; i < count; ++i) {
    void *loaded = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
    int (*plugin)(int *, char ***);
    if (!loaded) return puts(dlerror());
    *(void **)&plugin = dlsym(loaded, "plugin");
    argc = 1;
    status |= plugin(&argc, &rest);
  }
  return status;
}
PROGRAM
gcc client.c -o plugins
for order in "$first $second" "$second $first"; do
  read -r one other <<<"$order"
  printf '#!/bin/sh\nexec ./plugins ./plugin-%s ./plugin-%s\n' \
    "$one" "$other" >client
  chmod +x client
  is_refused "a plugin with $one before one with $other"
  ./plugins "./plugin-$one" || fail "a plugin with $one alone: status $?"
done

# A library that is loaded but not started does not prevent another one from
# starting. The other one sends datagrams, so it needs libraries that the first
# does not.
cat >client.c <<'PROGRAM'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv) {
  void *idle = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  void *loaded = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
  int (*plugin)(int *, char ***);
  if (!idle || !loaded) return puts(dlerror());
  *(void **)&plugin = dlsym(loaded, "plugin");
  return plugin(&argc, &argv);
}
PROGRAM
gcc client.c -o second
GASNET_PSHM_NODES=2 GASNET_SUPERNODE_MAXSIZE=1 \
  ./second "./plugin-$first" "./plugin-$second" ||
  fail "a plugin with $second beside an idle one with $first: status $?"

! $failed
