/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/manifest_claims.h"

#include "base/mem.h"

static const struct {
	const char *key;
	size_t offset;
} members[] = {
	{ "name", offsetof(struct claim, name) },
	{ "metric", offsetof(struct claim, metric) },
	{ "arm", offsetof(struct claim, arm) },
	{ "expect", offsetof(struct claim, expect) },
};

static char **member(struct claim *claim, size_t i)
{
	return (char **)(void *)((char *)claim + members[i].offset);
}

json_t *manifest_claims_json(const struct experiment *e)
{
	json_t *list = json_array();

	for (size_t i = 0; i < e->n_claims; i++) {
		json_t *object = json_object();

		/* They are ASCII: the configuration's reader sees to it. */
		for (size_t k = 0; k < ARRAY_SIZE(members); k++)
			json_object_set_new(object, members[k].key,
					    json_string(
						    *member(&e->claims[i], k)));
		json_array_append_new(list, object);
	}
	return list;
}

bool manifest_claims_get(const json_t *list, struct experiment *e)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *object = json_array_get(list, i);
		struct claim *claim;

		XGROW(e->claims, e->n_claims);
		claim = &e->claims[e->n_claims++];
		*claim = (struct claim){ 0 };
		for (size_t k = 0; k < ARRAY_SIZE(members); k++) {
			const char *text = json_string_value(
				json_object_get(object, members[k].key));

			if (!text)
				return false;
			*member(claim, k) = xstrdup(text);
		}
	}
	return !list || json_is_array(list);
}
