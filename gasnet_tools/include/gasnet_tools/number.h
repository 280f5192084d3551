/* Numbers as text, and functions that count or sum bytes. */
#ifndef GASNET_TOOLS_NUMBER_H_
#define GASNET_TOOLS_NUMBER_H_

#include <stddef.h>
#include <stdint.h>

#include "gasnet_tools/annotations.h"

GASNETT_BEGIN_EXTERNC

/* Writes `value` as text to `buffer`, which has `size` bytes. Returns `buffer`.
 * 32 bytes are enough for every number. A longer text is truncated.
 *
 * If is_mem_size is nonzero, the value is a number of bytes. The text uses the
 * greatest unit that divides the value ("512 KB", "1 GB", "1000 B"). K, M, G,
 * T, P, E are powers of 1024. gasnett_parse_int reads the text back without
 * loss. */
char *gasnett_format_number(int64_t value, char *buffer, size_t size,
                            int is_mem_size);

/* Reads a number from text. The number is decimal, or hexadecimal after 0x,
 * with an optional sign. Blanks before and after the number are allowed.
 *
 * If mem_size_multiplier is not 0, the number is a number of bytes. A unit may
 * follow it: B, K, M, G, T, P or E, in upper or lower case. B or iB may follow
 * a unit other than B. A decimal fraction is allowed; the result is rounded
 * down to bytes. A number without a unit is multiplied by mem_size_multiplier.
 *
 * Any other text, or a number that does not fit in the result, ends the process
 * with a message. */
int64_t gasnett_parse_int(const char *text, uint64_t mem_size_multiplier);

/* Return how many bytes are zero, in memory or in an integer. The _copy form
 * also copies the bytes to `dst`. `dst` must not overlap `src`. */
size_t gasnett_count0s(const void *src, size_t nbytes);
size_t gasnett_count0s_copy(void *GASNETT_RESTRICT dst,
                            const void *GASNETT_RESTRICT src, size_t nbytes);
int gasnett_count0s_uint32_t(uint32_t value);
int gasnett_count0s_uint64_t(uint64_t value);
int gasnett_count0s_uintptr_t(uintptr_t value);

/* Returns a checksum of the bytes, which is the same on every host. If exactly
 * one byte differs, the checksum differs. The checksum does not protect against
 * deliberate changes. */
uint64_t gasnett_checksum(const void *src, int nbytes);

GASNETT_END_EXTERNC

#endif /* GASNET_TOOLS_NUMBER_H_ */
