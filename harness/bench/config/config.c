/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/config/config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench/config/config_arm.h"
#include "bench/config/config_check.h"
#include "bench/config/config_claim.h"
#include "bench/config/config_points.h"

/* "configs/quick.conf" -> "quick". free() it. */
static char *title_of(const char *name)
{
	const char *slash = strrchr(name, '/');
	const char *base = slash ? slash + 1 : name;
	const char *end = strrchr(base, '.');

	return xstrndup(base, end && end > base ? (size_t)(end - base)
						: strlen(base));
}

static const struct text_form form = {
	.section = "[NAME], [arm \"LABEL\"], [arm *] or [claim \"NAME\"]",
	.first = "[experiment], [server], [workload], [collect] or "
		 "[arm \"LABEL\"]",
};

int config_parse(const char *name, const char *text, struct config *out)
{
	struct faults faults = { 0 };
	struct text t;
	int ret = 0;

	*out = (struct config){ 0 };
	text_parse(text, &form, &t, &faults);
	config_check_sections(&t, &faults);
	config_fill(&t, out, &faults);
	config_points(&t, out, &faults);
	config_arms(&t, out, &faults);
	config_claims(&t, out, &faults);
	config_check_whole(&t, out, &faults);
	if (faults.n) {
		faults_say(&faults, name);
		config_free(out);
		ret = -EBADMSG;
	} else {
		out->path = xstrdup(name);
		out->text = xstrdup(text);
		out->hash = xasprintf("%016" PRIx64, text_hash(&t));
		if (!out->title)
			out->title = title_of(name);
	}
	faults_free(&faults);
	text_free(&t);
	return ret;
}

/* The line of the first NUL byte. */
static unsigned int line_of_nul(const char *text)
{
	unsigned int line = 1;

	for (; *text; text++)
		line += *text == '\n';
	return line;
}

int config_read(const char *path, struct config *out)
{
	auto_free char *text = NULL;
	size_t n;
	int ret = file_read(path, &text, &n);

	*out = (struct config){ 0 };
	if (ret)
		return fail(ret, "read %s", path);
	if (strlen(text) != n)
		return refuse(-EBADMSG, "%s:%u: a NUL byte; plain text", path,
			      line_of_nul(text));
	return config_parse(path, text, out);
}

void config_section(const struct config *c, const char *section,
		    struct facts *out)
{
	auto_free char *prefix = xasprintf("%s.", section);

	for (size_t i = 0; i < c->keys.n; i++) {
		const struct fact *f = &c->keys.list[i];

		if (str_starts(f->name, prefix))
			facts_set(out, f->name + strlen(prefix), f->value);
	}
}

static bool is_among(const char *label, const char *const *labels, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (str_eq(label, labels[i]))
			return true;
	return false;
}

void config_keep_arms(struct config *c, const char *const *labels, size_t n)
{
	auto_free char *baseline = xstrdup(c->arms[c->baseline].label);
	bool has_baseline = is_among(baseline, labels, n);
	size_t kept = 0;

	c->baseline = 0;
	for (size_t i = 0; i < c->n_arms; i++) {
		if (!is_among(c->arms[i].label, labels, n)) {
			arm_free(&c->arms[i]);
			continue;
		}
		if (str_eq(c->arms[i].label, baseline))
			c->baseline = kept;
		c->arms[kept++] = c->arms[i];
	}
	c->n_arms = kept;
	/* Without the baseline there is nothing that it repeats. */
	c->has_aa = c->has_aa && has_baseline && is_among(CONFIG_AA, labels, n);
	if (kept && !has_baseline)
		warn("%s: the baseline '%s' is left out; '%s' is taken for it",
		     c->path, baseline, c->arms[0].label);
}

const char *config_kernel(const struct config *c, const struct arm *arm)
{
	return arm->kernel ? arm->kernel : c->kernel;
}

const char *config_mariadbd(const struct config *c, const struct arm *arm)
{
	return arm->mariadbd ? arm->mariadbd : c->server.mariadbd;
}

void config_free(struct config *c)
{
	free(c->path);
	free(c->text);
	free(c->hash);
	free(c->title);
	free(c->primary);
	free(c->kernel);
	free(c->guest.cmdline);
	free(c->server.mariadbd);
	free(c->server.cpus);
	free(c->server.client_cpus);
	facts_free(&c->server.variables);
	free(c->workload.sysbench);
	free(c->workload.script);
	free(c->workload.rand_type);
	facts_free(&c->workload.options);
	free(c->workload.memtouch_pattern);
	points_config_free(&c->workload.points_config);
	points_free(&c->points);
	free(c->collect.off);
	free(c->collect.events);
	free(c->collect.counters_from);
	for (size_t i = 0; i < c->n_arms; i++)
		arm_free(&c->arms[i]);
	free(c->arms);
	for (size_t i = 0; i < c->n_claims; i++)
		claim_free(&c->claims[i]);
	free(c->claims);
	facts_free(&c->keys);
	*c = (struct config){ 0 };
}
