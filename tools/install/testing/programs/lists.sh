# The programs of this directory. Sourced.
# shellcheck shell=bash

# Programs that one thread of a node runs, in every mode; programs with several
# threads; and programs of the tools alone.
export any_mode=(startup.c shared_array.c pointers.cc trace_tools.c
  trace_header.cc debug_malloc.c no_poll.c)
export threaded=(tasks.c events.cc)
export tools_alone=(tools_threads.c tools_timer.cc)
