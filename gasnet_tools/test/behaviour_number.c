#include <gasnet_tools.h>
#include <string.h>

#include "gasnet_tools/test/check.h"

static void check_round_trip(int64_t value) {
  char text[32];
  CHECK(gasnett_format_number(value, text, sizeof text, 0) == text);
  CHECK(gasnett_parse_int(text, 0) == value);
  gasnett_format_number(value, text, sizeof text, 1);
  CHECK(gasnett_parse_int(text, 1) == value);
  CHECK(gasnett_parse_int(text, 1 << 20) == value);
}

static void check_counts(void) {
  const unsigned char bytes[11] = {0, 1, 0, 0xFF, 0, 0, 7, 0x10, 1, 1, 0};
  unsigned char copy[11];
  CHECK(gasnett_count0s(bytes, sizeof bytes) == 5);
  CHECK(gasnett_count0s(bytes + 1, 0) == 0);
  CHECK(gasnett_count0s_copy(copy, bytes, sizeof bytes) == 5);
  CHECK(memcmp(copy, bytes, sizeof bytes) == 0);
  CHECK(gasnett_count0s_uint32_t(0x00FF0100) == 2);
  CHECK(gasnett_count0s_uint64_t(1) == 7);
  CHECK(gasnett_count0s_uintptr_t(0) == (int)sizeof(uintptr_t));
}

static void check_sum(void) {
  char text[] = "checksum";
  const uint64_t before = gasnett_checksum(text, 8);
  CHECK(gasnett_checksum("checksum", 8) == before);
  text[3] ^= 1;
  CHECK(gasnett_checksum(text, 8) != before);
  CHECK(gasnett_checksum(text, 3) == gasnett_checksum("checksum", 3));
}

void check_numbers(void) {
  int shift;
  for (shift = 0; shift <= 61; ++shift) {
    const int64_t power = (int64_t)1 << shift;
    check_round_trip(power);
    check_round_trip(-power);
    check_round_trip(power - 1);
    check_round_trip(power + 1);
  }
  check_round_trip(INT64_MAX);
  check_round_trip(INT64_MIN);
  CHECK(gasnett_parse_int(" 0x1F ", 0) == 31);
  CHECK(gasnett_parse_int("1.5 KB", 1) == 1536);
  CHECK(gasnett_parse_int("3", 1024) == 3072);
  check_counts();
  check_sum();
}
