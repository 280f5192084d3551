// A program for tests of faults, on one host and on several. All nodes flood
// each other with requests and replies, for ever. The last node fails in its
// handler of the hundredth request, in the way that the argument names. With
// the argument "never" no node fails. Each node then prints "ready" at its
// hundredth request.
#include <gasnet.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace {

enum : gasnet_handler_t { kRequest = 200, kReply };

const char* how = "";
int requests = 0;

[[noreturn]] void End() {
  if (strcmp(how, "abort") == 0) abort();
  if (strcmp(how, "gasnet_exit") == 0) gasnet_exit(7);
  if (strcmp(how, "exit") == 0) exit(7);
  if (strcmp(how, "_exit") == 0) _exit(7);
  if (strcmp(how, "kill") == 0) raise(SIGKILL);
  if (strcmp(how, "fault") == 0) raise(SIGSEGV);
  fprintf(stderr, "crash_in_traffic: unknown way to end: '%s'\n", how);
  _exit(2);
}

void SayReady() {
  puts("ready");
  fflush(stdout);
}

void OnHundredth() {
  if (strcmp(how, "never") == 0) return SayReady();
  if (gasnet_mynode() + 1 == gasnet_nodes()) End();
}

void OnRequest(gasnet_token_t token, void* data, size_t nbytes) {
  if (++requests == 100) OnHundredth();
  gasnet_AMReplyMedium0(token, kReply, data, nbytes);
}
void OnReply(gasnet_token_t, void*, size_t) {}

}  // namespace

int main(int argc, char** argv) {
  if (gasnet_init(&argc, &argv) != GASNET_OK || argc != 2) return 2;
  how = argv[1];
  gasnet_handlerentry_t handlers[] = {
      {kRequest, reinterpret_cast<void (*)()>(OnRequest)},
      {kReply, reinterpret_cast<void (*)()>(OnReply)}};
  if (gasnet_attach(handlers, 2, GASNET_PAGESIZE, 0) != GASNET_OK) return 2;
  char payload[1000] = {};
  for (gasnet_node_t to = 0;; to = (to + 1) % gasnet_nodes()) {
    gasnet_AMRequestMedium0(to, kRequest, payload, sizeof(payload));
  }
}
