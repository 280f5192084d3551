#!/bin/bash
# headers_test.sh COMPILER: checks that clients of every language and mode, and
# programs that use every name of a header, compile without a warning. A client
# that defines no mode, or two, must get an error that explains it.
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

readonly includes=(-Iapi/include -Igasnet_tools/include)
readonly strict=(-Wall -Wextra -Wpedantic -Werror "${includes[@]}")

# compile STANDARD FLAG...: compiles standard input as C or C++.
compile() {
  local language=c
  [[ $1 != c++* ]] || language=c++
  "$compiler" -x "$language" "-std=$1" "${strict[@]}" "${@:2}" -c - \
    -o "$TEST_TMPDIR/client.o"
}

client() {
  cat <<'CLIENT'
#include <gasnet.h>
#include <gasnet.h>
#include <gasnet/value.h>
int client(int *argc, char ***argv);
int client(int *argc, char ***argv) {
  static gasnet_hsl_t lock = GASNET_HSL_INITIALIZER;
  volatile int done = 0;
  if (gasnet_init(argc, argv) != GASNET_OK) return 1;
  if (gasnet_attach(NULL, 0, GASNET_PAGESIZE, 0) != GASNET_OK) return 2;
  gasnet_hsl_lock(&lock);
  gasnet_hsl_unlock(&lock);
  gasnet_AMRequestShort2(0, 200, 1, 2);
  gasnet_AMRequestMedium0(0, 201, argc, sizeof(*argc));
  gasnet_wait_syncnb(gasnet_put_nb(0, argc, argc, sizeof(*argc)));
  gasnet_put_val(0, argc, gasnet_get_val(0, argc, 4), 4);
  GASNET_BLOCKUNTIL(done);
  return (int)gasnet_mynode();
}
CLIENT
}

for mode in SEQ PARSYNC PAR; do
  for standard in c90 c11 c17 c++17 c++20; do
    client | compile "$standard" -O2 "-DGASNET_$mode=1" ||
      fail "$compiler -std=$standard, GASNET_$mode"
  done
done

# gasnet_vis.h compiles alone, and in any position among other headers.
for standard in c90 c11 c++17; do
  printf '%s\n' '#include <gasnet_vis.h>' 'gasnet_memvec_t piece;' |
    compile "$standard" || fail "$compiler -std=$standard, gasnet_vis.h alone"
  printf '#include <%s>\n' gasnet_vis.h gasnet.h gasnet_vis.h |
    compile "$standard" -DGASNET_PAR=1 ||
    fail "$compiler -std=$standard, gasnet_vis.h around gasnet.h"
done

# The constants and types of GASNet-EX need no mode. Their header defines no
# macro without the prefix of GASNet-EX.
for standard in c90 c11 c17 c++98 c++11 c++17 c++20; do
  printf '#include <%s>\n' gasnet_fwd.h gasnet_fwd.h |
    compile "$standard" -Wno-long-long || fail "$compiler -std=$standard, gasnet_fwd.h"
done
macros() { printf '#include <%s>\n' "$@" | "$compiler" "${includes[@]}" -dM -E -; }
others=$(comm -13 <(macros stddef.h stdint.h | sort) <(macros gasnet_fwd.h | sort) |
  grep -vE '^#define _?GEX_' || true)
[[ -z $others ]] || fail "gasnet_fwd.h defines $others"

# All headers compile in any order, each of them twice.
ex_headers=(gasnet_fwd.h gasnetex.h gasnet.h gasnet_coll.h gasnet_vis.h
  gasnet_ratomic.h gasnet_mk.h)
for first in "${ex_headers[@]}"; do
  for second in "${ex_headers[@]}"; do
    printf '#include <%s>\n' "$first" "$second" gasnet_tools.h "$first" |
      compile c11 -DGASNET_PAR=1 -fsyntax-only || fail "$compiler, $first and $second"
  done
done

