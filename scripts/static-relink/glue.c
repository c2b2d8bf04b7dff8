/* The part of the static image that is not libc: it starts the program and replaces what only a dynamic linker has.
   libc-image.ts links it with libc at a fixed address and writes the tables declared here. */
#define _GNU_SOURCE
#include <nss.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef int main_function(int, char **, char **);

/* From the generated tables. */
struct slot { uint64_t *address; uint64_t value; };
struct name { const char *text; void *address; };
extern const struct slot static_slots[], static_slots_end[];
extern const struct name static_names[], static_names_end[];
extern char *const static_settings[];
extern const struct { void (**fini_array)(void); uint64_t fini_count; void (*fini)(void); } static_program;

/* From the other files of this directory. */
extern void static_note_environment(int, char **), static_note_state(void);
extern void static_filter_environment(int, char **);
extern void static_make_ready(void);

/* Parts of libc that no header declares. The streams are the program's own variables, and only this file sets them. */
extern FILE _IO_2_1_stdin_, _IO_2_1_stdout_, _IO_2_1_stderr_;
extern int __libc_start_main(main_function *, int, char **, void *, void *, void (*)(void), void *);

static main_function *program_main;
static void (*program_init)(int, char **, char **);
static void (*program_exit)(void);

/* Users, hosts and the other databases are looked up in files and DNS only. A module of the image's own glibc would
   crash a static program with another version. */
static const char *const databases[][2] = {
  {"aliases", "files"},    {"ethers", "files"},   {"group", "files"},     {"gshadow", "files"},   {"hosts", "files dns"},
  {"initgroups", "files"}, {"netgroup", "files"}, {"networks", "files dns"}, {"passwd", "files"}, {"protocols", "files"},
  {"rpc", "files"},        {"services", "files"}, {"shadow", "files"},
};

/* What the dynamic linker does for a program at exit. */
static void run_destructors(void) {
  for (uint64_t i = static_program.fini_count; i > 0; i--) static_program.fini_array[i - 1]();
  static_program.fini();
}

/* libc is ready: binds the program to it, then continues like the program's own start code. The function must be called
   main, because the start code of libc, which the linker includes, calls it by that name. */
int main(int argc, char **argv, char **environment) {
  static_note_state();
  static_make_ready();
  for (const struct slot *slot = static_slots; slot < static_slots_end; slot++) *slot->address = slot->value;
  for (size_t i = 0; i < sizeof databases / sizeof *databases; i++) __nss_configure_lookup(databases[i][0], databases[i][1]);
  atexit(run_destructors);
  if (program_exit) atexit(program_exit);
  (void)environment; /* it may move when variables are put in */
  for (char *const *setting = static_settings; *setting != NULL; setting++) putenv(*setting);
  if (program_init) program_init(argc, argv, environ);
  return program_main(argc, argv, environ);
}

/* The program's first instructions call this function instead of __libc_start_main. */
int static_start_main(main_function *own_main, int argc, char **argv, void (*init)(int, char **, char **),
                      void (*fini)(void), void (*linker_fini)(void), void *stack_end) {
  program_main = own_main;
  program_init = init;
  program_exit = fini;
  static_note_environment(argc, argv);
  static_filter_environment(argc, argv);
  stdin = &_IO_2_1_stdin_;
  stdout = &_IO_2_1_stdout_;
  stderr = &_IO_2_1_stderr_;
  return __libc_start_main(main, argc, argv, NULL, NULL, linker_fini, stack_end);
}

/* The entry points of stat before glibc 2.33, which a static libc no longer has. */
int static_xstat(int version, const char *path, struct stat *result) {
  (void)version;
  return stat(path, result);
}

int static_lxstat(int version, const char *path, struct stat *result) {
  (void)version;
  return lstat(path, result);
}

int static_fxstat(int version, int descriptor, struct stat *result) {
  (void)version;
  return fstat(descriptor, result);
}

/* dlopen and its relatives: libc is a table of names, and no library is ever loaded from disk. */
static _Thread_local const char *library_error;
static const char *const own_libraries[] = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2"};

void *static_dlopen(const char *file, int mode) {
  static char handle;
  (void)mode;
  if (file == NULL) return &handle;
  for (size_t i = 0; i < sizeof own_libraries / sizeof *own_libraries; i++)
    if (strcmp(file, own_libraries[i]) == 0) return &handle;
  library_error = "dynamic libraries are not available in the static build";
  return NULL;
}

int static_dlclose(void *handle) {
  (void)handle;
  return 0;
}

char *static_dlerror(void) {
  const char *error = library_error;
  library_error = NULL;
  return (char *)error;
}

void *static_dlsym(void *handle, const char *text) {
  (void)handle;
  for (const struct name *name = static_names; name < static_names_end; name++)
    if (strcmp(text, name->text) == 0) return name->address;
  library_error = "symbol not available in the static build";
  return NULL;
}
