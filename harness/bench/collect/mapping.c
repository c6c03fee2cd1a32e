/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/collect/mapping.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

/* Of glibc: a page, or what pthread_attr_setguardsize() was given. */
static const uint64_t most_guard_bytes = 64 * NUM_KIB;
/* Twice the biggest that distributions give a thread. */
static const uint64_t most_stack_bytes = 16 * NUM_MIB;

static bool is_anonymous(const struct smaps_vma *vma)
{
	return !*vma->name;
}

static bool is_untouchable(const struct smaps_vma *vma)
{
	return str_starts(vma->perms, "---");
}

static const char *name_of_file(const char *path, const char *program)
{
	const char *slash = strrchr(path, '/');
	const char *file = slash ? slash + 1 : path;

	if (str_eq(file, program))
		return program;
	return strstr(file, ".so") ? "libraries" : "files";
}

static const char *name_of_kernels(const char *name)
{
	if (str_eq(name, "[heap]") || str_eq(name, "[stack]") ||
	    str_starts(name, "[anon:"))
		return name;
	return "kernel's own";
}

/* before: the mapping below, NULL if there is none or a gap between. */
static bool is_thread_stack(const struct smaps_vma *vma,
			    const struct smaps_vma *before)
{
	return before && is_anonymous(before) && is_untouchable(before) &&
	       before->end - before->start <= most_guard_bytes &&
	       vma->end - vma->start <= most_stack_bytes;
}

static const char *name_of_anonymous(const struct smaps_vma *vma,
				     const struct smaps_vma *before,
				     const char *program)
{
	if (is_untouchable(vma))
		return "reserved";
	if (is_thread_stack(vma, before))
		return "thread stacks";
	/* .bss begins where the file's data end. */
	if (before && before->name[0] == '/' && before->perms[1] == 'w')
		return name_of_file(before->name, program);
	return "[anon]";
}

static const char *name_of(const struct smaps *s, size_t i, const char *program)
{
	const struct smaps_vma *vma = &s->list[i];
	const struct smaps_vma *before = i ? &s->list[i - 1] : NULL;

	if (before && before->end != vma->start)
		before = NULL;
	if (is_anonymous(vma))
		return name_of_anonymous(vma, before, program);
	if (vma->name[0] == '[')
		return name_of_kernels(vma->name);
	return name_of_file(vma->name, program);
}

static size_t find_or_add(struct mappings *m, const char *name)
{
	for (size_t i = 0; i < m->n; i++)
		if (str_eq(m->list[i].name, name))
			return i;
	XGROW(m->list, m->n);
	m->list[m->n] = (struct mapping){ .name = xstrdup(name) };
	return m->n++;
}

static void add(struct mapping *to, const struct smaps_vma *vma)
{
	if (!to->range)
		to->range =
			xasprintf("%llx-%llx", (unsigned long long)vma->start,
				  (unsigned long long)vma->end);
	to->size_bytes += vma->end - vma->start;
	to->rss_bytes += vma->rss_bytes;
	to->huge_bytes += vma->anon_huge_bytes + vma->file_huge_bytes +
			  vma->shmem_huge_bytes;
}

static int by_resident(const void *a, const void *b)
{
	const struct mapping *x = a;
	const struct mapping *y = b;

	if (x->rss_bytes != y->rss_bytes)
		return x->rss_bytes < y->rss_bytes ? 1 : -1;
	return strcmp(x->name, y->name);
}

void mapping_group(const struct smaps *s, const char *program, bool is_database,
		   struct mappings *out)
{
	auto_free bool *is_pool = xcalloc(s->n + 1, sizeof(*is_pool));
	auto_free unsigned int *counts = xcalloc(s->n + 1, sizeof(*counts));
	const char *pool = is_database ? "buffer pool" : "largest anonymous";

	*out = (struct mappings){ 0 };
	smaps_find_pool(s, is_pool);
	for (size_t i = 0; i < s->n; i++) {
		const char *name = is_pool[i] ? pool : name_of(s, i, program);
		size_t at = find_or_add(out, name);

		counts[at]++;
		add(&out->list[at], &s->list[i]);
	}
	for (size_t i = 0; i < out->n; i++) {
		if (counts[i] == 1)
			continue;
		free(out->list[i].range);
		out->list[i].range = xasprintf("%u mappings", counts[i]);
	}
	if (out->n)
		qsort(out->list, out->n, sizeof(*out->list), by_resident);
}

void mappings_free(struct mappings *m)
{
	for (size_t i = 0; i < m->n; i++) {
		free(m->list[i].name);
		free(m->list[i].range);
	}
	free(m->list);
	*m = (struct mappings){ 0 };
}

/* The name of the file that a process runs; "" if it cannot be had. */
static char *program_of(const struct root *root, pid_t pid)
{
	auto_free char *path = xasprintf("proc/%d/exe", (int)pid);
	char target[PATH_MAX];
	ssize_t n = readlinkat(root->fd, path, target, sizeof(target) - 1);
	const char *slash;

	target[n > 0 ? n : 0] = '\0';
	slash = strrchr(target, '/');
	return xstrdup(slash ? slash + 1 : target);
}

int mapping_read(const struct collect_target *t, struct mappings *out,
		 struct mapping_check *check)
{
	auto_free char *path = xasprintf("proc/%d/smaps", (int)t->server_pid);
	auto_free char *program = program_of(t->root, t->server_pid);
	auto_free char *text = NULL;
	struct smaps smaps;
	int ret = root_read(t->root, path, &text);

	if (!ret)
		ret = smaps_parse(text, &smaps);
	if (ret)
		return ret;
	check->smaps_rss_bytes = 0;
	check->smaps_huge_bytes = 0;
	for (size_t i = 0; i < smaps.n; i++) {
		check->smaps_rss_bytes += (double)smaps.list[i].rss_bytes;
		check->smaps_huge_bytes +=
			(double)smaps.list[i].anon_huge_bytes;
	}
	mapping_group(&smaps, program, t->server != NULL, out);
	smaps_free(&smaps);
	return 0;
}

static bool is_outside(double value, const double said[2])
{
	double low = fmin(said[0], said[1]);
	double high = fmax(said[0], said[1]);
	double off = fmax(low - value, value - high);

	/* An unknown one is NAN: no comparison with it is true. */
	return off > 4.0 * (double)NUM_MIB && off > 0.01 * value;
}

char *mapping_mismatch(const struct mapping_check *check, const char *source,
		       const char *when)
{
	const double mib = (double)NUM_MIB;
	const double *said;
	const char *what;
	double value;

	if (is_outside(check->smaps_huge_bytes, check->huge_bytes)) {
		what = "huge";
		said = check->huge_bytes;
		value = check->smaps_huge_bytes;
	} else if (is_outside(check->smaps_rss_bytes, check->rss_bytes)) {
		what = "resident";
		said = check->rss_bytes;
		value = check->smaps_rss_bytes;
	} else {
		return NULL;
	}
	return xasprintf("at %s smaps has %.1f MiB %s, the memory collector "
			 "%.1f MiB (%s)",
			 when, value / mib, what, said[1] / mib, source);
}
