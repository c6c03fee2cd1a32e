/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types whose key names something itself: options, variables, knobs. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "bench/config/config_key.h"
#include "kern/knobs.h"

/* Behind the dot of a family; all of it where there is none. */
static const char *behind_dot(const struct config_item *item)
{
	return str_ends(item->key->name, ".")
		       ? item->name + strlen(item->key->name)
		       : item->name;
}

static bool is_name(const char *s, const char *more)
{
	if (!isalpha((unsigned char)*s) && *s != '_')
		return false;
	for (; *s; s++)
		if (!isalnum((unsigned char)*s) && !strchr(more, *s))
			return false;
	return true;
}

static char *check_named(const struct config_item *item)
{
	if (!is_name(behind_dot(item), "_-"))
		return xasprintf("'%s' names nothing; %sNAME of letters, "
				 "digits, _ and -",
				 item->name, item->key->name);
	return NULL;
}

/* sysbench 1.0 with libmariadb then dies when its server does (#527). */
static char *check_option(const struct config_item *item)
{
	auto_free char *name = config_key_identity(behind_dot(item));

	if (str_eq(name, "mysql_ignore_errors") && strstr(item->value, "all"))
		return xasprintf("%s = %s hides a server that died; a list of "
				 "error numbers",
				 item->name, item->value);
	return check_named(item);
}

static char *check_env(const struct config_item *item)
{
	if (is_name(behind_dot(item), "_"))
		return NULL;
	return xasprintf("'%s' is no variable; env.NAME of letters, digits "
			 "and _",
			 item->name);
}

static char *check_knob(const struct config_item *item)
{
	auto_free char *path = knob_path(item->name);

	if (path)
		return NULL;
	return xasprintf("'%s' is no kernel file; such as "
			 "thp.khugepaged.pages_to_scan or "
			 "sysctl.vm.swappiness",
			 item->name);
}

static int read_option(const struct config_item *item, void *base)
{
	struct config *c = base;

	facts_set(&c->workload.options, behind_dot(item), item->value);
	return 0;
}

static int read_option_number(const struct config_item *item, void *base)
{
	struct config *c = base;
	double v;
	double least;
	double most;
	int ret = num_percent(item->value, &v);

	if (ret)
		return ret;
	if (num_double(item->key->least, &least) ||
	    num_double(item->key->most, &most) || v < least || v > most)
		return -ERANGE;
	facts_setf(&c->workload.options, item->name, "%.15g", v);
	return 0;
}

static int read_option_plain(const struct config_item *item, void *base)
{
	return strchr(item->value, '%') ? -EINVAL
					: read_option_number(item, base);
}

static int read_option_count(const struct config_item *item, void *base)
{
	uint64_t v;
	int ret = num_u64(item->value, &v);

	return ret ? ret : read_option_number(item, base);
}

static int read_variable(const struct config_item *item, void *base)
{
	struct config *c = base;

	facts_set(&c->server.variables, behind_dot(item), item->value);
	return 0;
}

static int read_env(const struct config_item *item, void *base)
{
	struct arm *arm = base;

	facts_set(&arm->env, behind_dot(item), item->value);
	return 0;
}

/* Its place in the arm: that of the same path, else a new one. */
static struct knob *place(struct arm *arm, const char *path)
{
	for (size_t i = 0; i < arm->n_knobs; i++)
		if (str_eq(arm->knobs[i].path, path))
			return &arm->knobs[i];
	XGROW(arm->knobs, arm->n_knobs);
	arm->knobs[arm->n_knobs] = (struct knob){ 0 };
	return &arm->knobs[arm->n_knobs++];
}

static int read_knob(const struct config_item *item, void *base)
{
	const char *const *words = item->key->words;
	char *path;
	struct knob *knob;

	for (size_t i = 0; words && !str_eq(words[i], item->value); i++)
		if (!words[i])
			return -EINVAL;
	path = knob_path(item->name);
	knob = place(base, path);
	free(knob->key);
	free(knob->path);
	free(knob->value);
	*knob = (struct knob){
		.key = xstrdup(item->name),
		.path = path,
		.value = xstrdup(item->value),
		.line = item->line,
	};
	return 0;
}

const struct config_type type_option_count = { "number", "not a whole number",
					       NULL, NULL, read_option_count };
const struct config_type type_option_number = { "number", "not a number", NULL,
						NULL, read_option_plain };
const struct config_type type_option_percent = { "percentage",
						 "not a percentage", NULL, NULL,
						 read_option_number };
const struct config_type type_option = { "text", "not a text", "a value",
					 check_option, read_option };
const struct config_type type_variable = { "text", "not a text", "a value",
					   check_named, read_variable };
const struct config_type type_env = { "text", "not a text", "a value",
				      check_env, read_env };
const struct config_type type_knob = { "value", "no such word", NULL,
				       check_knob, read_knob };
