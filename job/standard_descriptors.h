// Standard input, output and error of a process that was started without some
// of them.
#ifndef JOB_STANDARD_DESCRIPTORS_H_
#define JOB_STANDARD_DESCRIPTORS_H_

namespace gasnet::job {

// Opens /dev/null for each that is closed. Else the next descriptor that is
// opened would take its place, and what is printed would go there.
void OpenStandardDescriptors();

}  // namespace gasnet::job

#endif  // JOB_STANDARD_DESCRIPTORS_H_
