// The tests that one program holds.
#ifndef CONFORMANCE_SUITE_MAIN_H_
#define CONFORMANCE_SUITE_MAIN_H_

struct SuiteTest {
  const char* name;
  int (*main)(int argc, char** argv);
};

// Ends with a null name.
extern const SuiteTest kSuite[];

#endif  // CONFORMANCE_SUITE_MAIN_H_
