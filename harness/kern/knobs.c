/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kern/knobs.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

#define THP "sys/kernel/mm/transparent_hugepage/"
#define NR_KDAMONDS "sys/kernel/mm/damon/admin/kdamonds/nr_kdamonds"
#define MIN_FREE "proc/sys/vm/min_free_kbytes"

static const char *const plain[] = {
	THP "enabled",
	THP "defrag",
	THP "shmem_enabled",
	THP "use_zero_page",
	THP "shrink_underused",
	MIN_FREE,
	"proc/sys/vm/compaction_proactiveness",
	"proc/sys/kernel/numa_balancing",
	"proc/sys/kernel/perf_event_paranoid",
	"proc/sys/kernel/randomize_va_space",
	"proc/sys/kernel/nmi_watchdog",
	NR_KDAMONDS,
};

const char *const knobs_damon_users[] = {
	"sys/module/damon_stat/parameters/enabled",
	"sys/module/damon_reclaim/parameters/enabled",
	"sys/module/damon_lru_sort/parameters/enabled",
	NULL,
};

/* In each hugepages-*kB folder. */
static const char *const by_size[] = { "enabled", "shmem_enabled" };

/* In khugepaged/, but counters: they change by themselves. */
static const char *const counters[] = { "full_scans", "pages_collapsed" };

struct paths {
	char **list;
	size_t n;
};

/* Takes the path. */
static void add(struct paths *paths, const struct root *root, char *path)
{
	if (!root_exists(root, path)) {
		free(path);
		return;
	}
	XGROW(paths->list, paths->n);
	paths->list[paths->n++] = path;
}

static void add_sizes(struct paths *paths, const struct root *root)
{
	char **names;
	size_t n;

	if (root_list(root, THP, &names, &n))
		return;
	for (size_t i = 0; i < n; i++) {
		if (!str_starts(names[i], "hugepages-"))
			continue;
		for (size_t k = 0; k < ARRAY_SIZE(by_size); k++)
			add(paths, root,
			    xasprintf(THP "%s/%s", names[i], by_size[k]));
	}
	root_list_free(names, n);
}

static bool is_counter(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(counters); i++)
		if (str_eq(name, counters[i]))
			return true;
	return false;
}

static void add_khugepaged(struct paths *paths, const struct root *root)
{
	char **names;
	size_t n;

	if (root_list(root, THP "khugepaged", &names, &n))
		return;
	for (size_t i = 0; i < n; i++)
		if (!is_counter(names[i]))
			add(paths, root,
			    xasprintf(THP "khugepaged/%s", names[i]));
	root_list_free(names, n);
}

static int by_rank(const void *a, const void *b)
{
	const char *left = *(char *const *)a;
	const char *right = *(char *const *)b;
	int ranks = (int)knob_rank(left) - (int)knob_rank(right);

	return ranks ? ranks : strcmp(left, right);
}

int knobs_list(const struct root *root, char ***paths, size_t *n)
{
	struct paths found = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(plain); i++)
		add(&found, root, xstrdup(plain[i]));
	for (size_t i = 0; knobs_damon_users[i]; i++)
		add(&found, root, xstrdup(knobs_damon_users[i]));
	add_sizes(&found, root);
	add_khugepaged(&found, root);
	if (found.n)
		qsort(found.list, found.n, sizeof(*found.list), by_rank);
	*paths = found.list;
	*n = found.n;
	return 0;
}

enum knob_rank knob_rank(const char *path)
{
	static const struct {
		const char *prefix;
		enum knob_rank rank;
	} rows[] = {
		{ "sys/kernel/mm/damon/", KNOB_DAMON },
		{ THP, KNOB_THP },
		{ MIN_FREE, KNOB_MIN_FREE },
		{ "sys/module/damon_", KNOB_DAMON_STAT },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (str_starts(path, rows[i].prefix))
			return rows[i].rank;
	return KNOB_SYSCTL;
}

/* "a.b.c" of proper names, without '/': then no part can be "..". */
static bool is_dotted(const char *s)
{
	size_t n = strlen(s);

	return n && s[0] != '.' && s[n - 1] != '.' && !strstr(s, "..") &&
	       !strpbrk(s, "/ \t\n\\");
}

char *knob_path(const char *key)
{
	static const struct {
		const char *prefix;
		const char *folder;
	} rows[] = {
		{ "thp.", THP },
		{ "sysctl.", "proc/sys/" },
	};

	if (str_eq(key, "thp"))
		return xstrdup(THP "enabled");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *rest = key + strlen(rows[i].prefix);
		size_t n_folder = strlen(rows[i].folder);
		char *path;

		if (!str_starts(key, rows[i].prefix))
			continue;
		if (!is_dotted(rest))
			return NULL;
		path = xasprintf("%s%s", rows[i].folder, rest);
		for (char *p = path + n_folder; *p; p++)
			if (*p == '.')
				*p = '/';
		return path;
	}
	return NULL;
}

