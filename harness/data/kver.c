/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/kver.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"

/* Larger numbers are no part of a version. */
enum { MOST = 1000 * 1000 * 1000 };

/* Linus Torvalds tags seven or eight of them before a release. */
enum { USUAL_RCS = 7 };

static bool take_number(const char **text, uint32_t *out)
{
	const char *p = *text;
	uint64_t n = 0;

	if (!isdigit((unsigned char)*p))
		return false;
	for (; isdigit((unsigned char)*p); p++) {
		n = 10 * n + (uint64_t)(*p - '0');
		if (n > MOST)
			return false;
	}
	*out = (uint32_t)n;
	*text = p;
	return true;
}

/* "-23-gabc": a count, and behind it a commit, which stays. */
static bool take_commits(const char **text, uint32_t *out)
{
	const char *p = *text;
	uint32_t n;

	if (*p++ != '-' || !take_number(&p, &n) || p[0] != '-' || p[1] != 'g' ||
	    !isxdigit((unsigned char)p[2]))
		return false;
	*out = n;
	*text = p;
	return true;
}

bool kver_parse(const char *text, struct kver *out)
{
	struct kver v = { .rc = KVER_RELEASED };
	const char *p = text;
	const char *rc;

	if (*p == 'v')
		p++;
	if (!take_number(&p, &v.part[0]) || *p++ != '.' ||
	    !take_number(&p, &v.part[1]))
		return false;
	if (p[0] == '.' && isdigit((unsigned char)p[1])) {
		p++;
		if (!take_number(&p, &v.part[2]))
			return false;
	}
	rc = p + 3;
	if (str_starts(p, "-rc") && take_number(&rc, &v.rc))
		p = rc;
	if (str_starts(p, "-next-"))
		v.commits = KVER_NEXT;
	else
		take_commits(&p, &v.commits);
	v.rest = p;
	*out = v;
	return true;
}

static int compare_number(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

int kver_compare(const char *a, const char *b)
{
	struct kver x;
	struct kver y;
	bool is_x = kver_parse(a, &x);
	bool is_y = kver_parse(b, &y);
	int order = 0;

	if (!is_x || !is_y)
		return is_x != is_y ? is_x - is_y : strverscmp(a, b);
	for (size_t i = 0; i < ARRAY_SIZE(x.part) && !order; i++)
		order = compare_number(x.part[i], y.part[i]);
	if (!order)
		order = compare_number(x.rc, y.rc);
	if (!order)
		order = compare_number(x.commits, y.commits);
	return order ? order : strverscmp(x.rest, y.rest);
}

/* A tag alone: nothing was built on top of it. */
static bool is_tag(const struct kver *v)
{
	return !v->commits;
}

static char *between_rcs(const struct kver *good, const struct kver *bad,
			 uint32_t from)
{
	uint32_t to = bad->rc == KVER_RELEASED ? USUAL_RCS + 1 : bad->rc;

	/* A good one may be later than usual: -rc8. */
	if (from >= to || to - from < 2)
		return NULL;
	return xasprintf("%u.%u-rc%u", bad->part[0], bad->part[1],
			 good->rc == KVER_RELEASED || from
				 ? from + (to - from) / 2
				 : to / 2);
}

/* Does not look at what follows the numbers. */
static char *guess(const char *good, const char *bad)
{
	struct kver g;
	struct kver b;

	if (!kver_parse(good, &g) || !kver_parse(bad, &b) ||
	    kver_compare(good, bad) >= 0 || g.part[0] != b.part[0])
		return NULL;
	if (g.part[1] == b.part[1] && g.part[2] != b.part[2]) {
		if (b.part[2] - g.part[2] < 2)
			return NULL;
		return xasprintf("%u.%u.%u", g.part[0], g.part[1],
				 g.part[2] + (b.part[2] - g.part[2]) / 2);
	}
	if (g.part[1] == b.part[1])
		return g.rc == KVER_RELEASED || !is_tag(&b)
			       ? NULL
			       : between_rcs(&g, &b, g.rc);
	if (b.part[1] - g.part[1] >= 2)
		return xasprintf("%u.%u", g.part[0],
				 g.part[1] + (b.part[1] - g.part[1]) / 2);
	/* From a -rc of the one before: its release lies between. */
	if (g.rc != KVER_RELEASED)
		return xasprintf("%u.%u", g.part[0], g.part[1]);
	return b.part[2] ? xasprintf("%u.%u", b.part[0], b.part[1])
			 : between_rcs(&g, &b, 0);
}

char *kver_between(const char *good, const char *bad)
{
	char *between = guess(good, bad);

	if (!between ||
	    (kver_compare(good, between) < 0 && kver_compare(between, bad) < 0))
		return between;
	free(between);
	return NULL;
}

char *kver_git_name(const char *text)
{
	struct kver v;
	struct str out = { 0 };

	if (!kver_parse(text, &v))
		return xstrdup(text);
	if (v.commits && v.commits != KVER_NEXT) {
		size_t n = strspn(v.rest + 2, "0123456789abcdefABCDEF");

		return xstrndup(v.rest + 2, n);
	}
	str_addf(&out, "v%u.%u", v.part[0], v.part[1]);
	if (v.part[2])
		str_addf(&out, ".%u", v.part[2]);
	if (v.rc != KVER_RELEASED)
		str_addf(&out, "-rc%u", v.rc);
	return str_steal(&out);
}
