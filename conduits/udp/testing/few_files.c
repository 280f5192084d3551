/* A job in which one node can open few files. Arguments: NODE FILES. Before
 * gasnet_init, node NODE limits itself to FILES open files. Each node exits
 * with 0 if its gasnet_init succeeded, and with 3 if it failed. */
#include <fcntl.h>
#include <gasnet.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

/* Sets a limit that leaves exactly `files` file descriptors free. gasnet_init
 * closes some descriptors, such as those that the launcher passes on. They lie
 * above the limit, so closing them does not add free ones. */
static void leave_files(int files) {
  enum { kMax = 64 };
  int opened[kMax];
  for (int i = 0; i < kMax; ++i) {
    if ((opened[i] = open("/dev/null", O_RDONLY)) < 0) exit(4);
  }
  const struct rlimit limit = {(rlim_t)opened[files], (rlim_t)opened[files]};
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0) exit(4);
  for (int i = 0; i < files; ++i) close(opened[i]);
}

/* Returns this node's number from GASNET_JOB. Called before gasnet_init
   removes that variable. */
static int my_number(void) {
  const char *job = getenv("GASNET_JOB");
  int number = -1;
  if (job == NULL || sscanf(job, "rank=%d,", &number) != 1) exit(4);
  return number;
}

/* The leak sanitizer calls this function. The result 1 turns the sanitizer off.
   The sanitizer would need files. */
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) { return 1; }

int main(int argc, char **argv) {
  if (argc < 3) return 4;
  if (my_number() == atoi(argv[1])) leave_files(atoi(argv[2]));
  if (gasnet_init(&argc, &argv) != GASNET_OK) return 3;
  if (gasnet_attach(NULL, 0, 0, 0) != GASNET_OK) gasnet_exit(3);
  gasnet_exit(0);
  return 0;
}
