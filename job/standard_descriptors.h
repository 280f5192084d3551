// Standard input, output and error of a process that was started without some
// of them.
#ifndef JOB_STANDARD_DESCRIPTORS_H_
#define JOB_STANDARD_DESCRIPTORS_H_

namespace gasnet::job {

// Opens /dev/null for each standard descriptor that is closed. Without this,
// the next descriptor that the process opens would get the number of a standard
// descriptor, and would receive the output.
void OpenStandardDescriptors();

}  // namespace gasnet::job

#endif  // JOB_STANDARD_DESCRIPTORS_H_
