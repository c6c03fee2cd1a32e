/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plan of a manifest, and which shard of it; parts of data/manifest.c. */
#ifndef DATA_MANIFEST_PLAN_H
#define DATA_MANIFEST_PLAN_H

#include <jansson.h>

#include "data/record.h"

/* "shard" and "plan" of e, into its manifest. */
void manifest_plan_put(json_t *json, const struct experiment *e);

/*
 * All that follows gives NULL, or what is wrong: a sentence to free().
 *
 * Read them: runs, n_runs, n_planned and shard of e, whose arms and blocks are
 * there already.
 */
char *manifest_plan_get(const json_t *json, struct experiment *e);

char *manifest_wrong(const char *key, const char *what);
/* A member that is a whole number from 1 on. */
char *manifest_count(const json_t *json, const char *key, unsigned int *out);
/* A member that is the label of an arm of e. */
char *manifest_arm(const json_t *json, const char *key,
		   const struct experiment *e, size_t *arm);

/* A text that need not be UTF-8 (data/manifest.h). */
json_t *manifest_text_json(const char *text);

#endif
