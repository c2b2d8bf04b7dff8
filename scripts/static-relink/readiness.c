/* Checks whether the runtime can start at all. If it cannot, the runtime itself would print a long crash report and
   exit with an arbitrary status. This check prints one line that says what is missing and exits with the program's own
   status for that. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

/* From the generated tables. */
extern const char static_program_name[];
extern const uint64_t static_unready_status;

/* The least that the runtime needs of each resource, twice what was measured; and the limits that the process had at
   its start and has now. */
static struct { int resource; const char *name; rlim_t least; struct rlimit given, raised; } limits[] = {
  {.resource = RLIMIT_NOFILE, .name = "open files", .least = 16},
  {.resource = RLIMIT_STACK, .name = "bytes of stack", .least = 512 << 10},
  {.resource = RLIMIT_AS, .name = "bytes of address space", .least = 768 << 20},
  {.resource = RLIMIT_DATA, .name = "bytes of data", .least = 512 << 20},
};
enum { LIMITS = sizeof limits / sizeof *limits };

_Noreturn static void end(const char *what) {
  dprintf(STDERR_FILENO, "%s: %s\n", static_program_name, what);
  _exit((int)static_unready_status);
}

/* A low limit is meant for the program that is executed next, so it is raised while the runtime runs, if that is
   allowed. */
static void find_limits(void) {
  for (int i = 0; i < LIMITS; i++) {
    getrlimit(limits[i].resource, &limits[i].given);
    limits[i].raised = limits[i].given;
    if (limits[i].given.rlim_cur >= limits[i].least) continue;
    limits[i].raised.rlim_cur = limits[i].least;
    if (limits[i].given.rlim_max >= limits[i].least && setrlimit(limits[i].resource, &limits[i].raised) == 0) continue;
    char text[128];
    snprintf(text, sizeof text, "cannot start: %llu %s are needed, the limit is %llu",
             (unsigned long long)limits[i].least, limits[i].name, (unsigned long long)limits[i].given.rlim_max);
    end(text);
  }
}

/* Opens the closed standard streams. Otherwise a descriptor that is opened later could become a standard stream, and
   output would be written into it. */
static void fill_standard_streams(void) {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd)
      end("cannot start: a standard stream is closed, and /dev/null cannot stand in for it");
}

static void find_proc(void) {
  int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (fd < 0) end("cannot start: /proc/self/maps cannot be read");
  close(fd);
}

/* Prepares the process for the runtime, or ends it. */
void static_make_ready(void) {
  fill_standard_streams();
  find_limits();
  find_proc();
}

/* Restores the original limits; returns 0, or -1 when that is no longer allowed. */
int static_give_back_limits(void) {
  for (int i = 0; i < LIMITS; i++)
    if (setrlimit(limits[i].resource, &limits[i].given) != 0) return -1;
  return 0;
}

/* Raises the limits again to what the runtime needs. */
void static_raise_limits(void) {
  for (int i = 0; i < LIMITS; i++) setrlimit(limits[i].resource, &limits[i].raised);
}

/* Replaces abort(3) in a program whose callers read its exit status: the runtime calls it when it runs out of memory or
   threads. */
_Noreturn void static_abort(void) {
  end("cannot go on: no more memory, or no more threads");
}
