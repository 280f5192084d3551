// Standard input, output and error of a process that was started without some
// of them.
#ifndef JOB_STANDARD_DESCRIPTORS_H_
#define JOB_STANDARD_DESCRIPTORS_H_

namespace gasnet::job {

// Opens /dev/null for each that is closed. Otherwise the next opened descriptor
// would take its place and receive the output.
void OpenStandardDescriptors();

}  // namespace gasnet::job

#endif  // JOB_STANDARD_DESCRIPTORS_H_
