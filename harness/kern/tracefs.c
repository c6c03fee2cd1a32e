/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kern/tracefs.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/num.h"

/* "11.234567" of seconds. */
static int parse_time(const char *text, uint64_t *ns)
{
	uint64_t s;
	uint64_t us;

	if (num_scan_u64(&text, &s) || *text != '.' || s > UINT32_MAX)
		return -EINVAL;
	text++;
	if (!isdigit((unsigned char)*text) || strlen(text) != 6 ||
	    num_u64(text, &us))
		return -EINVAL;
	*ns = s * NUM_NS_PER_S + us * 1000;
	return 0;
}

/* "kdamond.0-77": the last '-' parts name and pid. */
static bool parse_task(char *task, struct trace_event *out)
{
	char *name = str_trim(task);
	char *dash = strrchr(name, '-');
	uint64_t pid;

	if (!dash || num_u64(dash + 1, &pid) || pid > INT32_MAX)
		return false;
	*dash = '\0';
	out->comm = name;
	out->pid = (pid_t)pid;
	return true;
}

/* The next word of *text, cut off; "" at its end. */
static char *next_word(char **text)
{
	char *word = *text + strspn(*text, " ");
	size_t n = strcspn(word, " ");

	*text = word + n;
	if (word[n]) {
		word[n] = '\0';
		(*text)++;
	}
	return word;
}

/* Cut the ':' off its end; false if there is none. */
static bool cut_colon(char *word)
{
	size_t n = strlen(word);

	if (!n || word[n - 1] != ':')
		return false;
	word[n - 1] = '\0';
	return true;
}

/* Does the text up to here end in "-PID", and blanks? */
static bool ends_in_pid(const char *start, const char *end)
{
	const char *at = end;

	while (at > start && at[-1] == ' ')
		at--;
	end = at;
	while (at > start && isdigit((unsigned char)at[-1]))
		at--;
	return at > start && at < end && at[-1] == '-';
}

/* The " [" before the CPU; a name may hold brackets too. */
static char *find_cpu(char *line)
{
	for (char *at = strstr(line, " ["); at; at = strstr(at + 1, " [")) {
		size_t n = strspn(at + 2, "0123456789");

		if (n && at[2 + n] == ']' && ends_in_pid(line, at))
			return at;
	}
	return NULL;
}

bool trace_event_parse(char *line, struct trace_event *out)
{
	char *cpu = find_cpu(line);
	char *rest;
	char *word;

	if (!cpu)
		return false;
	*cpu = '\0';
	rest = strchr(cpu + 1, ']') + 1;
	if (!parse_task(line, out))
		return false;
	next_word(&rest); /* flags */
	word = next_word(&rest);
	if (!cut_colon(word) || parse_time(word, &out->t_ns))
		return false;
	word = next_word(&rest);
	if (!cut_colon(word))
		return false;
	out->name = word;
	out->fields = rest;
	return true;
}

/* The text behind "NAME=", at the start or after a blank. */
static const char *find_field(const struct trace_event *e, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = strstr(e->fields, name); at;
	     at = strstr(at + 1, name))
		if ((at == e->fields || at[-1] == ' ') && at[n] == '=')
			return at + n + 1;
	return NULL;
}

int trace_event_u64(const struct trace_event *e, const char *name,
		    uint64_t *out)
{
	const char *text = find_field(e, name);

	return text && !num_scan_u64(&text, out) ? 0 : -ENOENT;
}

char *trace_event_word(const struct trace_event *e, const char *name)
{
	const char *text = find_field(e, name);

	return text ? xstrndup(text, strcspn(text, " ,")) : NULL;
}

int tracefs_probe(const struct root *root)
{
	if (!root_exists(root, TRACEFS_INSTANCES))
		return -ENOENT;
	return root_writable(root, TRACEFS_INSTANCES);
}

bool tracefs_has(const struct root *root, const char *event)
{
	auto_free char *path =
		xasprintf("sys/kernel/tracing/events/%s/enable", event);

	return root_exists(root, path);
}

static int put(const struct tracefs *t, const char *file, const char *value)
{
	auto_free char *path = xasprintf("%s/%s", t->path, file);

	return root_write(t->root, path, value);
}

static int set_up(struct tracefs *t, unsigned int buffer_kb)
{
	auto_free char *kb = xasprintf("%u", buffer_kb);
	auto_free char *pipe = xasprintf("%s/trace_pipe", t->path);
	int ret = put(t, "buffer_size_kb", kb);

	if (!ret)
		ret = put(t, "trace_clock", "mono");
	if (ret)
		return ret;
	t->fd = openat(t->root->fd, pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	return t->fd < 0 ? -errno : 0;
}

int tracefs_open(const struct root *root, const char *path,
		 unsigned int buffer_kb, struct tracefs *out)
{
	int ret = tracefs_probe(root);

	*out = TRACEFS_CLOSED;
	if (ret)
		return ret;
	if (mkdirat(root->fd, path, 0700) && errno != EEXIST)
		return -errno;
	out->root = root;
	out->path = xstrdup(path);
	ret = set_up(out, buffer_kb);
	if (ret)
		tracefs_close(out);
	return ret;
}

int tracefs_enable(struct tracefs *t, const char *event)
{
	auto_free char *file = xasprintf("events/%s/enable", event);

	return put(t, file, "1");
}

static void take_line(struct tracefs *t, char *line,
		      void (*each)(void *arg, const struct trace_event *e),
		      void *arg)
{
	const char *lost = strstr(line, "[LOST ");
	struct trace_event e;
	uint64_t n;

	if (lost && str_starts(line, "CPU:")) {
		lost += strlen("[LOST ");
		t->n_lost += num_scan_u64(&lost, &n) ? 1 : n;
	} else if (trace_event_parse(line, &e)) {
		each(arg, &e);
	}
}

/* Whole lines; what is behind the last newline waits for more. */
static void take_lines(struct tracefs *t,
		       void (*each)(void *arg, const struct trace_event *e),
		       void *arg)
{
	struct str text = t->rest;
	char *line = text.text;
	char *end;

	t->rest = (struct str){ 0 };
	while ((end = memchr(line, '\n',
			     text.len - (size_t)(line - text.text)))) {
		*end = '\0';
		take_line(t, line, each, arg);
		line = end + 1;
	}
	str_addn(&t->rest, line, text.len - (size_t)(line - text.text));
	str_free(&text);
}

int tracefs_read(struct tracefs *t,
		 void (*each)(void *arg, const struct trace_event *e),
		 void *arg)
{
	char buffer[16384];
	ssize_t n;

	if (t->fd < 0)
		return -EBADF;
	for (;;) {
		n = read(t->fd, buffer, sizeof(buffer));
		if (n <= 0)
			break;
		str_addn(&t->rest, buffer, (size_t)n);
		take_lines(t, each, arg);
	}
	if (n < 0 && errno != EAGAIN && errno != EINTR)
		return -errno;
	return 0;
}

void tracefs_close(struct tracefs *t)
{
	if (t->fd >= 0)
		close(t->fd);
	if (t->path)
		tracefs_remove(t->root, t->path);
	free(t->path);
	str_free(&t->rest);
	*t = TRACEFS_CLOSED;
}

int tracefs_remove(const struct root *root, const char *path)
{
	return unlinkat(root->fd, path, AT_REMOVEDIR) ? -errno : 0;
}
