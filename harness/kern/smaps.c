/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kern/smaps.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "kern/vmstat.h"

int smaps_parse_rollup(const char *text, struct smaps_sum *out)
{
	enum {
		RSS,
		PSS,
		ANON,
		ANON_HUGE,
		FILE_HUGE,
		SHMEM_HUGE,
		PRIVATE_TLB,
		SHARED_TLB,
		N_KEYS
	};
	static const char *const keys[N_KEYS] = {
		[RSS] = "Rss",
		[PSS] = "Pss",
		[ANON] = "Anonymous",
		[ANON_HUGE] = "AnonHugePages",
		[FILE_HUGE] = "FilePmdMapped",
		[SHMEM_HUGE] = "ShmemPmdMapped",
		[PRIVATE_TLB] = "Private_Hugetlb",
		[SHARED_TLB] = "Shared_Hugetlb",
	};
	uint64_t v[N_KEYS] = { 0 };
	unsigned char is_there[N_KEYS];

	vmstat_parse(text, keys, N_KEYS, v, is_there);
	if (!is_there[RSS] || !is_there[ANON_HUGE])
		return -EPROTO;
	*out = (struct smaps_sum){
		.rss_bytes = v[RSS],
		.pss_bytes = v[PSS],
		.anon_bytes = v[ANON],
		.anon_huge_bytes = v[ANON_HUGE],
		.file_huge_bytes = v[FILE_HUGE],
		.shmem_huge_bytes = v[SHMEM_HUGE],
		.hugetlb_bytes = v[PRIVATE_TLB] + v[SHARED_TLB],
	};
	return 0;
}

/* Hexadecimal as the kernel prints it: lower case, no prefix. */
static int scan_hex(const char **text, uint64_t *out)
{
	const char *p = *text;
	uint64_t v = 0;

	for (; isdigit((unsigned char)*p) || (*p >= 'a' && *p <= 'f'); p++) {
		if (v >> 60)
			return -ERANGE;
		v = v << 4 | (uint64_t)(*p <= '9' ? *p - '0' : *p - 'a' + 10);
	}
	if (p == *text)
		return -EINVAL;
	*text = p;
	*out = v;
	return 0;
}

/* "start-end " as every header of a mapping begins. */
static bool scan_range(const char **line, struct smaps_vma *vma)
{
	const char *p = *line;

	if (scan_hex(&p, &vma->start) || *p++ != '-' ||
	    scan_hex(&p, &vma->end) || *p++ != ' ')
		return false;
	*line = p;
	return true;
}

/* "perms offset dev inode   name" */
static int parse_header(const char *p, struct smaps_vma *vma)
{
	if (vma->end <= vma->start || strspn(p, "rwxsp-") != 4 || p[4] != ' ')
		return -EPROTO;
	memcpy(vma->perms, p, 4);
	p += 5;
	for (int i = 0; i < 3; i++) {
		size_t len = strcspn(p, " \n");

		if (!len)
			return -EPROTO;
		p += len;
		p += strspn(p, " ");
	}
	vma->name = xstrndup(p, strcspn(p, "\n"));
	return 0;
}

static int parse_flags(const char *p, struct smaps_vma *vma)
{
	for (;;) {
		size_t len;

		p += strspn(p, " ");
		len = strcspn(p, " \n");
		if (!len)
			return 0;
		if (len == 2 && strncmp(p, "hg", 2) == 0)
			vma->has_hugepage = true;
		if (len == 2 && strncmp(p, "nh", 2) == 0)
			vma->has_nohugepage = true;
		p += len;
	}
}

static int parse_eligible(const char *p, struct smaps_vma *vma)
{
	uint64_t v;

	if (num_scan_u64(&p, &v))
		return -EPROTO;
	vma->is_eligible = v != 0;
	return 0;
}

