/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Can the schemes of an experiment run here at all? Asked before it begins. */
#include <errno.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench/config/config.h"
#include "bench/damos/damos.h"

static int refuse_arm(const struct config *config, const struct arm *arm,
		      int err, const char *why)
{
	return refuse(err,
		      "%s:%u: arm \"%s\": damos = %s: %s; kernel = guest runs "
		      "it elsewhere, and damos = madvise-collapse needs no "
		      "DAMON",
		      config->path, arm->line, arm->label,
		      facts_get(&arm->keys, "damos"), why);
}

static const struct arm *first_by(const struct config *config, enum damos_by by)
{
	for (size_t i = 0; i < config->n_arms; i++)
		if (config->arms[i].scheme.is_used &&
		    config->arms[i].scheme.by == by)
			return &config->arms[i];
	return NULL;
}

static int check_all(const struct config *config, const struct facts *offered)
{
	for (size_t i = 0; i < config->n_arms; i++) {
		const struct arm *arm = &config->arms[i];
		auto_free char *lacks =
			arm->scheme.is_used ? damos_lacks(&arm->scheme, offered)
					    : NULL;

		if (lacks)
			return refuse_arm(config, arm, -ENOTSUP, lacks);
	}
	return 0;
}

static int check_module(const struct root *root, const struct config *config)
{
	const struct arm *arm = first_by(config, DAMOS_BY_MODULE);
	auto_free char *why = NULL;
	int ret = arm ? damos_module_probe(root, &why) : 0;

	return ret ? refuse_arm(config, arm, ret, why) : 0;
}

int damos_check_arms(const struct root *root, const struct config *config)
{
	const struct arm *arm = first_by(config, DAMOS_BY_SYSFS);
	struct facts offered = { 0 };
	auto_free char *why = NULL;
	int ret;

	if (!arm)
		return check_module(root, config);
	/* Files of a recorded tree take anything. */
	if (root->is_live)
		ret = damos_probe(root, &offered, &why);
	else
		ret = damos_free_to_use(root, &why);
	if (ret)
		ret = refuse_arm(config, arm, ret == -ENOENT ? -ENOTSUP : ret,
				 why);
	else
		ret = check_all(config, &offered);
	facts_free(&offered);
	return ret ? ret : check_module(root, config);
}
