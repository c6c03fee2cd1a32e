/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/run/progress.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "bench/guest/guest_frame.h"

struct progress {
	int fd; /* where records go; 0: it is shown here */
	bool is_live;
	unsigned int total;
	uint64_t expected_ns; /* of a run, before any was seen */
	uint64_t seen_ns;     /* of the runs that were */
	unsigned int n_seen;
	unsigned int done;
	unsigned int block;
	unsigned int blocks;
	char *arm;
	char *phase;
	uint64_t run_ns; /* when this run began; 0: none did */
	double tps;
	double huge_bytes;
};

static bool is_terminal(void)
{
	const char *term = getenv("TERM");

	return isatty(STDERR_FILENO) && term && !str_eq(term, "dumb");
}

struct progress *progress_open(unsigned int total, uint64_t run_ns)
{
	struct progress *p = xcalloc(1, sizeof(*p));

	p->is_live = is_terminal();
	p->total = total;
	p->expected_ns = run_ns;
	p->arm = xstrdup("");
	p->phase = xstrdup("");
	p->tps = NAN;
	p->huge_bytes = NAN;
	err_live(p->is_live);
	return p;
}

struct progress *progress_open_guest(int fd)
{
	struct progress *p = xcalloc(1, sizeof(*p));

	p->fd = fd;
	return p;
}

/* A host that has gone takes the guest with it: nobody to tell. */
static void report(const struct progress *p, enum guest_frame_kind kind,
		   const char *text)
{
	guest_frame_send(p->fd, kind, "-", 0, text, strlen(text));
}

/* Runs take as long as those did that were seen. */
static uint64_t left_ns(const struct progress *p)
{
	uint64_t each = p->n_seen ? p->seen_ns / p->n_seen : p->expected_ns;
	uint64_t gone = clock_ns() - p->run_ns;
	uint64_t later;

	if (p->done >= p->total)
		return 0;
	later = (p->total - p->done - 1) * each;
	return later + (each > gone ? each - gone : 0);
}

/* Nothing while nobody knows. */
static void add_left(struct str *line, const struct progress *p)
{
	uint64_t ns = left_ns(p);
	unsigned int s = (unsigned int)((ns + NUM_NS_PER_S / 2) / NUM_NS_PER_S);
	unsigned int minutes = (s + 30) / 60;

	if (!p->n_seen && !p->expected_ns)
		return;
	str_add(line, ", ");
	if (minutes >= 60)
		str_addf(line, "%uh%02um left", minutes / 60, minutes % 60);
	else if (s >= 60)
		str_addf(line, "%um left", minutes);
	else
		str_addf(line, "%us left", s);
}

static void add_where(struct str *line, const struct progress *p)
{
	str_addf(line, "[%u/%u] block %u/%u, %s: %s", p->done + 1, p->total,
		 p->block, p->blocks, p->arm, p->phase);
}

static size_t terminal_width(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || size.ws_col < 2)
		return 80;
	return size.ws_col;
}

/* Cut to so many columns, between characters of UTF-8. */
static void cut(char *text, size_t width)
{
	size_t n = 0;

	for (; *text; text++) {
		bool begins = ((unsigned char)*text & 0xc0) != 0x80;

		if (begins && n++ == width)
			break;
	}
	*text = '\0';
}

static void draw(const struct progress *p)
{
	auto_str struct str line = { 0 };

	add_where(&line, p);
	if (!isnan(p->tps))
		str_addf(&line, ", %.0f TPS", p->tps);
	if (!isnan(p->huge_bytes))
		str_addf(&line, ", %.2f GiB huge",
			 p->huge_bytes / (double)NUM_GIB);
	add_left(&line, p);
	/* The last column stays free: some terminals wrap when it is used. */
	cut(line.text, terminal_width() - 1);
	fprintf(stderr, "\r\033[K%s", line.text);
	fflush(stderr);
}

void progress_run(struct progress *p, unsigned int done, unsigned int block,
		  unsigned int blocks, const char *arm)
{
	uint64_t now = clock_ns();

	if (p->run_ns) {
		p->seen_ns += now - p->run_ns;
		p->n_seen++;
	}
	p->run_ns = now;
	p->done = done;
	p->block = block;
	p->blocks = blocks;
	free(p->arm);
	p->arm = xstrdup(arm);
	p->tps = NAN;
	p->huge_bytes = NAN;
}

void progress_phase(struct progress *p, const char *phase)
{
	auto_str struct str line = { 0 };
	bool is_first = str_eq(phase, "start");

	if (p->fd) {
		report(p, GUEST_PHASE, phase);
		return;
	}
	free(p->phase);
	p->phase = xstrdup(phase);
	if (p->is_live) {
		draw(p);
		return;
	}
	add_where(&line, p);
	if (is_first)
		add_left(&line, p);
	fprintf(stderr, "%s\n", line.text);
}

void progress_tick(struct progress *p, double tps, double huge_bytes)
{
	p->tps = tps;
	p->huge_bytes = huge_bytes;
	if (p->fd) {
		auto_free char *text = xasprintf("%g %g", tps, huge_bytes);

		report(p, GUEST_TICK, text);
		return;
	}
	if (p->is_live)
		draw(p);
}

void progress_say(struct progress *p, const char *fmt, ...)
{
	auto_free char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		abort();
	va_end(ap);
	if (p->fd) {
		report(p, GUEST_SAY, text);
		return;
	}
	fputs(p->is_live ? "\r\033[Kthpbench: " : "thpbench: ", stderr);
	fprintf(stderr, "%s\n", text);
	if (p->is_live && p->run_ns)
		draw(p);
}

void progress_close(struct progress *p)
{
	if (!p)
		return;
	if (p->is_live)
		fputs("\r\033[K", stderr);
	err_live(false);
	free(p->arm);
	free(p->phase);
	free(p);
}
