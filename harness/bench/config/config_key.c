/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/config/config_key.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/metric.h"
#include "kern/knobs.h"

bool config_key_is(const struct config_key *key, const char *name)
{
	return str_ends(key->name, ".") ? str_starts(name, key->name)
					: str_eq(name, key->name);
}

const struct config_key *config_key_find(const char *section, const char *name)
{
	for (size_t i = 0; i < n_config_keys; i++)
		if (config_key_is(&config_keys[i], name) &&
		    str_eq(config_keys[i].section, section))
			return &config_keys[i];
	return NULL;
}

char *config_key_identity(const char *name)
{
	char *id = knob_path(name);

	if (id)
		return id;
	id = xstrdup(name);
	for (char *p = id; *p; p++)
		if (*p == '-')
			*p = '_';
	return id;
}

/* "block or keep"; "a, b or c". free() it. */
static char *list_words(const char *const *words)
{
	struct str out = { 0 };

	for (size_t i = 0; words[i]; i++) {
		if (i)
			str_add(&out, words[i + 1] ? ", " : " or ");
		str_add(&out, words[i]);
	}
	return str_steal(&out);
}

/* What would be right for a key. free() it. */
static char *right_text(const struct config_key *key)
{
	const char *right = key->type->right;

	if (right && *right == ',')
		return xasprintf("%s to %s%s", key->least, key->most, right);
	if (right)
		return xstrdup(right);
	if (key->type == &type_script)
		return xasprintf("oltp_read_only, oltp_point_select, "
				 "oltp_read_write, oltp_write_only, hot-range "
				 "or the path of a .lua file");
	if (key->type == &type_metric)
		return xasprintf("such as tps, latency_p95_ms or huge_bytes");
	if (key->words)
		return list_words(key->words);
	return xasprintf("%s to %s", key->least, key->most);
}

/* The allowed word that was probably meant, or NULL. */
static const char *nearest_value(const struct config_item *item)
{
	const char *names[64];
	size_t n = 0;

	if (item->key->type == &type_metric)
		for (; n < n_metrics && n < ARRAY_SIZE(names); n++)
			names[n] = metrics[n].name;
	else
		for (; item->key->words && item->key->words[n]; n++)
			names[n] = item->key->words[n];
	return n ? str_nearest(item->value, names, n) : NULL;
}

static void say_wrong(const struct config_item *item, int err,
		      struct faults *faults)
{
	const struct config_key *key = item->key;
	auto_free char *right = right_text(key);
	const char *near = nearest_value(item);

	if (err == -ERANGE && key->least)
		fault_add(faults, item->line,
			  "%s = %s is out of range; %s to %s", item->name,
			  item->value, key->least, key->most);
	else if (near)
		fault_add(faults, item->line,
			  "%s = %s: %s; did you mean '%s' (%s)?", item->name,
			  item->value, key->type->wrong, near, right);
	else
		fault_add(faults, item->line, "%s = %s: %s; %s", item->name,
			  item->value, key->type->wrong, right);
}

void config_item_wrong(const struct config_item *item, struct faults *faults)
{
	say_wrong(item, -EINVAL, faults);
}

/* May its value be empty? Only where the program that gets it may say. */
static bool may_be_empty(const struct config_key *key)
{
	return key->type == &type_env || key->type == &type_variable;
}

bool config_item_read(const struct config_item *item, void *base,
		      struct faults *faults)
{
	const struct config_type *type = item->key->type;
	auto_free char *wrong = type->check ? type->check(item) : NULL;
	int ret;

	if (wrong) {
		fault_add(faults, item->line, "%s", wrong);
		return false;
	}
	if (!*item->value && !may_be_empty(item->key)) {
		fault_add(faults, item->line,
			  "'%s' has no value; give one or leave the key out",
			  item->name);
		return false;
	}
	ret = type->read(item, base);
	if (ret)
		say_wrong(item, ret, faults);
	return !ret;
}

/* The section that does know the key, or NULL. */
static const char *other_section(const char *name)
{
	static const char *const sections[] = { "experiment", "server",
						"workload",   "collect",
						"arm",        "guest",
						"claim" };

	for (size_t i = 0; i < ARRAY_SIZE(sections); i++)
		if (config_key_find(sections[i], name))
			return sections[i];
	return NULL;
}

void config_key_unknown(const char *section, const char *name,
			unsigned int line, struct faults *faults)
{
	const char *other = other_section(name);
	auto_free const char **names = xcalloc(n_config_keys, sizeof(*names));
	const char *near;
	size_t n = 0;

	for (size_t i = 0; i < n_config_keys; i++)
		if (str_eq(config_keys[i].section, section))
			names[n++] = config_keys[i].name;
	near = n ? str_nearest(name, names, n) : NULL;
	if (other)
		fault_add(faults, line,
			  "key '%s' is not for [%s]; it belongs in [%s]", name,
			  section, other);
	else if (near)
		fault_add(faults, line,
			  "unknown key '%s' in [%s]; did you mean '%s'?", name,
			  section, near);
	else
		fault_add(faults, line,
			  "unknown key '%s' in [%s]; thpbench.conf(5) lists "
			  "them",
			  name, section);
}
