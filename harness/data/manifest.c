/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/manifest.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "data/manifest_claims.h"
#include "data/manifest_plan.h"

/* Members that are texts, at the top and in "config". */
struct text_member {
	const char *key;
	size_t offset;
};

static const struct text_member top_texts[] = {
	{ "program", offsetof(struct experiment, program) },
	{ "id", offsetof(struct experiment, id) },
	{ "title", offsetof(struct experiment, title) },
	{ "created", offsetof(struct experiment, created) },
	{ "primary", offsetof(struct experiment, primary) },
};

static const struct text_member config_texts[] = {
	{ "path", offsetof(struct experiment, config_path) },
	{ "hash", offsetof(struct experiment, config_hash) },
};

static const struct text_member facts_members[] = {
	{ "server", offsetof(struct experiment, server) },
	{ "workload", offsetof(struct experiment, workload) },
	{ "host", offsetof(struct experiment, host) },
	{ "judging", offsetof(struct experiment, judging) },
};

/* --- writing --- */

json_t *manifest_text_json(const char *text)
{
	auto_str struct str utf8 = { 0 };
	json_t *json;

	text = text ? text : "";
	json = json_string(text);
	if (json)
		return json;
	for (const char *p = text; *p; p++) {
		unsigned char c = (unsigned char)*p;

		if (c >= 0x80)
			str_addc(&utf8, (char)(0xc0 | c >> 6));
		str_addc(&utf8, (char)(c >= 0x80 ? 0x80 | (c & 0x3f) : c));
	}
	return json_string(utf8.text);
}

static json_t *facts_json(const struct facts *facts)
{
	json_t *json = json_object();

	for (size_t i = 0; i < facts->n; i++) {
		json_t *name = manifest_text_json(facts->list[i].name);

		json_object_set_new(json, json_string_value(name),
				    manifest_text_json(facts->list[i].value));
		json_decref(name);
	}
	return json;
}

static json_t *lines_json(const char *text)
{
	auto_free char *copy = xstrdup(text ? text : "");
	auto_free char **lines = NULL;
	json_t *json = json_array();
	size_t n;

	lines = str_split(copy, '\n', &n);
	for (size_t i = 0; i < n; i++)
		json_array_append_new(json, manifest_text_json(lines[i]));
	return json;
}

static void put_texts(json_t *json, const struct experiment *e,
		      const struct text_member *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *const *text =
			(const void *)((const char *)e + list[i].offset);

		json_object_set_new(json, list[i].key,
				    manifest_text_json(*text));
	}
}

static json_t *arms_json(const struct experiment *e)
{
	json_t *json = json_array();

	for (size_t i = 0; i < e->n_arms; i++) {
		json_t *arm = json_object();

		json_object_set_new(arm, "label",
				    manifest_text_json(e->arms[i].label));
		json_object_set_new(arm, "settings",
				    facts_json(&e->arms[i].settings));
		json_array_append_new(json, arm);
	}
	return json;
}

static json_t *marks_json(const struct experiment *e)
{
	json_t *json = json_array();

	for (size_t i = 0; i < e->n_marks; i++)
		json_array_append_new(json, manifest_text_json(e->marks[i]));
	return json;
}

char *manifest_text(const struct experiment *e)
{
	json_t *json = json_object();
	json_t *config = json_object();
	auto_free char *seed = xasprintf("%" PRIu64, e->seed);
	auto_free char *text = NULL;

	json_object_set_new(json, "format", json_integer(MANIFEST_FORMAT));
	put_texts(json, e, top_texts, ARRAY_SIZE(top_texts));
	json_object_set_new(json, "baseline",
			    manifest_text_json(e->arms[e->baseline].label));
	json_object_set_new(json, "blocks", json_integer(e->blocks));
	json_object_set_new(json, "seed", json_string(seed));
	put_texts(config, e, config_texts, ARRAY_SIZE(config_texts));
	json_object_set_new(config, "text", lines_json(e->config_text));
	json_object_set_new(json, "config", config);
	for (size_t i = 0; i < ARRAY_SIZE(facts_members); i++)
		json_object_set_new(
			json, facts_members[i].key,
			facts_json((const void *)((const char *)e +
						  facts_members[i].offset)));
	json_object_set_new(json, "arms", arms_json(e));
	manifest_plan_put(json, e);
	json_object_set_new(json, "marks", marks_json(e));
	if (e->n_claims)
		json_object_set_new(json, "claims", manifest_claims_json(e));
	text = json_dumps(json, JSON_INDENT(2));
	json_decref(json);
	return xasprintf("%s\n", text);
}

/* --- reading --- */

static char *get_text(const json_t *json, const char *key, char **out)
{
	const char *text = json_string_value(json_object_get(json, key));

	if (!text)
		return manifest_wrong(key, "a text");
	free(*out);
	*out = xstrdup(text);
	return NULL;
}

