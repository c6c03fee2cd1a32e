/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/probe/probe_knobs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "bench/config/config_arm.h"
#include "kern/host.h"
#include "kern/knobs.h"

/* Is it so already? */
static bool holds(const struct root *root, const char *path, const char *value)
{
	auto_free char *text = NULL;
	auto_free char *now = NULL;

	if (root_read(root, path, &text))
		return false;
	now = knob_value(text);
	return knob_same(now, value);
}

/* Takes the path. */
static void add_knob(struct arm *arm, const char *key, char *path,
		     const char *value)
{
	XGROW(arm->knobs, arm->n_knobs);
	arm->knobs[arm->n_knobs++] = (struct knob){
		.key = xstrdup(key),
		.path = path,
		.value = xstrdup(value),
	};
}

/* One "key=value". Why it cannot be had, or NULL. */
static char *take_knob(const struct root *root, struct arm *arm,
		       const char *key, const char *value)
{
	char *path = knob_path(key);
	char *why = NULL;
	int ret;

	if (!path)
		return xasprintf("%s is no setting", key);
	ret = root_writable(root, path);
	if (!ret) {
		add_knob(arm, key, path, value);
		return NULL;
	}
	if (ret == -ENOENT)
		why = xasprintf("this kernel has no /%s", path);
	else if (!holds(root, path, value))
		why = xasprintf("/%s is to be %s, and may not be written: %s",
				path, value, strerror(-ret));
	free(path);
	return why;
}

/* The size's own mode is to follow the mode of all, where it has one. */
static char *take_size(const struct root *root, struct arm *arm)
{
	auto_free char *key = xasprintf("thp.hugepages-%" PRIu64 "kB.enabled",
					host_huge_page_bytes(root) / NUM_KIB);
	auto_free char *path = knob_path(key);

	return root_exists(root, path) ? take_knob(root, arm, key, "inherit")
				       : NULL;
}

void probe_knobs_arm(const struct root *root, const struct probe *p,
		     struct arm *arm, char **why)
{
	auto_free char *copy = xstrdup(p->knobs ? p->knobs : "");
	size_t n;
	auto_free char **words = str_split(copy, ' ', &n);

	*why = NULL;
	arm->label = xstrdup(p->name);
	for (size_t i = 0; i < n && !*why; i++) {
		char *value = strchr(words[i], '=');

		*value++ = '\0';
		*why = take_knob(root, arm, words[i], value);
		if (!*why && str_eq(words[i], "thp"))
			*why = take_size(root, arm);
	}
}

static void free_all(struct probe_knobs *k)
{
	settings_free(&k->settings);
	for (size_t i = 0; i < k->config.n_arms; i++) {
		arm_free(&k->config.arms[i]);
		free(k->why[i]);
	}
	free(k->config.arms);
	free(k->why);
	free(k->config.path);
	*k = (struct probe_knobs){ 0 };
}

int probe_knobs_open(const struct root *root, const struct probe *const *list,
		     size_t n, struct journal *journal, struct probe_knobs *out)
{
	int ret;

	*out = (struct probe_knobs){
		.config = {
			.path = xstrdup("probe"),
			.arms = xcalloc(n, sizeof(*out->config.arms)),
			.n_arms = n,
		},
		.why = xcalloc(n, sizeof(*out->why)),
	};
	for (size_t i = 0; i < n; i++) {
		struct arm *arm = &out->config.arms[i];

		probe_knobs_arm(root, list[i], arm, &out->why[i]);
		/* What cannot be had as a whole is not begun. */
		if (out->why[i])
			arm_drop_knobs(arm);
	}
	ret = settings_save(root, &out->config, &out->settings);
	if (!ret)
		ret = journal_settings(journal, &out->settings);
	if (ret)
		free_all(out);
	return ret;
}

int probe_knobs_apply(struct probe_knobs *k, const struct root *root,
		      const struct probe *p, struct answer *out)
{
	auto_free char *bad = NULL;
	size_t i = 0;
	int quiet;
	int ret;

	while (!str_eq(k->config.arms[i].label, p->name))
		i++;
	if (k->why[i]) {
		answer_set(out, ANSWER_MISSING, xstrdup(k->why[i]), NULL);
		return -ENOTSUP;
	}
	quiet = err_quiet(1);
	ret = settings_apply(root, &k->config.arms[i], &k->settings, &bad);
	err_quiet(quiet);
	if (ret || bad) {
		answer_set(out, ANSWER_MISSING, xstrdup(bad ? bad : err_last()),
			   NULL);
		return -ENOTSUP;
	}
	return 0;
}

int probe_knobs_close(struct probe_knobs *k, const struct root *root)
{
	int ret = settings_restore(root, &k->settings);

	free_all(k);
	return ret;
}
