/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/answers.h"

#include <errno.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"

void answer_set(struct answer *a, enum answer_state state, char *text,
		char *detail)
{
	free(a->text);
	free(a->detail);
	a->state = state;
	a->text = text;
	a->detail = detail;
}

struct answer *answers_add(struct answers *a, const char *name,
			   const char *asks)
{
	XGROW(a->list, a->n);
	a->list[a->n] = (struct answer){
		.name = xstrdup(name),
		.asks = xstrdup(asks),
	};
	return &a->list[a->n++];
}

struct answer *answers_find(const struct answers *a, const char *name)
{
	for (size_t i = 0; i < a->n; i++)
		if (str_eq(a->list[i].name, name))
			return &a->list[i];
	return NULL;
}

static void answer_free(struct answer *a)
{
	free(a->name);
	free(a->asks);
	free(a->text);
	free(a->detail);
}

void answers_free(struct answers *a)
{
	for (size_t i = 0; i < a->n; i++)
		answer_free(&a->list[i]);
	free(a->list);
	facts_free(&a->host);
	*a = (struct answers){ 0 };
}

static bool is_among(const char *name, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (str_eq(name, names[i]))
			return true;
	return false;
}

void answers_keep(struct answers *a, const char *const *names, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < a->n; i++) {
		if (is_among(a->list[i].name, names, n))
			a->list[kept++] = a->list[i];
		else
			answer_free(&a->list[i]);
	}
	a->n = kept;
}

int answer_same(const struct answer *a, const struct answer *b)
{
	if (a->state != b->state)
		return false;
	return a->state == ANSWER_MISSING || str_eq(a->text, b->text);
}

/* --- writing --- */

static void put(json_t *object, const char *key, const char *text)
{
	json_t *json = json_string(text);

	json_object_set_new(object, key,
			    json ? json : json_string("(no UTF-8)"));
}

static json_t *answer_json(const struct answer *a)
{
	json_t *object = json_object();

	put(object, "name", a->name);
	put(object, "asks", a->asks);
	put(object, a->state == ANSWER_MISSING ? "missing" : "answer",
	    a->text ? a->text : "");
	if (a->detail)
		put(object, "detail", a->detail);
	if (a->state == ANSWER_WRONG)
		json_object_set_new(object, "wrong", json_true());
	return object;
}

char *answers_format(const struct answers *a)
{
	json_t *object = json_object();
	json_t *host = json_object();
	json_t *probes = json_array();
	auto_free char *text = NULL;
	char *line;

	for (size_t i = 0; i < a->host.n; i++)
		put(host, a->host.list[i].name, a->host.list[i].value);
	for (size_t i = 0; i < a->n; i++)
		json_array_append_new(probes, answer_json(&a->list[i]));
	json_object_set_new(object, "host", host);
	json_object_set_new(object, "probes", probes);
	text = json_dumps(object, JSON_INDENT(2));
	json_decref(object);
	line = xasprintf("%s\n", text ? text : "{}");
	return line;
}

/* --- reading --- */

/* A member that is a text; NULL: it is not there, or none. */
static const char *text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static char *read_answer(const json_t *json, struct answers *out)
{
	const char *name = text_of(json, "name");
	const char *asks = text_of(json, "asks");
	const char *missing = text_of(json, "missing");
	const char *text = missing ? missing : text_of(json, "answer");
	enum answer_state state = ANSWER_OK;

	if (!name || !*name)
		return xstrdup("a probe without a name");
	if (!text)
		return xasprintf("probe '%s' has neither answer nor missing",
				 name);
	if (answers_find(out, name))
		return xasprintf("probe '%s' is there twice", name);
	if (missing)
		state = ANSWER_MISSING;
	else if (json_is_true(json_object_get(json, "wrong")))
		state = ANSWER_WRONG;
	answer_set(answers_add(out, name, asks ? asks : ""), state,
		   xstrdup(text), xstrdup(text_of(json, "detail")));
	return NULL;
}

/* What is wrong, or NULL. */
static char *read_all(json_t *json, struct answers *out)
{
	json_t *probes = json_object_get(json, "probes");
	json_t *host = json_object_get(json, "host");
	const char *name;
	char *why = NULL;
	json_t *value;
	size_t i;

	if (!json_is_array(probes) || !json_is_object(host))
		return xstrdup("no file of thpbench probe: it has no host, or "
			       "no probes");
	json_object_foreach(host, name, value)
	{
		if (json_is_string(value))
			facts_set(&out->host, name, json_string_value(value));
	}
	json_array_foreach(probes, i, value)
	{
		why = read_answer(value, out);
		if (why)
			break;
	}
	return why;
}

int answers_parse(const char *text, struct answers *out, char **why)
{
	json_error_t error;
	json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, &error);

	*out = (struct answers){ 0 };
	*why = NULL;
	if (!json) {
		*why = xasprintf("line %d: %s", error.line, error.text);
		return -EPROTO;
	}
	*why = read_all(json, out);
	json_decref(json);
	if (!*why)
		return 0;
	answers_free(out);
	return -EPROTO;
}
