#!/bin/bash
# headers_test.sh COMPILER: checks that the headers compile without a warning in
# every language and form, alone and with gasnet.h before or after them, and
# that the locks of the sequential form compile to nothing.
set -euo pipefail

compiler=$1
command -v "$compiler" >/dev/null || {
  echo "SKIP: $compiler is not installed"
  exit 0
}
failed=false
fail() {
  printf 'FAILED: %s\n' "$*"
  failed=true
}

readonly strict=(-Wall -Wextra -Wpedantic -Wshadow -Werror -Iapi/include
  -Igasnet_tools/include)

# compile STANDARD FLAG...: compiles standard input as C or C++.
compile() {
  local language=c
  [[ $1 != c++* ]] || language=c++
  "$compiler" -x "$language" "-std=$1" "${strict[@]}" "${@:2}" -
}

body() {
  cat <<'CLIENT'
GASNETT_IDENT(client_ident, "$client$");
GASNETT_THREADKEY_DECLARE(client_key);
GASNETT_THREADKEY_DEFINE(client_key);
int guarded(gasnett_mutex_t *mutex, int *value);
int guarded(gasnett_mutex_t *mutex, int *value) {
  int result;
  gasnett_mutex_lock(mutex);
  result = ++*value;
  gasnett_mutex_unlock(mutex);
  return result;
}
gasnett_atomic_t client_count = gasnett_atomic_init(1);
gasnett_tick_t client_ticks = GASNETT_TICK_MAX;
const char *named(void);
const char *named(void) { return GASNETT_CURRENT_FUNCTION; }
int counted(void *value);
int counted(void *value) {
  gasnett_threadkey_set(client_key, value);
  return gasnett_threadkey_get(client_key) == value &&
         gasnett_atomic_swap(&client_count, GASNETT_ATOMIC_MAX, 0) == 1 &&
         gasnett_atomic_signed(client_count) > GASNETT_ATOMIC_SIGNED_MIN;
}
CLIENT
}

alone() {
  echo '#include <gasnet_tools.h>'
  body
}
with_gasnet() {
  printf '#include <%s>\n' "$@"
  body
}

for standard in c90 c11 c17 c++17 c++20; do
  for flag in -DGASNETT_THREAD_SAFE=0 -DGASNETT_THREAD_SAFE=1 -pthread -O0; do
    alone | compile "$standard" -O2 "$flag" -c -o "$TEST_TMPDIR/client.o" ||
      fail "$compiler -std=$standard $flag"
  done
  for mode in SEQ PARSYNC PAR; do
    with_gasnet gasnet.h gasnet_tools.h |
      compile "$standard" "-DGASNET_$mode=1" -c -o "$TEST_TMPDIR/client.o" ||
      fail "$compiler -std=$standard, tools after gasnet.h, GASNET_$mode"
    with_gasnet gasnet_tools.h gasnet.h |
      compile "$standard" "-DGASNET_$mode=1" -c -o "$TEST_TMPDIR/client.o" ||
      fail "$compiler -std=$standard, tools before gasnet.h, GASNET_$mode"
  done
done

# Compiles programs from before C11 and C++17, most of which strict compilers
# reject, and programs with flags for more warnings.
for standard in gnu89 c99 c++98 c++11; do
  with_gasnet gasnet.h gasnet_tools.h |
    compile "$standard" -Wno-pedantic -Wno-variadic-macros -DGASNET_PAR -c \
      -o "$TEST_TMPDIR/client.o" || fail "$compiler -std=$standard"
done
for standard in c11 c++17; do
  casts=()
  [[ $standard != c++* ]] || casts=(-Wold-style-cast)
  alone | compile "$standard" -DGASNETT_THREAD_SAFE=1 -Wconversion \
    -Wsign-conversion -Wcast-qual -Wcast-align -Wundef -Wredundant-decls \
    -Wwrite-strings "${casts[@]}" -c -o "$TEST_TMPDIR/client.o" ||
    fail "$compiler -std=$standard, a careful program"
done

# Uses the inlined parts in either form, without linking a library.
lite() {
  cat <<'CLIENT'
#include <gasnet_tools.h>
GASNETT_IDENT(lite_ident, "$lite$");
static gasnett_atomic_t count = gasnett_atomic_init(1);
int main(void) {
  gasnett_local_mb();
  gasnett_spinloop_hint();
  return GASNETT_PREDICT_FALSE(gasnett_atomic_add(&count, 1, 0) != 2);
}
CLIENT
}
for standard in c90 c11 c++17; do
  for flag in "" -pthread; do
    if ! lite | compile "$standard" -DGASNETT_LITE_MODE ${flag:+"$flag"} \
      -o "$TEST_TMPDIR/lite" || ! "$TEST_TMPDIR/lite"; then
      fail "$compiler -std=$standard $flag, without a library"
    fi
  done
done
# GASNETT_THREAD_SINGLE is another name for the sequential form.
printf '%s\n' '#include <gasnet_tools.h>' 'int form[GASNETT_MAX_THREADS == 1 ? 1 : -1];' |
  compile c11 -DGASNETT_THREAD_SINGLE -pthread -c -o "$TEST_TMPDIR/client.o" ||
  fail "$compiler, GASNETT_THREAD_SINGLE"

# True mutexes are those of the thread-safe form.
alone | compile c11 -O2 -DGASNETT_THREAD_SAFE=0 -DGASNETT_USE_TRUE_MUTEXES -S \
  -o "$TEST_TMPDIR/true.s"
grep -q pthread_mutex_lock "$TEST_TMPDIR/true.s" ||
  fail "$compiler, GASNETT_USE_TRUE_MUTEXES"

# A debug build checks the use of locks even if they do nothing.
alone | compile c11 -O2 -DGASNETT_THREAD_SAFE=0 -S -o "$TEST_TMPDIR/seq.s"
! grep -E 'pthread|gasnetti_(check|note)' "$TEST_TMPDIR/seq.s" ||
  grep -q 'define GASNET_DEBUG' \
    gasnet_tools/include/gasnet_tools/build_config.h ||
  fail "a lock of the sequential form is more than nothing"

! $failed
