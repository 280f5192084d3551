/* Clock ticks, and the time of day. */
#ifndef GASNET_TOOLS_TICK_H_
#define GASNET_TOOLS_TICK_H_

#include <stdint.h>

#include "gasnet/platform.h"
#include "gasnet_tools/annotations.h"

/* A point in time, or the difference of two points. Ticks never go back, and
 * advance at the speed of gettimeofday. Ticks of different hosts cannot be
 * compared.
 *
 * GASNETT_USING_GETTIMEOFDAY is never defined, because ticks do not come from
 * gettimeofday. */
typedef uint64_t gasnett_tick_t;
/* A lower and an upper bound of all values that gasnett_ticks_now returns. */
#define GASNETT_TICK_MIN GASNETI_CAST(gasnett_tick_t, 0)
#define GASNETT_TICK_MAX (~GASNETI_CAST(gasnett_tick_t, 0))

GASNETT_BEGIN_EXTERNC

gasnett_tick_t gasnett_ticks_now(void);

/* Convert a difference of ticks to nanoseconds or to microseconds, rounded
 * down. */
uint64_t gasnett_ticks_to_ns(gasnett_tick_t ticks);
uint64_t gasnett_ticks_to_us(gasnett_tick_t ticks);

/* Return two times in microseconds: the cost of one call of gasnett_ticks_now,
 * and the smallest difference between the results of two calls. Both are
 * greater than 0. The first call measures both, in less than a millisecond. */
double gasnett_tick_overheadus(void);
double gasnett_tick_granularityus(void);

/* Returns the microseconds since the Epoch. */
uint64_t gasnett_gettimeofday_us(void);

GASNETT_END_EXTERNC

#endif /* GASNET_TOOLS_TICK_H_ */
