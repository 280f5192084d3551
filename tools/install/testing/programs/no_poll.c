/* A thread sends a request to its own node and waits for the answer without
 * polling. That works: when the call returns, the handlers of the request
 * and of its reply have run. The other threads only put to memory that is
 * mapped. */
#include <gasnet.h>
#include <gasnet_tools.h>

#include "runtime.h"

#define ROUNDS 100

enum { ON_QUESTION = 128, ON_ANSWER };

static volatile int answered;

static void on_question(gasnet_token_t token, void *text, size_t bytes,
                        gasnet_handlerarg_t round) {
  ((char *)text)[0] = 'A'; /* a copy, for the handler to do with as it likes */
  SAFE(gasnet_AMReplyMedium1(token, ON_ANSWER, text, bytes, round));
}

static void on_answer(gasnet_token_t token, void *text, size_t bytes,
                      gasnet_handlerarg_t round) {
  (void)token;
  CHECK(bytes == sizeof("Question") && strcmp((char *)text, "Auestion") == 0);
  answered = round;
}

static void ask_oneself(int round) {
  char text[] = "Question";
  SAFE(gasnet_AMRequestMedium1(gasnet_mynode(), ON_QUESTION, text, sizeof(text),
                               round));
  while (answered != round) gasnett_sched_yield();
  CHECK(strcmp(text, "Question") == 0);
}

#ifdef GASNET_PAR
static gasnett_atomic_t enough = gasnett_atomic_init(0);

static void *put_on(void *there) {
  const gasnet_node_t peer = (gasnet_mynode() + 1) % gasnet_nodes();
  while (!gasnett_atomic_read(&enough, GASNETT_ATOMIC_ACQ)) {
    int word = 1;
    gasnet_put(peer, there, &word, sizeof(word));
  }
  return NULL;
}
#endif

int main(int argc, char **argv) {
  static gasnet_handlerentry_t handlers[] = {
      {ON_QUESTION, (void (*)())on_question},
      {ON_ANSWER, (void (*)())on_answer}};
  gasnet_seginfo_t *segments;
  int round;
#ifdef GASNET_PAR
  pthread_t putting;
#endif
  SAFE(gasnet_init(&argc, &argv));
  SAFE(gasnet_attach(handlers, 2, GASNET_PAGESIZE, 0));
  segments = (gasnet_seginfo_t *)malloc(gasnet_nodes() * sizeof(*segments));
  SAFE(gasnet_getSegmentInfo(segments, (int)gasnet_nodes()));
#ifdef GASNET_PAR
  CHECK(pthread_create(&putting, NULL, put_on,
                       segments[(gasnet_mynode() + 1) % gasnet_nodes()].addr) ==
        0);
#endif
  for (round = 1; round <= ROUNDS; ++round) ask_oneself(round);
#ifdef GASNET_PAR
  gasnett_atomic_set(&enough, 1, GASNETT_ATOMIC_REL);
  pthread_join(putting, NULL);
#endif
  free(segments);
  return finish();
}
