/* Numbers as text, and sums over bytes. */
#ifndef GASNET_TOOLS_NUMBER_H_
#define GASNET_TOOLS_NUMBER_H_

#include <stddef.h>
#include <stdint.h>

#include "gasnet_tools/annotations.h"

GASNETT_BEGIN_EXTERNC

/* Writes `value` to `buffer`, of `size` bytes, and answers `buffer`. 32 bytes
 * hold every number; a text that does not fit is cut.
 *
 * If is_mem_size the number is one of bytes and is written with the greatest
 * unit that divides it ("512 KB", "1 GB", "1000 B"); K, M, G, T, P, E are
 * powers of 1024. gasnett_parse_int reads back exactly what was written. */
char *gasnett_format_number(int64_t value, char *buffer, size_t size,
                            int is_mem_size);

/* Reads a number: decimal, or hexadecimal after 0x, with an optional sign,
 * blanks around it allowed.
 *
 * If mem_size_multiplier is not 0 the number is one of bytes: a unit may follow
 * (B, K, M, G, T, P or E; after a letter B or iB; in any case) and a decimal
 * fraction is allowed, the result rounded down to bytes; without a unit the
 * number counts mem_size_multiplier bytes.
 *
 * A text that is no such number, or one that does not fit in the result, ends
 * the process with a message. */
int64_t gasnett_parse_int(const char *text, uint64_t mem_size_multiplier);

/* How many of the bytes are zero, in memory and in an integer. The _copy form
 * copies them to `dst` on the way; the two must not overlap. */
size_t gasnett_count0s(const void *src, size_t nbytes);
size_t gasnett_count0s_copy(void *GASNETT_RESTRICT dst,
                            const void *GASNETT_RESTRICT src, size_t nbytes);
int gasnett_count0s_uint32_t(uint32_t value);
int gasnett_count0s_uint64_t(uint64_t value);
int gasnett_count0s_uintptr_t(uintptr_t value);

/* A checksum: the same for the same bytes on every host, and different when one
 * byte differs. No protection against intent. */
uint64_t gasnett_checksum(const void *src, int nbytes);

GASNETT_END_EXTERNC

#endif /* GASNET_TOOLS_NUMBER_H_ */
