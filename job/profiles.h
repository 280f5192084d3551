// Profilers count while a program runs, and write their counts in exit(3).
// gasnet_exit does not call exit(3), since other threads still run.
#ifndef JOB_PROFILES_H_
#define JOB_PROFILES_H_

namespace gasnet::job {

// Writes the counts if the program is compiled for gcov (--coverage), clang's
// profiles (-fprofile-instr-generate) or gprof (-pg). May allocate.
void WriteProfiles();

}  // namespace gasnet::job

#endif  // JOB_PROFILES_H_
