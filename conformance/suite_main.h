// The tests that one program contains.
#ifndef CONFORMANCE_SUITE_MAIN_H_
#define CONFORMANCE_SUITE_MAIN_H_

struct SuiteTest {
  const char* name;
  int (*main)(int argc, char** argv);
};

// The table of tests. A null name ends it.
extern const SuiteTest kSuite[];

#endif  // CONFORMANCE_SUITE_MAIN_H_
