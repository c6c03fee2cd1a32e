/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arms that run in a guest: qemu, images, and what those can do. */
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench/check/check_parts.h"
#include "bench/guest/guest_damos.h"

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

char *check_guest_arm(struct check_job *job, size_t arm, char **help)
{
	const struct arm *a = &job->config->arms[arm];
	const struct guest_target *target;
	auto_free char *lacks = NULL;

	if (!check_has(job, "guest"))
		return xasprintf("kernel = %s: see guest above",
				 config_kernel(job->config, a));
	target = guest_set_target(&job->guests, arm);
	lacks = guest_damos_lacks(target->image.path, &a->scheme);
	if (!lacks)
		return NULL;
	*help = xstrdup("another kernel: thpbench guest list, or "
			"guest fetch");
	return xasprintf("damos = %s: in its guest %s",
			 facts_get(&a->keys, "damos"), lacks);
}
