/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/counter/event_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench/config/config_text.h"
#include "bench/counter/event_file_check.h"
#include "bench/counter/event_file_read.h"
#include "bench/counter/event_match.h"

/* A NUL cuts a text short without a word. */
static bool has_nul(const char *text, size_t n)
{
	return strlen(text) != n;
}

int event_file_parse(const char *name, const char *text, struct event_file *out)
{
	static const struct text_form form = {
		.section = "[NAME] or [pmu \"NAME\"]",
		.first = "[pmu \"NAME\"], [counters], [events] or [groups]",
	};
	struct faults faults = { 0 };
	struct text t;
	int ret = 0;

	*out = (struct event_file){ .path = xstrdup(name) };
	text_parse(text, &form, &t, &faults);
	event_file_fill(&t, out, &faults);
	if (!faults.n)
		event_file_check(out, t.lines, &faults);
	if (faults.n) {
		faults_say(&faults, name);
		event_file_free(out);
		ret = -EBADMSG;
	}
	faults_free(&faults);
	text_free(&t);
	return ret;
}

int event_file_read(const char *path, struct event_file *out)
{
	auto_free char *text = NULL;
	size_t n;
	int ret = file_read(path, &text, &n);

	*out = (struct event_file){ 0 };
	if (ret)
		return fail(ret, "%s", path);
	if (has_nul(text, n))
		return refuse(-EBADMSG, "%s: a NUL byte; text", path);
	return event_file_parse(path, text, out);
}

static void free_list(char **list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(list[i]);
	free(list);
}

static void free_pmu(struct event_pmu *pmu)
{
	for (size_t i = 0; i < pmu->n_cpus; i++)
		event_match_free(&pmu->cpus[i]);
	free(pmu->cpus);
	free_list(pmu->tables, pmu->n_tables);
	free(pmu->name);
	free(pmu->title);
	free(pmu->sysfs);
}

static void free_role(struct event_role *role)
{
	for (size_t i = 0; i < role->n; i++)
		free(role->words[i].name);
	free(role->words);
	free(role->name);
	free(role->note);
}

void event_file_free(struct event_file *f)
{
	for (size_t i = 0; i < f->n_pmus; i++)
		free_pmu(&f->pmus[i]);
	for (size_t i = 0; i < f->n_roles; i++)
		free_role(&f->roles[i]);
	for (size_t i = 0; i < f->n_groups; i++) {
		free_list(f->groups[i].roles, f->groups[i].n);
		free(f->groups[i].name);
	}
	for (size_t i = 0; i < f->n_missing; i++) {
		free(f->missing[i].role);
		free(f->missing[i].why);
	}
	free(f->pmus);
	free(f->roles);
	free(f->groups);
	free(f->missing);
	free_list(f->fixed, f->n_fixed);
	free(f->note);
	free(f->path);
	*f = (struct event_file){ 0 };
}

const struct event_role *event_file_role(const struct event_file *f,
					 const char *name)
{
	for (size_t i = 0; i < f->n_roles; i++)
		if (str_eq(f->roles[i].name, name))
			return &f->roles[i];
	return NULL;
}

static bool is_for(const struct event_pmu *pmu, const struct cpu_id *id,
		   const char *sysfs, bool is_any)
{
	if (pmu->sysfs && !str_eq(pmu->sysfs, sysfs))
		return false;
	for (size_t i = 0; i < pmu->n_cpus; i++)
		if (pmu->cpus[i].is_any == is_any &&
		    event_match_is(&pmu->cpus[i], id))
			return true;
	return false;
}

const struct event_pmu *event_file_find(const struct event_file *f,
					const struct cpu_id *id,
					const char *sysfs, bool is_any)
{
	for (size_t i = 0; i < f->n_pmus; i++)
		if (is_for(&f->pmus[i], id, sysfs, is_any))
			return &f->pmus[i];
	return NULL;
}

bool event_file_is_fixed(const struct event_file *f, const char *role)
{
	for (size_t i = 0; i < f->n_fixed; i++)
		if (str_eq(f->fixed[i], role))
			return true;
	return false;
}
