/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/store.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/tsv.h"
#include "data/layout.h"
#include "data/extra.h"
#include "data/runlog.h"

/* A file that grows line by line: one write(2) each. */
struct stream {
	int fd;
	size_t n_cells; /* numbers in a row, behind t_s and the phase */
	bool is_cut;    /* a line is half-written: nothing may follow it */
};

enum stream_name {
	STREAM_EVENTS,
	STREAM_SAMPLES,
	STREAM_LOAD,
	STREAM_TOTALS,
	N_STREAMS,
};

/* Those without a header get it with their columns. */
static const struct {
	const char *file;
	const char *header;
} stream_files[N_STREAMS] = {
	[STREAM_EVENTS] = { LAYOUT_EVENTS, "t_s\tevent\tdetail\n" },
	[STREAM_SAMPLES] = { LAYOUT_SAMPLES, NULL },
	[STREAM_LOAD] = { LAYOUT_LOAD, NULL },
	[STREAM_TOTALS] = { LAYOUT_TOTALS,
			    "metric\tvalue\tunit\tsource\tmissing\n" },
};

struct store_run {
	const struct experiment *e;
	char *dir;   /* of the run, whole */
	char *began; /* wall clock, for people */
	struct stream streams[N_STREAMS];
	int error;        /* the first that any write had */
	char *error_file; /* and where */
};

static int remember(struct store_run *s, const char *file, int ret)
{
	if (ret && !s->error) {
		s->error = ret;
		s->error_file = xstrdup(file);
	}
	return ret;
}

/* --- streams --- */

static int put_line(struct store_run *s, enum stream_name name,
		    const struct str *line)
{
	struct stream *stream = &s->streams[name];
	int ret;

	if (stream->is_cut)
		return s->error;
	ret = file_write_fd(stream->fd, line->text, line->len);
	stream->is_cut = ret != 0;
	return remember(s, stream_files[name].file, ret);
}

static int open_streams(struct store_run *s)
{
	for (int i = 0; i < N_STREAMS; i++)
		s->streams[i].fd = -1;
	for (int i = 0; i < N_STREAMS; i++) {
		auto_free char *path = store_run_path(s, stream_files[i].file);
		auto_str struct str line = { 0 };

		s->streams[i].fd = open(path,
					O_WRONLY | O_CREAT | O_TRUNC |
						O_APPEND | O_CLOEXEC,
					0644);
		if (s->streams[i].fd < 0)
			return fail(-errno, "create %s", path);
		if (!stream_files[i].header)
			continue;
		str_add(&line, stream_files[i].header);
		put_line(s, i, &line);
	}
	return 0;
}

static void close_streams(struct store_run *s)
{
	for (int i = 0; i < N_STREAMS; i++) {
		int fd = s->streams[i].fd;

		if (fd < 0)
			continue;
		if (!s->e->is_published_whole)
			remember(s, stream_files[i].file,
				 fsync(fd) ? -errno : 0);
		remember(s, stream_files[i].file, close(fd) ? -errno : 0);
	}
}

static void store_run_free(struct store_run *s)
{
	free(s->dir);
	free(s->began);
	free(s->error_file);
	free(s);
}

/* The first attempt from this one on that has no folder yet. */
static int make_run_dir(const struct experiment *e, struct run *run)
{
	for (;; run->attempt++) {
		auto_free char *dir = layout_run_dir(e, run, run->attempt);
		auto_free char *path = xasprintf("%s/%s", e->dir, dir);

		if (!mkdir(path, 0755)) {
			free(run->dir);
			run->dir = xstrdup(dir);
			return 0;
		}
		if (errno != EEXIST)
			return fail(-errno, "make %s", path);
	}
}

int store_run_open(const struct experiment *e, struct run *run,
		   struct store_run **out)
{
	struct store_run *s;
	int ret = make_run_dir(e, run);

	if (ret)
		return ret;
	s = xcalloc(1, sizeof(*s));
	s->e = e;
	s->dir = xasprintf("%s/%s", e->dir, run->dir);
	s->began = clock_wall_text();
	ret = open_streams(s);
	if (ret) {
		close_streams(s);
		store_run_free(s);
		return ret;
	}
	*out = s;
	return 0;
}

char *store_run_path(const struct store_run *s, const char *file)
{
	return xasprintf("%s/%s", s->dir, file);
}

int store_event(struct store_run *s, double t_s, const char *name,
		const char *detail)
{
	auto_str struct str line = { 0 };

	tsv_add_time(&line, t_s);
	tsv_add_cell(&line, name);
	tsv_add_cell(&line, detail);
	str_addc(&line, '\n');
	return put_line(s, STREAM_EVENTS, &line);
}

static int put_columns(struct store_run *s, enum stream_name stream,
		       const char *first, const char *const *names, size_t n)
{
	auto_str struct str line = { 0 };

	str_add(&line, first);
	for (size_t i = 0; i < n; i++)
		tsv_add_cell(&line, names[i]);
	str_addc(&line, '\n');
	s->streams[stream].n_cells = n;
	return put_line(s, stream, &line);
}

/* line begins with the time. */
static int put_cells(struct store_run *s, enum stream_name stream,
		     struct str *line, const double *cells)
{
	for (size_t i = 0; i < s->streams[stream].n_cells; i++) {
		tsv_add_number(line, cells[i]);
	}
	str_addc(line, '\n');
	return put_line(s, stream, line);
}

int store_sample_columns(struct store_run *s, const char *const *names,
			 size_t n)
{
	return put_columns(s, STREAM_SAMPLES, "t_s\tphase", names, n);
}

