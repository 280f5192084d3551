/* Numbers as text, and functions that count or sum bytes. */
#ifndef GASNET_TOOLS_NUMBER_H_
#define GASNET_TOOLS_NUMBER_H_

#include <stddef.h>
#include <stdint.h>

#include "gasnet_tools/annotations.h"

GASNETT_BEGIN_EXTERNC

/* Writes `value` as text to `buffer`, of `size` bytes, and returns `buffer`.
 * 32 bytes are enough for every number; a longer text is truncated.
 *
 * If is_mem_size is nonzero, the value is a number of bytes. It is written
 * with the greatest unit that divides it ("512 KB", "1 GB", "1000 B"); K, M,
 * G, T, P, E are powers of 1024. gasnett_parse_int reads the text back
 * without loss. */
char *gasnett_format_number(int64_t value, char *buffer, size_t size,
                            int is_mem_size);

/* Reads a number from text. It is decimal, or hexadecimal after 0x, with an
 * optional sign. Blanks around it are allowed.
 *
 * If mem_size_multiplier is not 0, the number is a number of bytes. A unit may
 * follow it: B, K, M, G, T, P or E, in upper or lower case. B or iB may follow
 * a unit other than B. A decimal fraction is allowed; the result is rounded
 * down to bytes. Without a unit the number counts mem_size_multiplier bytes.
 *
 * Any other text, or a number that does not fit in the result, ends the process
 * with a message. */
int64_t gasnett_parse_int(const char *text, uint64_t mem_size_multiplier);

/* Return how many of the bytes are zero, in memory or in an integer. The _copy
 * form also copies the bytes to `dst`, which must not overlap `src`. */
size_t gasnett_count0s(const void *src, size_t nbytes);
size_t gasnett_count0s_copy(void *GASNETT_RESTRICT dst,
                            const void *GASNETT_RESTRICT src, size_t nbytes);
int gasnett_count0s_uint32_t(uint32_t value);
int gasnett_count0s_uint64_t(uint64_t value);
int gasnett_count0s_uintptr_t(uintptr_t value);

/* Returns a checksum: the same for the same bytes on every host, and a
 * different one if exactly one byte differs. It does not protect against
 * deliberate changes. */
uint64_t gasnett_checksum(const void *src, int nbytes);

GASNETT_END_EXTERNC

#endif /* GASNET_TOOLS_NUMBER_H_ */
