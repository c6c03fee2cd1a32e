/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/extra.h"

#include <errno.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/tsv.h"
#include "data/layout.h"

const struct metric *extra_find(const struct experiment *e, const char *name)
{
	const struct metric *m = metric_find(name);

	for (size_t i = 0; !m && i < e->n_extra; i++)
		if (str_eq(e->extra[i].name, name))
			m = &e->extra[i];
	return m;
}

size_t extra_count(const struct experiment *e)
{
	return n_metrics + e->n_extra;
}

const struct metric *extra_at(const struct experiment *e, size_t i)
{
	return i < n_metrics ? &metrics[i] : &e->extra[i - n_metrics];
}

void extra_add(struct experiment *e, const struct metric *m)
{
	if (extra_find(e, m->name))
		return;
	XGROW(e->extra, e->n_extra);
	e->extra[e->n_extra++] = (struct metric){
		.name = xstrdup(m->name),
		.title = xstrdup(m->title),
		.unit = xstrdup(m->unit),
		.better = m->better,
		.kind = m->kind,
		.source = xstrdup(m->source),
		.help = xstrdup(m->help),
	};
}

char *extra_text(const struct experiment *e)
{
	struct str out = { 0 };

	str_add(&out, "metric\ttitle\tunit\tbetter\tsource\thelp\n");
	for (size_t i = 0; i < e->n_extra; i++) {
		const struct metric *m = &e->extra[i];
		auto_str struct str line = { 0 };

		tsv_add_cell(&line, m->name);
		tsv_add_cell(&line, m->title);
		tsv_add_cell(&line, m->unit);
		tsv_add_cell(&line, metric_better_text(m->better));
		tsv_add_cell(&line, m->source);
		tsv_add_cell(&line, m->help);
		str_addf(&out, "%s\n", line.text);
	}
	return str_steal(&out);
}

static enum metric_better better_of(const char *word)
{
	static const enum metric_better all[] = { METRIC_MORE, METRIC_LESS };

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		if (str_eq(word, metric_better_text(all[i])))
			return all[i];
	return METRIC_NEITHER;
}

int extra_read(struct experiment *e)
{
	auto_free char *path = xasprintf("%s/" LAYOUT_METRICS, e->dir);
	struct tsv t;
	int ret = tsv_read(path, &t);

	if (ret == -ENOENT)
		return 0;
	if (ret)
		return fail(ret, "read %s", path);
	for (size_t i = 1; i < t.n_rows; i++) {
		const struct metric m = {
			.name = tsv_get(&t, i, "metric"),
			.title = tsv_get(&t, i, "title"),
			.unit = tsv_get(&t, i, "unit"),
			.better = better_of(tsv_get(&t, i, "better")),
			.kind = METRIC_GAUGE,
			.source = tsv_get(&t, i, "source"),
			.help = tsv_get(&t, i, "help"),
		};

		if (*m.name)
			extra_add(e, &m);
	}
	tsv_free(&t);
	return 0;
}

void extra_free(struct experiment *e)
{
	for (size_t i = 0; i < e->n_extra; i++) {
		const struct metric *m = &e->extra[i];

		free((char *)m->name);
		free((char *)m->title);
		free((char *)m->unit);
		free((char *)m->source);
		free((char *)m->help);
	}
	free(e->extra);
	e->extra = NULL;
	e->n_extra = 0;
}

/* A mark is a judgement of others. free() it. */
static char *mark_fact(const char *arm, const char *metric)
{
	return xasprintf("mark of %s, %s", metric, arm);
}

void extra_set_mark(struct experiment *e, const char *arm, const char *metric,
		    const char *mark)
{
	auto_free char *fact = mark_fact(arm, metric);

	facts_set(&e->judging, fact, mark);
}

const char *extra_mark(const struct experiment *e, const char *arm,
		       const char *metric)
{
	auto_free char *fact = mark_fact(arm, metric);

	return facts_get(&e->judging, fact);
}

bool extra_is_imported(const struct experiment *e)
{
	return *facts_get(&e->workload, "imported") != '\0';
}