static char *get_facts(const json_t *json, const char *key, struct facts *out)
{
	json_t *object = json_object_get(json, key);
	const char *name;
	json_t *value;

	/* Older manifests do not have it. */
	if (!object && str_eq(key, "judging"))
		return NULL;
	if (!json_is_object(object))
		return manifest_wrong(key, "an object of texts");
	json_object_foreach(object, name, value)
	{
		if (!json_is_string(value))
			return manifest_wrong(key, "an object of texts");
		XGROW(out->list, out->n);
		out->list[out->n].name = xstrdup(name);
		out->list[out->n++].value = xstrdup(json_string_value(value));
	}
	return NULL;
}

static char *get_texts(const json_t *json, struct experiment *e,
		       const struct text_member *list, size_t n)
{
	char *why = NULL;

	for (size_t i = 0; !why && i < n; i++)
		why = get_text(json, list[i].key,
			       (void *)((char *)e + list[i].offset));
	return why;
}

static char *get_config(const json_t *json, struct experiment *e)
{
	const json_t *config = json_object_get(json, "config");
	const json_t *lines = json_object_get(config, "text");
	auto_str struct str text = { 0 };

	if (!json_is_object(config) || !json_is_array(lines))
		return manifest_wrong("config",
				      "an object with the text's lines");
	for (size_t i = 0; i < json_array_size(lines); i++) {
		const json_t *line = json_array_get(lines, i);

		if (!json_is_string(line))
			return manifest_wrong("config", "an array of lines");
		if (i)
			str_addc(&text, '\n');
		str_add(&text, json_string_value(line));
	}
	e->config_text = str_steal(&text);
	return get_texts(config, e, config_texts, ARRAY_SIZE(config_texts));
}

static char *get_seed(const json_t *json, struct experiment *e)
{
	const char *text = json_string_value(json_object_get(json, "seed"));

	if (!text || num_u64(text, &e->seed))
		return manifest_wrong("seed", "a number as a text");
	return NULL;
}

static char *get_arms(const json_t *json, struct experiment *e)
{
	const json_t *list = json_object_get(json, "arms");
	char *why = NULL;

	if (!json_array_size(list))
		return manifest_wrong("arms", "a list of arms");
	e->arms = xcalloc(json_array_size(list), sizeof(*e->arms));
	e->n_arms = json_array_size(list);
	for (size_t i = 0; !why && i < e->n_arms; i++) {
		const json_t *item = json_array_get(list, i);

		e->arms[i].label = xstrdup("");
		why = get_text(item, "label", &e->arms[i].label);
		if (!why)
			why = get_facts(item, "settings", &e->arms[i].settings);
	}
	return why;
}

static char *get_marks(const json_t *json, struct experiment *e)
{
	const json_t *list = json_object_get(json, "marks");

	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *text = json_string_value(json_array_get(list, i));

		if (!text)
			return manifest_wrong("marks", "a list of texts");
		XGROW(e->marks, e->n_marks);
		e->marks[e->n_marks++] = xstrdup(text);
	}
	return NULL;
}

static char *get_all(const json_t *json, struct experiment *e)
{
	char *why = get_texts(json, e, top_texts, ARRAY_SIZE(top_texts));

	if (!why)
		why = get_config(json, e);
	for (size_t i = 0; !why && i < ARRAY_SIZE(facts_members); i++)
		why = get_facts(json, facts_members[i].key,
				(void *)((char *)e + facts_members[i].offset));
	if (!why)
		why = manifest_count(json, "blocks", &e->blocks);
	if (!why)
		why = get_seed(json, e);
	if (!why)
		why = get_arms(json, e);
	if (!why)
		why = manifest_arm(json, "baseline", e, &e->baseline);
	if (!why)
		why = manifest_plan_get(json, e);
	if (!why)
		why = get_marks(json, e);
	if (!why && !manifest_claims_get(json_object_get(json, "claims"), e))
		why = manifest_wrong("claims", "a list of claims");
	return why;
}

int manifest_parse(const char *text, struct experiment *out, char **why)
{
	json_error_t error;
	json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, &error);
	const json_t *format = json_object_get(json, "format");
	int ret = -EIO;

	memset(out, 0, sizeof(*out));
	if (!json) {
		*why = xasprintf("line %d: %s", error.line, error.text);
		return ret;
	}
	if (!json_is_integer(format)) {
		*why = manifest_wrong("format",
				      "there: no manifest of a result folder");
	} else if (json_integer_value(format) > MANIFEST_FORMAT) {
		*why = xasprintf("written by a newer thpbench: format %lld, "
				 "this one reads up to %d",
				 json_integer_value(format), MANIFEST_FORMAT);
		ret = -ENOTSUP;
	} else {
		*why = get_all(json, out);
		ret = *why ? -EIO : 0;
	}
	json_decref(json);
	if (ret)
		experiment_free(out);
	return ret;
}
