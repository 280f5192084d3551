// Calls that return errors print a message, unless the client has turned
// messages off (GASNet-EX, sections 2.3 and 5.3). A call that cannot give an
// answer returns an error that says so.
#include <string.h>

#include "conformance/ex/ex_harness.h"

int main(int argc, char** argv) {
  using namespace conformance;
  CHECK_OK(
      gex_Client_Init(&client, nullptr, nullptr, "QUIET", &argc, &argv, 0));
  CHECK_EQ(argc, 2);
  gex_System_SetVerboseErrors(strcmp(argv[1], "loud") == 0);
  gex_EP_t made = GEX_EP_INVALID;
  for (int i = 0; i < GASNET_MAXEPS; ++i) {
    if (gex_EP_Create(&made, client, GEX_EP_CAPABILITY_RMA, 0) != GASNET_OK)
      break;
  }
  unsigned count;
  const gex_ProgressThreadInfo_t* info;
  CHECK_RESULT(gex_System_QueryProgressThreads(client, &count, &info, 0),
               GASNET_ERR_RESOURCE);
  return FinishJob();
}
