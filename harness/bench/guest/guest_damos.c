/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/guest/guest_damos.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench/guest/guest_set.h"
#include "bench/guest/kernel_features.h"

/* The kernel's configuration lies beside an image of the cache. */
static void find_features(const char *image, struct kernel_features *f)
{
	const char *slash = strrchr(image, '/');
	auto_free char *config =
		slash ? xasprintf("%.*s/config", (int)(slash - image), image)
		      : NULL;

	kernel_features_find(image,
			     config && !access(config, R_OK) ? config : NULL,
			     f);
}

/* "action collapse" = "no: ..." if the image has a list without the word. */
static void note_word(const struct kernel_features *f, enum kernel_words which,
		      const char *kind, const char *word, struct facts *offered)
{
	auto_free char *name = xasprintf("%s %s", kind, word);
	auto_free char *copy = xstrdup(f->words[which]);
	auto_free char **list = NULL;
	size_t n = 0;

	if (!copy || *copy == '?')
		return;
	list = str_split(copy, ' ', &n);
	for (size_t i = 0; i < n; i++)
		if (str_eq(list[i], word))
			return;
	facts_set(offered, name, "no: by its image");
}

static void note_flag(const struct kernel_features *f, const char *flag,
		      const char *name, struct facts *offered)
{
	if (str_eq(facts_get(&f->flags, flag), "no"))
		facts_set(offered, name, "no: by its image");
}

/* As damos_probe() would find it, as far as an image tells. */
static void note_offers(const struct kernel_features *f,
			const struct damos_config *c, struct facts *offered)
{
	const struct damon_scheme *s = &c->setup.scheme;

	note_word(f, KERNEL_OPS, "operations", c->setup.ops, offered);
	note_word(f, KERNEL_ACTIONS, "action", s->action, offered);
	if (s->n_goals)
		note_word(f, KERNEL_GOALS, "goal", s->goals[0].metric, offered);
	if (s->tuner)
		note_word(f, KERNEL_TUNERS, "tuner", s->tuner, offered);
	note_flag(f, "fail_charge", "file fail_charge", offered);
	note_flag(f, "intervals_goal", "file intervals_goal", offered);
}

/* Without these there is nothing to list words of. */
static const struct {
	const char *flag;
	const char *text;
} wholes[] = {
	{ "damon", "there is no DAMON (CONFIG_DAMON)" },
	{ "damon_sysfs", "DAMON has no sysfs files (CONFIG_DAMON_SYSFS)" },
};

char *guest_damos_lacks(const char *image, const struct damos_config *c)
{
	struct kernel_features f;
	struct facts offered = { 0 };
	char *lacks = NULL;

	if (!c->is_used)
		return NULL;
	find_features(image, &f);
	for (size_t i = 0; !f.why && !lacks && i < ARRAY_SIZE(wholes); i++)
		if (str_eq(facts_get(&f.flags, wholes[i].flag), "no"))
			lacks = xstrdup(wholes[i].text);
	if (!f.why && !lacks) {
		note_offers(&f, c, &offered);
		lacks = damos_lacks(c, &offered);
	}
	facts_free(&offered);
	kernel_features_free(&f);
	return lacks;
}

int guest_set_check(struct guest_set *set, const struct config *config)
{
	for (size_t i = 0; i < config->n_arms; i++) {
		const struct arm *arm = &config->arms[i];
		const struct guest_target *t = guest_set_target(set, i);
		auto_free char *lacks =
			t ? guest_damos_lacks(t->image.path, &arm->scheme)
			  : NULL;

		if (lacks)
			return refuse(
				-ENOTSUP,
				"%s:%u: arm \"%s\": damos = %s: in its guest, "
				"%s, %s; another kernel: "
				"thpbench guest list shows those in the cache, "
				"guest fetch gets the newest; "
				"and damos = madvise-collapse needs no DAMON",
				config->path, arm->line, arm->label,
				facts_get(&arm->keys, "damos"),
				t->image.version ? t->image.version
						 : t->image.path,
				lacks);
	}
	return 0;
}
