/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The claims of a manifest, for data/manifest.c. */
#ifndef DATA_MANIFEST_CLAIMS_H
#define DATA_MANIFEST_CLAIMS_H

#include <jansson.h>

#include "data/record.h"

/* A list of {"name", "metric", "arm", "expect"}; json_decref() it. */
json_t *manifest_claims_json(const struct experiment *e);
/* Older manifests have none. False if it is no such list. */
bool manifest_claims_get(const json_t *list, struct experiment *e);

#endif