ex_client() {
  printf '#include <%s>\n' gasnetex.h gasnet_ratomic.h gasnet_mk.h
  cat <<'CLIENT'
gex_Event_t client_event = GEX_EVENT_INVALID;
gex_Event_t client_no_op = GEX_EVENT_NO_OP;
gex_Event_t *client_options[] = {GEX_EVENT_NOW, GEX_EVENT_DEFER,
                                 GEX_EVENT_GROUP};
gex_MK_t client_kind = GEX_MK_HOST;
gex_AD_t client_domain = GEX_AD_INVALID;
gex_HSL_t client_lock = GEX_HSL_INITIALIZER;
gex_OP_t client_operations =
    GEX_OP_TO_FETCHING(GEX_OP_ADD) | GEX_OP_TO_NONFETCHING(GEX_OP_SWAP);
int client(gex_TM_t tm, gex_Rank_t rank, void *to);
int client(gex_TM_t tm, gex_Rank_t rank, void *to) {
  gex_Event_t event = gex_RMA_PutNB(tm, rank, to, &rank, 4, GEX_EVENT_NOW, 0);
  gex_Event_Wait(event);
  gex_HSL_Lock(&client_lock);
  gex_HSL_Unlock(&client_lock);
#if defined(__cplusplus) ? __cplusplus > 199711L : defined(gex_AM_RequestShort)
  if (gex_AM_RequestShort(tm, rank, 200, 0) != 0) return 1;
  if (gex_AM_RequestShort(tm, rank, 200, GEX_FLAG_IMMEDIATE, 1, 2) != 0)
    return 2;
#endif
  return gex_AM_RequestMedium3(tm, rank, 201, to, 8, GEX_EVENT_GROUP, 0, 1, 2,
                               3);
}
CLIENT
}
for standard in c90 c11 c17 c++17 c++20; do
  for mode in SEQ PARSYNC PAR; do
    ex_client | compile "$standard" -O2 "-DGASNET_$mode=1" ||
      fail "$compiler -std=$standard, an EX program, GASNET_$mode"
  done
done

# compile_older STANDARD: compiles programs from before C11 and C++17, most of
# which -Wpedantic would reject.
compile_older() {
  local language=c
  [[ $1 != *++* ]] || language=c++
  "$compiler" -x "$language" "-std=$1" -Wall -Wextra -Werror \
    "${includes[@]}" -DGASNET_PAR=1 -c - -o "$TEST_TMPDIR/client.o"
}
for standard in gnu89 c99 gnu99 c++98 gnu++11 c++14; do
  client | compile_older "$standard" ||
    fail "$compiler -std=$standard, a program of that time"
  ex_client | compile_older "$standard" ||
    fail "$compiler -std=$standard, an EX program of that time"
done

# The inline assembly compiles in either syntax.
[[ $(uname -m) != x86_64 ]] ||
  client | compile c11 -O2 -DGASNET_PAR=1 -masm=intel ||
  fail "$compiler, a program with -masm=intel"

# Programs may use these flags. Any warning in our headers becomes an error.
careful=(-Wshadow -Wconversion -Wsign-conversion -Wcast-qual -Wcast-align -Wundef
  -Wredundant-decls -Wmissing-declarations -Wwrite-strings -Wfloat-equal)
careful_c=(-Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition
  -Wnested-externs -Wbad-function-cast -Wdeclaration-after-statement)
careful_cxx=(-Wold-style-cast -Wextra-semi)
# The program's own code has no warnings either.
careful_client() {
  printf '#include <%s>\n' gasnet.h gasnet_trace.h gasnet_0_5.h gasnet_finalize.h
  # A configure script writes these lines into the program's config.h.
  printf '#define %s\n' 'SIZEOF_INT 4' 'HAVE_PTHREAD_H 1' 'HAVE_MMAP 1'
  cat <<'CLIENT'
gasnet_handle_t client_handle = GASNET_INVALID_HANDLE;
gasnet_hsl_t client_lock = GASNET_HSL_INITIALIZER;
void *client_base = GASNET_SEGBASE_ANY;
uintptr_t client_size = GASNET_SEGSIZE_EVERYTHING;
CLIENT
}
careful_client | compile c11 "${careful[@]}" "${careful_c[@]}" -DGASNET_PAR ||
  fail "$compiler, a careful C program"
