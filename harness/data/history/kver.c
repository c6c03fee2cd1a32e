/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/history/kver.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"

/* Larger numbers are no part of a version. */
enum { MOST = 1000 * 1000 * 1000 };

/* Linus Torvalds tags seven or eight of them before a release. */
enum { USUAL_RCS = 7 };

/* The last release of a series: 6.19, which 7.0 came after. */
static const uint32_t last_of[] = { [3] = 19, [4] = 20, [5] = 19, [6] = 19 };

/* More releases apart than there have been. */
enum { MOST_APART = 1000 };

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

/* The digits of "-gabc12"; 0 for another word: "-generic", "-gcp". */
static size_t commit_length(const char *text)
{
	size_t n;

	if (!str_starts(text, "-g"))
		return 0;
	n = strspn(text + 2, "0123456789abcdefABCDEF");
	return isalnum((unsigned char)text[2 + n]) ? 0 : n;
}

/* "-23-gabc": a count, and behind it a commit, which stays. */
static bool take_commits(const char **text, uint32_t *out)
{
	const char *p = *text;
	uint32_t n;

	if (*p++ != '-' || !take_number(&p, &n) || !commit_length(p))
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

static void to_next_release(uint32_t part[2])
{
	if (part[0] < ARRAY_SIZE(last_of) && last_of[part[0]] &&
	    part[1] >= last_of[part[0]]) {
		part[0]++;
		part[1] = 0;
	} else {
		part[1]++;
	}
}

/* From 6.18 to 7.1 it is three; 0: nobody knows. */
static unsigned int releases_apart(const struct kver *good,
				   const struct kver *bad)
{
	uint32_t part[2] = { good->part[0], good->part[1] };

	for (unsigned int n = 1; n < MOST_APART; n++) {
		to_next_release(part);
		if (part[0] == bad->part[0] && part[1] == bad->part[1])
			return n;
	}
	return 0;
}

static char *release_after(const struct kver *good, unsigned int n)
{
	uint32_t part[2] = { good->part[0], good->part[1] };

	while (n--)
		to_next_release(part);
	return xasprintf("%u.%u", part[0], part[1]);
}

/* Both are of one release: 6.18-rc4 and 6.18.2. */
static char *guess_within(const struct kver *g, const struct kver *b)
{
	uint32_t apart = b->part[2] - g->part[2];

	if (apart > 1)
		return xasprintf("%u.%u.%u", g->part[0], g->part[1],
				 g->part[2] + apart / 2);
	if (apart == 1 && g->rc != KVER_RELEASED && !g->part[2])
		return release_after(g, 0);
	return apart || g->rc == KVER_RELEASED || !is_tag(b)
		       ? NULL
		       : between_rcs(g, b, g->rc);
}

/* Does not look at what follows the numbers. */
static char *guess(const char *good, const char *bad)
{
	struct kver g;
	struct kver b;
	unsigned int apart;

	if (!kver_parse(good, &g) || !kver_parse(bad, &b) ||
	    kver_compare(good, bad) >= 0)
		return NULL;
	if (g.part[0] == b.part[0] && g.part[1] == b.part[1])
		return guess_within(&g, &b);
	apart = releases_apart(&g, &b);
	if (apart != 1)
		return apart ? release_after(&g, apart / 2) : NULL;
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
	if (v.commits && v.commits != KVER_NEXT)
		return xstrndup(v.rest + 2, commit_length(v.rest));
	str_addf(&out, "v%u.%u", v.part[0], v.part[1]);
	if (v.part[2])
		str_addf(&out, ".%u", v.part[2]);
	if (v.rc != KVER_RELEASED)
		str_addf(&out, "-rc%u", v.rc);
	return str_steal(&out);
}
