/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/runlog.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/tsv.h"
#include "data/layout.h"
#include "data/store.h"

/* A writer that died may have left half a line: cut it off. *n: what stays. */
static int cut_half_line(int fd, size_t *n)
{
	auto_free char *text = NULL;
	size_t whole;
	int ret = file_read_fd(fd, &text, n);

	if (ret)
		return ret;
	for (whole = *n; whole && text[whole - 1] != '\n';)
		whole--;
	if (whole != *n && ftruncate(fd, (off_t)whole))
		return -errno;
	*n = whole;
	return 0;
}

static void journal_line(const struct experiment *e, const struct run *run,
			 const char *began, struct str *line)
{
	auto_free char *ended = clock_wall_text();

	str_addf(line, "%u\t%u", run->number, run->block);
	tsv_add_cell(line, e->arms[run->arm].label);
	str_addf(line, "\t%u", run->attempt);
	tsv_add_cell(line, run_state_text(run->state));
	tsv_add_cell(line, run->dir);
	tsv_add_cell(line, began);
	tsv_add_cell(line, ended);
	tsv_add_cell(line, run->reason ? run->reason : "");
	str_addc(line, '\n');
}

int runlog_append(const struct experiment *e, const struct run *run,
		  const char *began)
{
	auto_free char *path = xasprintf("%s/" LAYOUT_JOURNAL, e->dir);
	auto_close int fd =
		open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	auto_str struct str text = { 0 };
	size_t n;
	int ret;

	if (fd < 0)
		return fail(-errno, "open %s", path);
	ret = cut_half_line(fd, &n);
	if (ret)
		return fail(ret, "mend %s", path);
	if (!n)
		str_add(&text, "run\tblock\tarm\tattempt\tstate\tdir\tstart\t"
			       "end\treason\n");
	journal_line(e, run, began, &text);
	ret = file_write_fd(fd, text.text, text.len);
	if (!ret && !e->is_published_whole && fsync(fd))
		ret = -errno;
	return ret ? fail(ret, "write %s", path) : 0;
}

static struct run *find_run(struct experiment *e, uint64_t number)
{
	for (size_t i = 0; i < e->n_runs; i++)
		if (e->runs[i].number == number)
			return &e->runs[i];
	return NULL;
}

/* False for a line that is not of this plan. */
static bool take_journal_line(struct experiment *e, const struct tsv *t,
			      size_t row)
{
	int state = run_state_parse(tsv_get(t, row, "state"));
	uint64_t number;
	uint64_t attempt;
	struct run *run;

	if (state < 0 || num_u64(tsv_get(t, row, "run"), &number) ||
	    num_u64(tsv_get(t, row, "attempt"), &attempt) || !attempt ||
	    attempt > UINT_MAX)
		return false;
	run = find_run(e, number);
	if (!run || !str_eq(tsv_get(t, row, "arm"), e->arms[run->arm].label))
		return false;
	if (attempt < run->attempt)
		return true;
	if (attempt > run->attempt)
		run_keep_attempt(run);
	run->attempt = (unsigned int)attempt;
	run->state = (enum run_state)state;
	free(run->reason);
	run->reason = xstrdup(tsv_get(t, row, "reason"));
	return true;
}

int store_load_journal(struct experiment *e)
{
	auto_free char *path = xasprintf("%s/" LAYOUT_JOURNAL, e->dir);
	struct tsv t;
	int ret;

	for (size_t i = 0; i < e->n_runs; i++) {
		e->runs[i].attempt = 0;
		free(e->runs[i].earlier);
		e->runs[i].earlier = NULL;
	}
	ret = tsv_read(path, &t);
	if (ret)
		return ret == -ENOENT ? 0 : fail(ret, "read %s", path);
	for (size_t i = 1; i < t.n_rows; i++)
		if (!take_journal_line(e, &t, i))
			warn("%s: entry %zu is of no run in the plan", path, i);
	tsv_free(&t);
	return 0;
}
