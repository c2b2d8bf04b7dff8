/* Filters the program's environment. Some variables configure the runtime inside the program, so the caller
   could make the program run other code in its name. They are removed before anything reads them. This runs before libc
   is set up and calls none of its functions. The original environment stays available to handover.c and in
   /proc/self/environ. */
#include <stddef.h>
#include <stdint.h>

/* From the generated tables: names, or prefixes that end in `*`, and whether these variables are kept or removed. */
extern const char *const static_variables[];
extern const uint64_t static_variables_stay;

/* Compares in upper case: the memory allocator accepts its variables in either case. */
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

/* Removes them from the list behind the arguments. The auxiliary vector follows that list (pairs, up to one of type 0).
   It moves down too, because libc expects it directly behind the list. */
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
