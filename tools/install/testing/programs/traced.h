/* Traces around a runtime's communication, in C90 and C++. The functions called
 * here come from the GASNet header that the program includes first. */
#ifndef TOOLS_INSTALL_TESTING_PROGRAMS_TRACED_H_
#define TOOLS_INSTALL_TESTING_PROGRAMS_TRACED_H_

/* `parenthesised` is a list of arguments with its parentheses. */
#define RT_TRACE(parenthesised)                                    \
  do {                                                             \
    if (GASNETT_TRACE_ENABLED) GASNETT_TRACE_PRINTF parenthesised; \
    GASNETT_TRACE_PRINTF_FORCE("%s", GASNETT_CURRENT_FUNCTION);    \
  } while (0)
#define RT_HERE() (GASNETT_TRACE_SETSOURCELINE(__FILE__, __LINE__))

/* Switches tracing off. Returns the earlier setting of TRACELOCAL. */
static int rt_silence(void) {
  const char *file;
  unsigned line;
  const int local = GASNETT_TRACE_GET_TRACELOCAL();
  RT_HERE();
  GASNETT_TRACE_GETSOURCELINE(&file, &line);
  RT_TRACE(("silent from %s:%u on", file, line));
  GASNETT_TRACE_FREEZESOURCELINE();
  if (strcmp(GASNETT_TRACE_GETMASK(), "") != 0) GASNETT_TRACE_SETMASK("");
  if (strcmp(GASNETT_STATS_GETMASK(), "") != 0) GASNETT_STATS_SETMASK("");
  GASNETT_TRACE_SET_TRACELOCAL(0);
  GASNETT_TRACE_UNFREEZESOURCELINE();
  GASNETT_TRACE_SET_TRACELOCAL(local);
  return local;
}

#endif /* TOOLS_INSTALL_TESTING_PROGRAMS_TRACED_H_ */