careful_client | compile c++17 "${careful[@]}" "${careful_cxx[@]}" -DGASNET_PAR ||
  fail "$compiler, a careful C++ program"
ex_client | compile c11 "${careful[@]}" "${careful_c[@]}" -DGASNET_PAR ||
  fail "$compiler, a careful C program of EX"
ex_client | compile c++17 "${careful[@]}" "${careful_cxx[@]}" -DGASNET_PAR ||
  fail "$compiler, a careful C++ program of EX"

# Existing C programs cast handlers to void (*)(), for which newer compilers
# warn.
of_their_time=(-Wno-strict-prototypes)

# Prints a client that begins functions and registers handlers in the way of
# existing programs.
idioms() {
  cat <<'CLIENT'
#include <gasnet.h>
static void short_handler(gasnet_token_t token, gasnet_handlerarg_t arg) {
  (void)token;
  (void)arg;
}
static void medium_handler(gasnet_token_t token, void *buf, size_t nbytes) {
  (void)token;
  (void)buf;
  (void)nbytes;
}
#ifdef GASNET_USE_STRICT_PROTOTYPES
typedef void *handler_t;
#else
typedef void (*handler_t)();
#endif
static gasnet_handlerentry_t table[] = {
    {200, (handler_t)short_handler}, {201, (handler_t)medium_handler}};
int client(int id);
static int posted(gasnet_threadinfo_t info) {
  GASNET_POST_THREADINFO(info);
  int declared = 1;
  return declared;
}
int client(int id) {
  GASNET_BEGIN_FUNCTION();
  int first = table[0].index;
  gasnet_threadinfo_t info = GASNET_GET_THREADINFO();
  first += id;
  {
    GASNET_BEGIN_FUNCTION();
    int second = first;
    first = second + posted(info);
  }
  return first;
}
CLIENT
}

# Prints a program that includes a single header.
alone() { printf '#include <%s>\nint client;\n' "$1"; }