/* Is it "[word]"? Its brackets are then cut off, in place. */
static bool unbracket(char *word)
{
	size_t n = strlen(word);

	if (n < 3 || word[0] != '[' || word[n - 1] != ']')
		return false;
	memmove(word, word + 1, n - 2);
	word[n - 2] = '\0';
	return true;
}

int knob_words(const char *text, char ***words, size_t *n)
{
	char *copy = xstrdup(text);
	const char *start = str_trim(copy);
	int chosen = -1;
	bool is_bad = false;

	memmove(copy, start, strlen(start) + 1);
	*words = str_split(copy, ' ', n);
	for (size_t i = 0; i < *n; i++) {
		char *word = (*words)[i];

		if (unbracket(word)) {
			is_bad |= chosen >= 0;
			chosen = (int)i;
		}
		is_bad |= !!strpbrk(word, "[]");
	}
	if (chosen >= 0 && !is_bad)
		return chosen;
	free(copy);
	free(*words);
	*words = NULL;
	*n = 0;
	return -1;
}

static void words_free(char **words, size_t n)
{
	if (n)
		free(words[0]);
	free(words);
}

static int words_find(char *const *words, size_t n, const char *word)
{
	for (size_t i = 0; i < n; i++)
		if (str_eq(words[i], word))
			return (int)i;
	return -1;
}

char *knob_value(const char *text)
{
	char **words;
	size_t n;
	int chosen = knob_words(text, &words, &n);
	char *value;
	size_t len;

	if (n) {
		value = xstrdup(words[chosen]);
		words_free(words, n);
		return value;
	}
	while (isspace((unsigned char)*text))
		text++;
	len = strlen(text);
	while (len && isspace((unsigned char)text[len - 1]))
		len--;
	return xstrndup(text, len);
}

static bool is_number(const char *s)
{
	int64_t i;
	uint64_t u;

	return !num_i64(s, &i) || !num_u64(s, &u);
}

static bool same_number(const char *a, const char *b)
{
	int64_t ia;
	int64_t ib;
	uint64_t ua;
	uint64_t ub;

	if (!num_i64(a, &ia) && !num_i64(b, &ib))
		return ia == ib;
	return !num_u64(a, &ua) && !num_u64(b, &ub) && ua == ub;
}

/* A module's bool: 1, 0, or -1 if it is none. Modules print Y and N. */
static int as_bool(const char *s)
{
	if (!s[0] || s[1])
		return -1;
	return strchr("Yy1", s[0]) ? 1 : strchr("Nn0", s[0]) ? 0 : -1;
}

/* "4096  16384" and "4096\t16384" are the same. */
static bool same_text(const char *a, const char *b)
{
	static const char blanks[] = " \t\n";

	for (;;) {
		size_t n = strcspn(a, blanks);

		if (n != strcspn(b, blanks) || strncmp(a, b, n) != 0)
			return false;
		if (!a[n] || !b[n])
			return a[n] == b[n];
		a += n + strspn(a + n, blanks);
		b += n + strspn(b + n, blanks);
	}
}

bool knob_same(const char *a, const char *b)
{
	if (same_text(a, b) || same_number(a, b))
		return true;
	return as_bool(a) >= 0 && as_bool(a) == as_bool(b);
}

bool knob_takes(const char *text, const char *value)
{
	auto_free char *now = knob_value(text);
	char **words;
	size_t n;
	bool is_word;

	knob_words(text, &words, &n);
	is_word = words_find(words, n, value) >= 0;
	words_free(words, n);
	if (n)
		return is_word;
	if (is_number(now))
		return is_number(value);
	return as_bool(now) < 0 || as_bool(value) >= 0;
}

char *knob_show(const char *text, const char *value)
{
	const char *end = str_ends(text, "\n") ? "\n" : "";
	struct str shown = { 0 };
	char **words;
	size_t n;
	int chosen;

	knob_words(text, &words, &n);
	chosen = words_find(words, n, value);
	for (size_t i = 0; i < n; i++)
		str_addf(&shown, (int)i == chosen ? "%s[%s]" : "%s%s",
			 i ? " " : "", words[i]);
	words_free(words, n);
	if (n && chosen < 0) {
		str_free(&shown);
		return NULL;
	}
	str_addf(&shown, "%s%s", n ? "" : value, end);
	return str_steal(&shown);
}
