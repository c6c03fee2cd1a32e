/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arms that run in a guest: qemu, images, and what those can do. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench/check_parts.h"
#include "bench/damos.h"
#include "bench/kernel_features.h"

/* "7.3.4+deb13-cloud-amd64 and ./vmlinuz"; free() it. */
static char *list_images(const struct guest_set *set)
{
	struct str out = { 0 };

	for (size_t i = 0; i < set->n; i++) {
		const struct guest_image *image = &set->targets[i].image;

		str_addf(&out, "%s%s", i ? " and " : "",
			 image->version ? image->version : image->path);
	}
	return str_steal(&out);
}

static void say_found(struct check_job *job, size_t n_arms)
{
	const struct guest_set *set = &job->guests;
	auto_free char *images = list_images(set);

	check_ok(job, "guest",
		 xasprintf("%s%s%s, for %zu %s; whether KVM works is tried "
			   "before the first run",
			   set->chosen ? set->chosen : "",
			   set->chosen ? "; " : "", images, n_arms,
			   n_arms == 1 ? "arm" : "arms"));
}

void check_guests(struct check_job *job)
{
	const struct config *c = job->config;
	size_t n = 0;
	int ret;

	if (!c)
		return;
	job->in_guest = xcalloc(c->n_arms, sizeof(*job->in_guest));
	ret = guest_set_open(job->root, c, &job->guests);
	for (size_t i = 0; i < c->n_arms; i++) {
		job->in_guest[i] =
			ret ? !str_eq(config_kernel(c, &c->arms[i]), "host")
			    : !!guest_set_target(&job->guests, i);
		n += job->in_guest[i];
	}
	if (ret && n)
		check_missing(job, "guest", true, xstrdup(err_last()),
			      "guests need qemu and a kernel: thpbench guest "
			      "--help");
	else if (n)
		say_found(job, n);
}

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

char *check_guest_arm(struct check_job *job, size_t arm, char **help)
{
	const struct arm *a = &job->config->arms[arm];
	struct kernel_features f;
	struct facts offered = { 0 };
	auto_free char *refused = NULL;

	if (!check_has(job, "guest"))
		return xasprintf("kernel = %s: see guest above",
				 config_kernel(job->config, a));
	if (!a->scheme.is_used)
		return NULL;
	find_features(guest_set_target(&job->guests, arm)->image.path, &f);
	if (!f.why)
		note_offers(&f, &a->scheme, &offered);
	refused = damos_lacks(&a->scheme, &offered);
	facts_free(&offered);
	kernel_features_free(&f);
	if (!refused)
		return NULL;
	*help = xstrdup("another kernel: thpbench guest list");
	return xasprintf("damos = %s: in its guest %s",
			 facts_get(&a->keys, "damos"), refused);
}
