/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the console of a guest says about how it went. */
#ifndef BENCH_GUEST_CONSOLE_H
#define BENCH_GUEST_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* So many lines of trouble are kept; the rest is counted. */
enum { GUEST_LINES_MAX = 5 };

/* What the guest was given, and what gives it more. */
struct guest_memory {
	uint64_t bytes;
	const char *key;
};

struct guest_console {
	/*
	 * The kernel's own words for what should not be: WARNING, BUG, Oops,
	 * KASAN and its like, lockdep, stalls, hung tasks, panics. Without
	 * the time in front.
	 */
	char *lines[GUEST_LINES_MAX];
	size_t n_lines; /* all that there were */
	char *panic;    /* behind "Kernel panic - not syncing: "; NULL */
	char *killed;   /* the first whom the OOM killer took; NULL */
	char *last;     /* its last words, whoever's; NULL: none */
	bool is_full;   /* the archive did not fit into its memory */
	bool is_silent; /* there is nothing at all */
};

/* Any text will do. guest_console_free() it. */
void guest_console_scan(const char *text, struct guest_console *out);
void guest_console_free(struct guest_console *c);

/* "3 kernel messages: WARNING: ...; BUG: ..."; NULL: none. free() it. */
char *guest_console_mark(const struct guest_console *c);

/*
 * Is there trouble other than the panic and the failed allocations that
 * guest_console_why() speaks of?
 */
bool guest_console_has_more(const struct guest_console *c);

/*
 * What the console knows of why a guest ended or did not boot; NULL if it
 * knows nothing. free() it.
 */
char *guest_console_why(const struct guest_console *c,
			const struct guest_memory *memory);

#endif