/* A line "Key: ..." below a header; unknown keys are skipped. */
static int parse_key(const char *line, struct smaps_vma *vma)
{
	static const struct {
		const char *key;
		size_t offset;
	} sizes[] = {
		{ "Rss:", offsetof(struct smaps_vma, rss_bytes) },
		{ "Anonymous:", offsetof(struct smaps_vma, anon_bytes) },
		{ "AnonHugePages:",
		  offsetof(struct smaps_vma, anon_huge_bytes) },
		{ "FilePmdMapped:",
		  offsetof(struct smaps_vma, file_huge_bytes) },
		{ "ShmemPmdMapped:",
		  offsetof(struct smaps_vma, shmem_huge_bytes) },
		{ "Private_Hugetlb:",
		  offsetof(struct smaps_vma, hugetlb_bytes) },
		{ "Shared_Hugetlb:",
		  offsetof(struct smaps_vma, hugetlb_bytes) },
	};
	uint64_t kb;

	if (str_starts(line, "VmFlags:"))
		return parse_flags(line + strlen("VmFlags:"), vma);
	if (str_starts(line, "THPeligible:"))
		return parse_eligible(line + strlen("THPeligible:"), vma);
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		size_t len = strlen(sizes[i].key);
		const char *p = line + len;
		uint64_t *to = (uint64_t *)((char *)vma + sizes[i].offset);

		if (strncmp(line, sizes[i].key, len) != 0)
			continue;
		if (num_scan_u64(&p, &kb) || !str_starts(p, " kB") ||
		    __builtin_mul_overflow(kb, NUM_KIB, &kb) ||
		    __builtin_add_overflow(*to, kb, to))
			return -EPROTO;
		return 0;
	}
	return 0;
}

static int parse_line(const char *line, struct smaps *s)
{
	struct smaps_vma vma = { 0 };
	int ret;

	if (!scan_range(&line, &vma))
		return s->n ? parse_key(line, &s->list[s->n - 1]) : -EPROTO;
	ret = parse_header(line, &vma);
	if (ret)
		return ret;
	XGROW(s->list, s->n);
	s->list[s->n++] = vma;
	return 0;
}

int smaps_parse(const char *text, struct smaps *out)
{
	struct smaps s = { 0 };
	int ret = 0;

	for (const char *line = text; line && *line && !ret;) {
		ret = parse_line(line, &s);
		line = strchr(line, '\n');
		if (line)
			line++;
	}
	if (!ret && !s.n)
		ret = -EPROTO;
	if (ret)
		smaps_free(&s);
	else
		*out = s;
	return ret;
}

void smaps_free(struct smaps *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->list[i].name);
	free(s->list);
	s->list = NULL;
	s->n = 0;
}

/*
 * Anonymous, private, read and written. Huge pages of hugetlb (large-pages)
 * have a name of the kernel's own; "[anon:...]" was named by prctl.
 */
static bool may_be_pool(const struct smaps_vma *vma)
{
	static const char *const names[] = { "[anon:", "/anon_hugepage" };

	if (strncmp(vma->perms, "rw", 2) != 0 || vma->perms[3] != 'p')
		return false;
	if (!*vma->name)
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (str_starts(vma->name, names[i]))
			return true;
	return false;
}

/* hugetlb pages are not in Rss. */
static uint64_t pool_weight(const struct smaps_vma *vma, bool by_space)
{
	if (!may_be_pool(vma))
		return 0;
	return by_space ? vma->end - vma->start
			: vma->rss_bytes + vma->hugetlb_bytes;
}

size_t smaps_find_pool(const struct smaps *s, bool *is_pool)
{
	uint64_t most = 0;
	bool by_space = false;
	size_t count = 0;

	for (int pass = 0; pass < 2 && !most; pass++) {
		by_space = pass == 1;
		for (size_t i = 0; i < s->n; i++) {
			uint64_t w = pool_weight(&s->list[i], by_space);

			most = w > most ? w : most;
		}
	}
	for (size_t i = 0; i < s->n; i++) {
		is_pool[i] = most && pool_weight(&s->list[i], by_space) >=
					     (most + 3) / 4;
		count += is_pool[i];
	}
	return count;
}
