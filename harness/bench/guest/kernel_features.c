/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/guest/kernel_features.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench/guest/kernel_image.h"
#include "kern/kconfig.h"

struct source {
	const struct ktext *text;
	const char *config; /* NULL: not known */
};

static const char yes[] = "yes";
static const char no[] = "no";

static const char *if_set(bool is)
{
	return is ? yes : no;
}

static const char *by_config(const struct source *s, const char *key)
{
	if (!s->config)
		return "? its configuration is not known";
	return if_set(kconfig_get(s->config, key) == 'y');
}

static const char *by_word(const struct source *s, const char *key)
{
	return if_set(ktext_has_word(s->text, key));
}

static const char *by_text(const struct source *s, const char *key)
{
	return if_set(ktext_has(s->text, key));
}

static const char *by_type(const struct source *s, const char *key)
{
	int has = ktext_has_type(s->text, key);

	return has < 0 ? "? it does not describe its types (BTF)" : if_set(has);
}

struct way {
	const char *(*find)(const struct source *s, const char *key);
	const char *key;
};

/*
 * How each is found, and how if that is not to be had.
 * Documentation/ABI/testing/sysfs-kernel-mm-damon; mm/damon/
 */
static const struct {
	const char *name;
	struct way ways[2];
} flags[] = {
	{ "damon", { { by_config, "DAMON" }, { by_word, "kdamond.%d" } } },
	{ "damon_sysfs",
	  { { by_config, "DAMON_SYSFS" }, { by_word, "nr_kdamonds" } } },
	{ "damon_stat",
	  { { by_config, "DAMON_STAT" },
	    { by_type, "damon_stat_enabled_store" } } },
	{ "damon_reclaim",
	  { { by_config, "DAMON_RECLAIM" },
	    { by_type, "damon_reclaim_init" } } },
	{ "damon_lru_sort",
	  { { by_config, "DAMON_LRU_SORT" },
	    { by_type, "damon_lru_sort_init" } } },
	{ "intervals_goal", { { by_word, "intervals_goal" } } },
	{ "refresh_ms", { { by_word, "refresh_ms" } } },
	{ "fail_charge", { { by_word, "fail_charge_num" } } },
	{ "goal_tuner", { { by_word, "goal_tuner" } } },
	{ "thp",
	  { { by_config, "TRANSPARENT_HUGEPAGE" },
	    { by_text, "transparent_hugepage=" } } },
	/* Said where the folders hugepages-*kB cannot be made. */
	{ "mthp", { { by_text, "thpsize for order" } } },
	/* The argument of its ioctl(2): include/uapi/linux/fs.h */
	{ "pagemap_scan", { { by_type, "pm_scan_arg" } } },
};

/*
 * The contexts' operations, each by what registers them. fvaddr has been in
 * mm/damon/vaddr.c for as long as contexts could be asked for theirs.
 */
static const struct {
	const char *name;
	struct way ways[2];
} ops[] = {
	{ "vaddr",
	  { { by_config, "DAMON_VADDR" }, { by_type, "damon_va_initcall" } } },
	{ "fvaddr",
	  { { by_config, "DAMON_VADDR" }, { by_type, "damon_va_initcall" } } },
	{ "paddr",
	  { { by_config, "DAMON_PADDR" }, { by_type, "damon_pa_initcall" } } },
};

/* Why it is not known, if no way helps: that of the first. */
static const char *go(const struct source *s, const struct way *ways)
{
	const char *value = ways[0].find(s, ways[0].key);
	const char *other;

	if (value[0] != '?' || !ways[1].find)
		return value;
	other = ways[1].find(s, ways[1].key);
	return other[0] == '?' ? value : other;
}

static const char *const words_names[] = {
	[KERNEL_OPS] = "ops",
	[KERNEL_ACTIONS] = "actions",
	[KERNEL_GOALS] = "goals",
	[KERNEL_TUNERS] = "tuners",
};

const char *kernel_words_name(enum kernel_words which)
{
	return words_names[which];
}

static void add_word(struct str *list, const char *word)
{
	str_addf(list, "%s%s", list->len ? " " : "", word);
}

static char *find_ops(const struct source *s)
{
	auto_str struct str list = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(ops); i++) {
		const char *value = go(s, ops[i].ways);

		if (value[0] == '?')
			return xstrdup(value);
		if (str_eq(value, yes))
			add_word(&list, ops[i].name);
	}
	return str_steal(&list);
}

static char *find_table(const struct source *s, const char *first,
			const char *second)
{
	struct str list = { 0 };
	size_t n;
	auto_free const char **words = ktext_table(s->text, first, second, &n);

	for (size_t i = 0; i < n; i++)
		add_word(&list, words[i]);
	return str_steal(&list);
}

/* Too few for a table that compilers keep. */
static char *find_tuners(const struct source *s)
{
	static const char *const known[] = { "consist", "temporal" };
	struct str list = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (ktext_has_word(s->text, "goal_tuner") &&
		    ktext_has_word(s->text, known[i]))
			add_word(&list, known[i]);
	return str_steal(&list);
}

static void find_all(const struct source *s, struct kernel_features *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
		facts_set(&out->flags, flags[i].name, go(s, flags[i].ways));
	out->words[KERNEL_OPS] = find_ops(s);
	out->words[KERNEL_ACTIONS] = find_table(s, "willneed", "cold");
	out->words[KERNEL_GOALS] =
		find_table(s, "user_input", "some_mem_psi_us");
	out->words[KERNEL_TUNERS] = find_tuners(s);
}

void kernel_features_find(const char *image, const char *config,
			  struct kernel_features *out)
{
	auto_free char *text = NULL;
	struct kernel_image k;
	struct source s;

	*out = (struct kernel_features){ 0 };
	if (kernel_image_open(image, &k, &out->why))
		return;
	if (!config || file_read(config, &text, NULL))
		text = kernel_image_config(&k);
	s = (struct source){ .text = &k.text, .config = text };
	out->arch = xstrdup(k.arch);
	out->release = ktext_release(&k.text);
	find_all(&s, out);
	kernel_image_close(&k);
}

void kernel_features_free(struct kernel_features *f)
{
	free(f->arch);
	free(f->release);
	free(f->why);
	facts_free(&f->flags);
	for (size_t i = 0; i < N_KERNEL_WORDS; i++)
		free(f->words[i]);
	*f = (struct kernel_features){ 0 };
}
