/* A job in which one node can open few files. Arguments: NODE FILES. From
 * before gasnet_init on, node NODE can open at most FILES files. Each
 * node exits with 0 if its gasnet_init succeeded, and with 3 if it failed. */
#include <fcntl.h>
#include <gasnet.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

/* Leaves `files` file descriptors free below a limit. Descriptors that
 * gasnet_init closes, like those that the launcher passes on, are above it. */
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

/* Returns the number in GASNET_JOB, before gasnet_init removes it. */
static int my_number(void) {
  const char *job = getenv("GASNET_JOB");
  int number = -1;
  if (job == NULL || sscanf(job, "rank=%d,", &number) != 1) exit(4);
  return number;
}

/* Called by the leak sanitizer, which would need files. */
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
