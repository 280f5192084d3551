// Writes the counts of profilers. Profilers count while a program runs, and
// write their counts in exit(3). gasnet_exit cannot call exit(3), because other
// threads still run. It calls WriteProfiles instead.
#ifndef JOB_PROFILES_H_
#define JOB_PROFILES_H_

namespace gasnet::job {

// Writes the counts if the program is compiled for one of these:
// - gcov (--coverage)
// - clang's profiles (-fprofile-instr-generate)
// - gprof (-pg)
//
// May allocate.
void WriteProfiles();

}  // namespace gasnet::job

#endif  // JOB_PROFILES_H_
