/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * manifest.json: what an experiment was, before its first run.
 *
 *   {
 *     "format": 1,            a higher one is refused, unknown keys are not
 *     "program": "0.1.0",     version of thpbench
 *     "id": "...", "title": "...", "created": "2026-11-30T12:34:56Z",
 *     "config": { "path": "...", "hash": "...", "text": [ lines ] },
 *     "primary": "tps", "baseline": "T n", "blocks": 5, "seed": "1",
 *     "server": { facts }, "workload": { facts }, "host": { facts },
 *     "judging": { "margin": "1%", "aa": "A/A" },   not in older ones
 *     "arms": [ { "label": "T n", "settings": { facts } } ],
 *     "shard": "2/3",         where it is one: the plan has its blocks alone
 *     "plan": [ { "run": 1, "block": 1, "arm": "T n" } ],
 *     "marks": [ "..." ],
 *     "claims": [ { "name": "...", "metric": "huge_bytes", "arm": "T n",
 *                   "expect": "> 0" } ]     where there are any
 *   }
 *
 * Facts are texts by name, in their order. The seed is a text: it has 64
 * bits, and many readers of JSON have 53. Text that is not UTF-8 is taken as
 * Latin-1.
 */
#ifndef DATA_MANIFEST_H
#define DATA_MANIFEST_H

#include "data/record.h"

#define MANIFEST_FORMAT 1

/* free() it. */
char *manifest_text(const struct experiment *e);

/*
 * Read it; out->runs is the plan (number, block, arm), n_runs = n_planned,
 * and dir stays NULL. Silent. Returns 0, or with *why set to a sentence
 * (free() it) -ENOTSUP for the format of a newer version and -EIO for what is
 * no manifest; out is then empty.
 */
int manifest_parse(const char *text, struct experiment *out, char **why);

#endif
