// gasnet_attach refuses invalid handler tables: it returns GASNET_ERR_BAD_ARG
// (sections 1.6 and 2.1.0.2). argv[1] names the table.
#include <string.h>

#include "conformance/harness.h"

namespace conformance {
namespace {

void Handle(gasnet_token_t) {}

gasnet_handlerentry_t duplicate[] = {HANDLER(130, Handle), HANDLER(131, Handle),
                                     HANDLER(130, Handle)};
gasnet_handlerentry_t first_reserved[] = {HANDLER(1, Handle)};
gasnet_handlerentry_t last_reserved[] = {HANDLER(128, Handle),
                                         HANDLER(127, Handle)};
gasnet_handlerentry_t too_many[129];

int TryToAttach(const char* which) {
  for (gasnet_handlerentry_t& entry : too_many) entry = HANDLER(0, Handle);
  if (strcmp(which, "duplicate") == 0) {
    return gasnet_attach(duplicate, COUNT_OF(duplicate), 0, 0);
  }
  if (strcmp(which, "first_reserved") == 0) {
    return gasnet_attach(first_reserved, COUNT_OF(first_reserved), 0, 0);
  }
  if (strcmp(which, "last_reserved") == 0) {
    return gasnet_attach(last_reserved, COUNT_OF(last_reserved), 0, 0);
  }
  CHECK_EQ(strcmp(which, "too_many"), 0);
  return gasnet_attach(too_many, COUNT_OF(too_many), 0, 0);
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  CHECK_OK(gasnet_init(&argc, &argv));
  CHECK_EQ(argc, 2);
  CHECK_RESULT(conformance::TryToAttach(argv[1]), GASNET_ERR_BAD_ARG);
  printf("refused\n");
  gasnet_exit(0);
}
