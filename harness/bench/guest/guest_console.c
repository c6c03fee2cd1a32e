/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/guest/guest_console.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

/* A line may be garbage: so much of it is quoted. */
enum { QUOTE_MAX = 160 };

static const struct {
	const char *text;
	bool is_anywhere; /* else only where the message begins */
} troubles[] = {
	{ "WARNING: ", false }, /* WARN(), and lockdep's findings */
	{ "BUG: ", false },     /* KASAN's too */
	{ "kernel BUG at ", true },
	{ "Oops", false },
	{ "Internal error: ", false },
	{ "Unable to handle kernel", false },
	{ "general protection fault", false },
	{ "Kernel panic", false },
	{ "INFO: task ", false }, /* blocked for more than ... seconds */
	{ "INFO: rcu", true },
	{ "rcu: INFO: ", false },
	{ "INFO: trying to register non-static key", false },
	{ "watchdog: BUG: ", false },
	{ "UBSAN: ", false },
	{ "KASAN: ", true },
	{ "KCSAN: ", true },
	{ "KFENCE: ", true },
	{ "DEBUG_LOCKS_WARN_ON", true },
	{ "refcount_t: ", false },
	{ "kmemleak: ", false },
	{ "page allocation failure", true },
};

/*
 * Behind "[   12.345678] " or "[   12.345678][    T1] "; NULL: the line is
 * none of the kernel's.
 */
static char *message_of(char *line)
{
	char *p = line;

	while (*p == '[') {
		p = strchr(p, ']');
		if (!p)
			return NULL;
		p++;
	}
	return p != line && *p == ' ' ? p + 1 : NULL;
}

static bool is_trouble(const char *message)
{
	for (size_t i = 0; i < ARRAY_SIZE(troubles); i++) {
		const char *at = strstr(message, troubles[i].text);

		if (at && (at == message || troubles[i].is_anywhere))
			return true;
	}
	return false;
}

static void take(char **to, const char *text)
{
	if (!*to)
		*to = xstrndup(text, strnlen(text, QUOTE_MAX));
}

/* "Out of memory: Killed process 77 (mariadbd) total-vm:...": its name. */
static void take_killed(const char *message, struct guest_console *out)
{
	const char *at = strstr(message, "Killed process ");
	const char *open = at ? strchr(at, '(') : NULL;
	const char *close = open ? strchr(open, ')') : NULL;

	if (close && !out->killed)
		out->killed = xstrndup(open + 1, (size_t)(close - open - 1));
}

/* What it says last; a line of blanks says nothing. */
static void take_last(const char *line, struct guest_console *out)
{
	line += strspn(line, " ");
	if (!*line)
		return;
	free(out->last);
	out->last = NULL;
	take(&out->last, line);
}

static void read_message(const char *message, struct guest_console *out)
{
	static const char panic[] = "Kernel panic - not syncing: ";

	if (is_trouble(message)) {
		if (out->n_lines < GUEST_LINES_MAX)
			take(&out->lines[out->n_lines], message);
		out->n_lines++;
	}
	if (str_starts(message, panic))
		take(&out->panic, message + strlen(panic));
	if (strstr(message, "Initramfs unpacking failed"))
		out->is_full = true;
	take_killed(message, out);
}

/* Serial lines end in \r\n, and may hold anything. */
static void clean(char *line)
{
	for (; *line; line++)
		if ((unsigned char)*line < ' ' || (unsigned char)*line > '~')
			*line = *line == '\r' && !line[1] ? '\0' : ' ';
}

void guest_console_scan(const char *text, struct guest_console *out)
{
	*out = (struct guest_console){ .is_silent = !*text };
	while (*text) {
		size_t n = strcspn(text, "\n");
		auto_free char *line = xstrndup(text, n);
		char *message;

		clean(line);
		take_last(line, out);
		message = message_of(line);
		if (message)
			read_message(message, out);
		text += n + (text[n] == '\n');
	}
}

void guest_console_free(struct guest_console *c)
{
	for (size_t i = 0; i < GUEST_LINES_MAX; i++)
		free(c->lines[i]);
	free(c->panic);
	free(c->killed);
	free(c->last);
	*c = (struct guest_console){ 0 };
}

char *guest_console_mark(const struct guest_console *c)
{
	struct str s = { 0 };

	if (!c->n_lines)
		return NULL;
	str_addf(&s, "the guest's kernel complained, %zu time%s: ", c->n_lines,
		 c->n_lines == 1 ? "" : "s");
	for (size_t i = 0; i < c->n_lines && i < GUEST_LINES_MAX; i++)
		str_addf(&s, "%s%s", i ? " | " : "", c->lines[i]);
	return str_steal(&s);
}

bool guest_console_has_more(const struct guest_console *c)
{
	for (size_t i = 0; i < c->n_lines && i < GUEST_LINES_MAX; i++) {
		bool is_panic = str_starts(c->lines[i], "Kernel panic");
		bool is_full = c->killed &&
			       strstr(c->lines[i], "page allocation failure");

		if (!is_panic && !is_full)
			return true;
	}
	return false;
}

/* It is not this machine's that was full. Takes what happened. */
static char *why_full(const struct guest_memory *m, char *how)
{
	char *text = xasprintf("the guest's memory, %" PRIu64 " MiB, %s; raise "
			       "%s",
			       m->bytes / NUM_MIB, how, m->key);

	free(how);
	return text;
}

char *guest_console_why(const struct guest_console *c,
			const struct guest_memory *memory)
{
	if (c->is_full)
		return why_full(memory, xstrdup("is too small for the files "
						"that it boots with"));
	if (c->killed)
		return why_full(memory,
				xasprintf("was full, and its kernel killed %s",
					  c->killed));
	if (c->panic && strstr(c->panic, "deadlocked on memory"))
		return why_full(memory, xstrdup("was full, and there was "
						"nothing to kill"));
	if (c->panic)
		return xasprintf("its kernel panicked: %s", c->panic);
	return NULL;
}