# Lists the headers that programs include. The other files are parts of these.
public_headers() {
  local header
  for header in {api,gasnet_tools,conduits/smp}/include/*.h; do
    basename "$header"
  done
}
(($(public_headers | wc -l) > 8)) || fail "where are the headers?"

for standard in c90 c11 c17 c++17 c++20; do
  declarations=()
  [[ $standard == c++* ]] ||
    declarations=(-Wdeclaration-after-statement -Wold-style-definition
      "${of_their_time[@]}")
  idioms | compile "$standard" "${declarations[@]}" -DGASNET_PAR=1 ||
    fail "$compiler -std=$standard, the idioms of existing programs"
  for header in $(public_headers); do
    alone "$header" |
      compile "$standard" -DGASNET_SEQ -Iconduits/smp/include ||
      fail "$compiler -std=$standard, $header"
  done
done
# The interface without the tools.
for header in api/include/*.h; do
  alone "$(basename "$header")" |
    "$compiler" -x c -std=c11 -DGASNET_PAR -Iapi/include -fsyntax-only - ||
    fail "$compiler, $header needs a file outside of api/"
done
# The oldest standard is the strictest, so it compiles each mode.
for header in $(public_headers); do
  for mode in PARSYNC PAR "PAR -DGASNET_STRICT_INCLUDES"; do
    read -ra flags <<<"-DGASNET_$mode"
    alone "$header" | compile c90 "${flags[@]}" -Iconduits/smp/include ||
      fail "$compiler -std=c90 -DGASNET_$mode, $header"
  done
done

# brought_along HEADER: prints a client that uses the C library headers that
# programs expect HEADER to include.
brought_along() {
  printf '#include <%s>\n' "$1"
  cat <<'CLIENT'
struct pair {
  char first;
  int second;
};
int client(const char *text);
int client(const char *text) {
  char *copy;
#ifndef GASNET_SEQ
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  if (pthread_mutex_lock(&mutex) == EINVAL) return INT_MAX;
#endif
  copy = (char *)malloc(strlen(text) + offsetof(struct pair, second));
  printf("%s\n", strcpy(copy, text));
  free(copy);
  errno = isdigit((unsigned char)*text) ? 0 : (int)getpid();
  return errno;
}
CLIENT
}
# comes_with HEADER FLAG...: prints the C library headers that HEADER includes.
comes_with() {
  alone "$1" | "$compiler" -x c -std=c11 "${includes[@]}" "${@:2}" -M - |
    grep -oE '/usr/include/(ctype|errno|limits|stdio|stdlib|string|unistd)\.h' ||
    true
}
for header in gasnet.h gasnet_tools.h; do
  for mode in SEQ PARSYNC PAR; do
    for standard in c90 c17 c++17; do
      brought_along "$header" | compile "$standard" "-DGASNET_$mode" ||
        fail "$compiler -std=$standard, what $header brings along, $mode"
    done
    [[ $(comes_with "$header" "-DGASNET_$mode" | sort -u | wc -l) == 7 ]] ||
      fail "$header comes with $(comes_with "$header" "-DGASNET_$mode")"
    found=$(comes_with "$header" "-DGASNET_$mode" -DGASNET_STRICT_INCLUDES)
    [[ -z $found ]] ||
      fail "$header comes with $found in spite of GASNET_STRICT_INCLUDES"
  done
done
for standard in c90 c++17; do
  brought_along gasnet_tools.h | compile "$standard" -DGASNETT_THREAD_SAFE=1 ||
    fail "$compiler -std=$standard, what the tools alone bring along"
done

for standard in c11 c17 c++17 c++20; do
  flags=(-I.)
  [[ $standard == c++* ]] || flags+=("${of_their_time[@]}")
  for program in conformance/names/*.c; do
    compile "$standard" "${flags[@]}" -O2 -DGASNET_PAR=1 <"$program" ||
      fail "$compiler -std=$standard, $program"
    compile "$standard" "${flags[@]}" -Iconduits/smp/include -DGASNET_SEQ=1 \
      <"$program" || fail "$compiler -std=$standard, $program, for smp"
  done
  for conduit in any ofi portals udp; do
    compile "$standard" "${flags[@]}" "-Iconduits/$conduit/include" \
      -DGASNET_PARSYNC -fsyntax-only <conformance/names/ex.c ||
      fail "$compiler -std=$standard, EX names for $conduit"
  done
done
# These programs convert a handler to void *, which strict C forbids.
idioms | "$compiler" -x c -std=gnu11 -Wall -Wextra -Werror "${includes[@]}" \
  -DGASNET_USE_STRICT_PROTOTYPES -DGASNET_PAR=1 -c - \
  -o "$TEST_TMPDIR/client.o" || fail "$compiler, strict prototypes"

# rejects WHAT FLAG...: checks that the compiler's error names the valid macros.
rejects() {
  local said
  if said=$(client | compile c11 "${@:2}" 2>&1); then
    fail "$1 compiles"
  elif [[ $said != *"exactly one of GASNET_SEQ, GASNET_PARSYNC or GASNET_PAR"* ]]; then
    fail "$1 is rejected without the reason: $said"
  fi
}
rejects "a client of no mode"
rejects "a client of two modes" -DGASNET_SEQ=1 -DGASNET_PAR=1
rejects "a client of three modes" -DGASNET_SEQ -DGASNET_PAR -DGASNET_PARSYNC

! $failed
