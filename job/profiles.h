// Writes the counts of profilers. Profilers count while a program runs, and
// write their counts in exit(3). gasnet_exit does not call exit(3), since other
// threads still run, so it calls WriteProfiles.
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