int store_sample(struct store_run *s, double t_s, const char *phase,
		 const double *cells)
{
	auto_str struct str line = { 0 };

	tsv_add_time(&line, t_s);
	tsv_add_cell(&line, phase);
	return put_cells(s, STREAM_SAMPLES, &line, cells);
}

int store_load_columns(struct store_run *s, const char *const *names, size_t n)
{
	return put_columns(s, STREAM_LOAD, "t_s", names, n);
}

int store_load(struct store_run *s, double t_s, const double *cells)
{
	auto_str struct str line = { 0 };

	tsv_add_time(&line, t_s);
	return put_cells(s, STREAM_LOAD, &line, cells);
}

static int put_total(struct store_run *s, const char *metric, double value,
		     const char *source, const char *missing)
{
	const struct metric *m = extra_find(s->e, metric);
	auto_str struct str line = { 0 };

	tsv_add_cell(&line, metric);
	tsv_add_number(&line, value);
	tsv_add_cell(&line, m ? m->unit : "");
	tsv_add_cell(&line, source);
	tsv_add_cell(&line, missing);
	str_addc(&line, '\n');
	return put_line(s, STREAM_TOTALS, &line);
}

int store_total(struct store_run *s, const char *metric, double value,
		const char *source)
{
	return put_total(s, metric, value, source,
			 isfinite(value) ? "" : "came out as no number");
}

int store_total_missing(struct store_run *s, const char *metric,
			const char *why)
{
	return put_total(s, metric, NAN, "", why);
}

/* --- files written whole --- */

static int put_file(struct store_run *s, const char *file,
		    const struct str *text)
{
	auto_free char *path = store_run_path(s, file);

	return remember(s, file, file_publish(path, text->text));
}

int store_facts(struct store_run *s, const char *file,
		const struct facts *facts)
{
	auto_str struct str text = { 0 };

	str_add(&text, "name\tvalue\n");
	for (size_t i = 0; i < facts->n; i++) {
		tsv_add_cell(&text, facts->list[i].name);
		tsv_add_cell(&text, facts->list[i].value);
		str_addc(&text, '\n');
	}
	return put_file(s, file, &text);
}

int store_mappings(struct store_run *s, const char *when,
		   const struct mappings *m)
{
	auto_free char *file = xasprintf("smaps-%s.tsv", when);
	auto_str struct str text = { 0 };

	str_add(&text, "mapping\trange\tsize_bytes\trss_bytes\thuge_bytes\n");
	for (size_t i = 0; i < m->n; i++) {
		const struct mapping *map = &m->list[i];

		tsv_add_cell(&text, *map->name ? map->name : "[anon]");
		tsv_add_cell(&text, map->range);
		str_addf(&text, "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n",
			 map->size_bytes, map->rss_bytes, map->huge_bytes);
	}
	return put_file(s, file, &text);
}

int store_settings(struct store_run *s, const struct setting_record *list,
		   size_t n)
{
	auto_str struct str text = { 0 };

	str_add(&text, "path\tbefore\tasked\tread_back\tafter\n");
	for (size_t i = 0; i < n; i++) {
		tsv_add_cell(&text, list[i].path);
		tsv_add_cell(&text, list[i].before);
		tsv_add_cell(&text, list[i].asked);
		tsv_add_cell(&text, list[i].read_back);
		tsv_add_cell(&text, list[i].after);
		str_addc(&text, '\n');
	}
	return put_file(s, LAYOUT_SETTINGS, &text);
}

int store_collectors(struct store_run *s, const struct collector_record *list,
		     size_t n)
{
	auto_str struct str text = { 0 };

	str_add(&text,
		"collector\tsource\tsamples\tcpu_s\tlongest_ms\tmissing\n");
	for (size_t i = 0; i < n; i++) {
		tsv_add_cell(&text, list[i].name);
		tsv_add_cell(&text, list[i].source);
		str_addf(&text, "\t%" PRIu64, list[i].n_samples);
		tsv_add_number(&text, list[i].cpu_s);
		tsv_add_number(&text, list[i].longest_ms);
		tsv_add_cell(&text, list[i].missing);
		str_addc(&text, '\n');
	}
	return put_file(s, LAYOUT_COLLECTORS, &text);
}

int store_counters(struct store_run *s, const struct counter_record *list,
		   size_t n)
{
	auto_str struct str text = { 0 };

	str_add(&text, "kind\tgroup\trole\tevent\tcode\tcolumn\ttext\n");
	for (size_t i = 0; i < n; i++) {
		tsv_add_cell(&text, list[i].kind);
		tsv_add_cell(&text, list[i].group);
		tsv_add_cell(&text, list[i].role);
		tsv_add_cell(&text, list[i].event);
		tsv_add_cell(&text, list[i].code);
		tsv_add_cell(&text, list[i].column);
		tsv_add_cell(&text, list[i].text);
		str_addc(&text, '\n');
	}
	return put_file(s, LAYOUT_COUNTERS, &text);
}

/* --- the end of a run --- */

int store_run_close(struct store_run *s, const struct experiment *e,
		    struct run *run)
{
	int ret;

	close_streams(s);
	ret = s->error;
	if (ret) {
		fail(ret, "write %s/%s", s->dir, s->error_file);
		run->state = RUN_FAILED;
		free(run->reason);
		run->reason = xasprintf("the record is not whole: write %s: %s",
					s->error_file, strerror(-ret));
	}
	if (!ret)
		ret = runlog_append(e, run, s->began);
	else
		runlog_append(e, run, s->began);
	store_run_free(s);
	return ret;
}
