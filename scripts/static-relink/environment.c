/* What a program sees of its environment. The variables that steer the runtime inside it would let whoever starts it
   run something else, or nothing, in its name; so they are taken out before anything reads them. This runs before libc
   is set up and calls nothing of it. What the process was given stays as it is for handover.c and in /proc/self/environ. */
#include <stddef.h>
#include <stdint.h>

/* From the generated tables: names, or beginnings that end in `*`; whether they are those that stay. */
extern const char *const static_variables[];
extern const uint64_t static_variables_stay;

/* Upper case, since the memory allocator heeds its variables in either. */
static char upper(char c) { return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c; }

static int is_named(const char *entry, const char *name) {
  while (*name != '\0' && *name != '*' && upper(*entry) == *name) entry++, name++;
  return *name == '*' || (*name == '\0' && (*entry == '=' || *entry == '\0'));
}

static int stays(const char *entry) {
  for (const char *const *name = static_variables; *name != NULL; name++)
    if (is_named(entry, *name)) return static_variables_stay != 0;
  return static_variables_stay == 0;
}

/* Takes them out of the list behind the arguments. What follows the list (the auxiliary vector: pairs up to one of type
   0) moves down with it, since libc looks for it there. */
void static_filter_environment(int argc, char **argv) {
  char **to = argv + argc + 1, **from = to;
  for (; *from != NULL; from++)
    if (stays(*from)) *to++ = *from;
  if (to == from) return;
  *to++ = NULL;
  const uintptr_t *auxiliary = (const uintptr_t *)(from + 1);
  uintptr_t *moved = (uintptr_t *)to, type;
  do {
    type = *auxiliary++;
    *moved++ = type;
    *moved++ = *auxiliary++;
  } while (type != 0);
}
