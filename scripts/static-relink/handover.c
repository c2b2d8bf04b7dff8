/* Restores the state that the process had at its start, before it executes another program: environment, descriptors,
   ignored signals, signal mask and limits. The runtime changes these when it starts. Child processes are not covered
   here; the runtime starts those. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Defined in readiness.c. */
extern int static_give_back_limits(void);
extern void static_raise_limits(void);

/* The number of descriptors to check: the default limit of open files. */
enum { DESCRIPTORS = 1024, STANDARD_STREAMS = 3 };

static struct {
  pid_t process;
  char *variables;
  size_t variable_count;
  unsigned char open[DESCRIPTORS];
  sigset_t ignored, mask;
} given;

/* Runs before static_filter_environment, and before libc is set up. */
void static_note_environment(int argc, char **argv) {
  char **entry = argv + argc + 1;
  given.variables = *entry;
  while (*entry++ != NULL) given.variable_count++;
}

/* Runs before the runtime. */
void static_note_state(void) {
  given.process = getpid();
  for (int fd = 0; fd < DESCRIPTORS; fd++) given.open[fd] = fcntl(fd, F_GETFD) >= 0;
  sigemptyset(&given.ignored);
  for (int signal = 1; signal < NSIG; signal++) {
    struct sigaction action;
    if (sigaction(signal, NULL, &action) == 0 && action.sa_handler == SIG_IGN) sigaddset(&given.ignored, signal);
  }
  sigprocmask(SIG_SETMASK, NULL, &given.mask);
}

/* The original entries in their order. The kernel stores them back to back, and nothing overwrites them. */
static char **environment(void) {
  char **entries = malloc((given.variable_count + 1) * sizeof *entries), *entry = given.variables;
  if (entries == NULL) return NULL;
  for (size_t i = 0; i < given.variable_count; i++, entry += strlen(entry) + 1) entries[i] = entry;
  entries[given.variable_count] = NULL;
  return entries;
}

static void give_back_descriptors(void) {
  /* A standard stream that was closed at the start is /dev/null by now. */
  for (int fd = 0; fd < STANDARD_STREAMS; fd++)
    if (!given.open[fd]) fcntl(fd, F_SETFD, FD_CLOEXEC);
  for (int fd = STANDARD_STREAMS; fd < DESCRIPTORS; fd++)
    if (given.open[fd]) fcntl(fd, F_SETFD, 0);
}

/* execve resets signals with a handler to their default, and until then other threads need the handler. */
static void give_back_signals(void) {
  for (int signal = 1; signal < NSIG; signal++) {
    struct sigaction action;
    if (sigaction(signal, NULL, &action) != 0) continue;
    int was_ignored = sigismember(&given.ignored, signal) == 1;
    if (was_ignored == (action.sa_handler == SIG_IGN)) continue;
    action = (struct sigaction){.sa_handler = was_ignored ? SIG_IGN : SIG_DFL};
    sigaction(signal, &action, NULL);
  }
  sigprocmask(SIG_SETMASK, &given.mask, NULL);
}

/* Replaces execve(2). */
int static_execve(const char *path, char *const argv[], char *const runtime_environment[]) {
  if (getpid() != given.process) return execve(path, argv, runtime_environment);
  char **entries = environment();
  if (entries == NULL) return -1;
  give_back_descriptors();
  give_back_signals();
  if (static_give_back_limits() == 0) execve(path, argv, entries);
  int why = errno;
  static_raise_limits();
  errno = why;
  return -1;
}
