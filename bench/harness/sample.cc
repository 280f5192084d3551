#include "bench/harness/sample.h"

#include <cstdio>

namespace gasnet::bench {

void Print(const Sample& sample) {
  printf(
      "{\"operation\": \"%s\", \"size\": %zu, \"mode\": \"%s\", "
      "\"who\": \"%s\", \"unit\": \"%s\", \"value\": %.6g",
      sample.operation, sample.size, sample.mode, sample.who, sample.unit,
      sample.value);
  if (sample.limit_name != nullptr) {
    printf(", \"limit_name\": \"%s\", \"limit\": %.6g", sample.limit_name,
           sample.limit);
  }
  if (sample.aim > 0) printf(", \"aim\": %.6g", sample.aim);
  printf("}\n");
  fflush(stdout);
}

}  // namespace gasnet::bench
