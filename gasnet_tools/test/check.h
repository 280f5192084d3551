/* A small test framework for C and C++. Tests check conditions with CHECK, and
 * end main with check_result(). */
#ifndef GASNET_TOOLS_TEST_CHECK_H_
#define GASNET_TOOLS_TEST_CHECK_H_

#include <stdio.h>

extern int check_failures;

#define CHECK(condition)                                                       \
  ((condition)                                                                 \
       ? (void)0                                                               \
       : (void)(printf("FAILED: %s:%d: %s\n", __FILE__, __LINE__, #condition), \
                ++check_failures))

void check_annotations(void);
void check_atomics(void);
void check_environment(void);
void check_locks(void);
void check_numbers(void);
void check_platform(void);
void check_system(void);
void check_trace(void);
void check_debug_malloc(void);

#endif /* GASNET_TOOLS_TEST_CHECK_H_ */
