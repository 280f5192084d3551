/* Tasks that run on the node that has their data. One thread polls, and another
 * runs the tasks that have arrived. The thread that sent a task sleeps until a
 * message reports the end of the task. */
#include <gasnet.h>
#include <gasnet_tools.h>

#include "runtime.h"

#define TASKS 50

struct task {
  struct task *next;
  gasnet_node_t from;
  void *done; /* of the sender */
  int function;
  int argument;
};

struct end {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  int is_set;
  int result;
};

static pthread_mutex_t queue_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t queue_filled = PTHREAD_COND_INITIALIZER;
static struct task *queue;
static gasnett_atomic_t shutting_down = gasnett_atomic_init(0);

enum { ON_TASK = 200, ON_END };

static void on_task(gasnet_token_t token, void *buffer, size_t bytes) {
  struct task *task = (struct task *)malloc(sizeof(*task));
  CHECK(bytes == sizeof(*task));
  memcpy(task, buffer, bytes);
  SAFE(gasnet_AMGetMsgSource(token, &task->from));
  pthread_mutex_lock(&queue_mutex);
  task->next = queue;
  queue = task;
  pthread_cond_signal(&queue_filled);
  pthread_mutex_unlock(&queue_mutex);
}

static void on_end(gasnet_token_t token, gasnet_handlerarg_t high,
                   gasnet_handlerarg_t low, gasnet_handlerarg_t result) {
  struct end *end = (struct end *)UNPACK(high, low);
  (void)token;
  pthread_mutex_lock(&end->mutex);
  end->result = result;
  end->is_set = 1;
  pthread_cond_signal(&end->condition);
  pthread_mutex_unlock(&end->mutex);
}

static int twice(int x) { return 2 * x; }
static int square(int x) { return x * x; }
static int (*const functions[])(int) = {twice, square};

static void *run_tasks(void *ignored) {
  struct task *task;
  (void)ignored;
  for (;;) {
    pthread_mutex_lock(&queue_mutex);
    while (queue == NULL && !gasnett_atomic_read(&shutting_down, 0)) {
      pthread_cond_wait(&queue_filled, &queue_mutex);
    }
    task = queue;
    if (task != NULL) queue = task->next;
    pthread_mutex_unlock(&queue_mutex);
    if (task == NULL) return NULL;
    SAFE(gasnet_AMRequestShort3(task->from, ON_END, PACK_HIGH(task->done),
                                PACK_LOW(task->done),
                                functions[task->function](task->argument)));
    free(task);
  }
}

static void *poll_for_messages(void *ignored) {
  (void)ignored;
  while (!gasnett_atomic_read(&shutting_down, GASNETT_ATOMIC_ACQ)) {
    gasnet_AMPoll();
    gasnett_sched_yield();
  }
  return NULL;
}

/* Runs a function on a node. The calling thread sleeps until the function has
   ended. */
static int call_on(gasnet_node_t node, int function, int argument) {
  struct end end;
  struct task task;
  memset(&task, 0, sizeof(task));
  pthread_mutex_init(&end.mutex, NULL);
  pthread_cond_init(&end.condition, NULL);
  end.is_set = 0;
  task.done = &end;
  task.function = function;
  task.argument = argument;
  SAFE(gasnet_AMRequestMedium0(node, ON_TASK, &task, sizeof(task)));
  pthread_mutex_lock(&end.mutex);
  while (!end.is_set) pthread_cond_wait(&end.condition, &end.mutex);
  pthread_mutex_unlock(&end.mutex);
  return end.result;
}

int main(int argc, char **argv) {
  static gasnet_handlerentry_t handlers[] = {{ON_TASK, (void (*)())on_task},
                                             {ON_END, (void (*)())on_end}};
  pthread_t poller, worker;
  int i;
  SAFE(gasnet_init(&argc, &argv));
  SAFE(gasnet_attach(handlers, 2, GASNET_PAGESIZE, 0));
  SAFE(gasnet_set_waitmode(GASNET_WAIT_SPINBLOCK));
  CHECK(pthread_create(&poller, NULL, poll_for_messages, NULL) == 0);
  CHECK(pthread_create(&worker, NULL, run_tasks, NULL) == 0);
  meet();
  for (i = 0; i < TASKS; ++i) {
    const gasnet_node_t node =
        (gasnet_mynode() + (gasnet_node_t)i) % gasnet_nodes();
    CHECK(call_on(node, i % 2, i) == (i % 2 ? i * i : 2 * i));
  }
  meet();
  pthread_mutex_lock(&queue_mutex);
  gasnett_atomic_set(&shutting_down, 1, GASNETT_ATOMIC_REL);
  pthread_cond_broadcast(&queue_filled);
  pthread_mutex_unlock(&queue_mutex);
  pthread_join(poller, NULL);
  pthread_join(worker, NULL);
  return finish();
}
