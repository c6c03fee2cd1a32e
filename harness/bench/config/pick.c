/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/config/pick.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

/* --- regular expressions --- */

static int compile(const char *regex, regex_t *out, char **why)
{
	char text[200];
	int ret = regcomp(out, regex, REG_EXTENDED | REG_NEWLINE);

	if (ret) {
		regerror(ret, out, text, sizeof(text));
		*why = xstrdup(text);
		return -EINVAL;
	}
	if (out->re_nsub)
		return 0;
	regfree(out);
	*why = xstrdup("no group in parentheses for the number");
	return -EINVAL;
}

char *pick_regex_fault(const char *regex)
{
	char *why = NULL;
	regex_t re;

	if (!compile(regex, &re, &why))
		regfree(&re);
	return why;
}

/* The group of the last match; NULL if nothing matches. free() it. */
static char *last_match(const regex_t *re, const char *text)
{
	regmatch_t match[2];
	char *found = NULL;
	int flags = 0;

	while (*text && regexec(re, text, 2, match, flags) == 0) {
		/* Of a choice the other branch may have matched. */
		if (match[1].rm_so >= 0) {
			free(found);
			found = xstrndup(text + match[1].rm_so,
					 (size_t)(match[1].rm_eo -
						  match[1].rm_so));
		}
		text += match[0].rm_eo > 0 ? match[0].rm_eo : 1;
		flags = text[-1] == '\n' ? 0 : REG_NOTBOL;
	}
	return found;
}

int pick_regex(const char *text, const char *regex, double *out, char **why)
{
	auto_free char *found = NULL;
	regex_t re;

	if (compile(regex, &re, why))
		return -ENOMSG;
	found = last_match(&re, text);
	regfree(&re);
	if (!found)
		*why = xasprintf("nothing in its output matches %s", regex);
	else if (num_double(found, out) || !isfinite(*out))
		*why = xasprintf("'%s' is no number", found);
	return *why ? -ENOMSG : 0;
}

/* --- JSON --- */

/* One step of a path. */
struct step {
	char *name; /* of a member; NULL: an element */
	uint64_t index;
};

/* ".name" or "[3]"; the first may lack its point. -EINVAL for anything else. */
static int next_step(const char **at, bool is_first, struct step *out)
{
	const char *p = *at;
	size_t n;

	*out = (struct step){ 0 };
	if (*p == '[') {
		auto_free char *digits = NULL;

		n = strcspn(p, "]");
		digits = xstrndup(p + 1, n ? n - 1 : 0);
		if (!p[n] || num_u64(digits, &out->index))
			return -EINVAL;
		*at = p + n + 1;
		return 0;
	}
	if (*p == '.')
		p++;
	else if (!is_first)
		return -EINVAL;
	n = strcspn(p, ".[");
	if (!n)
		return -EINVAL;
	out->name = xstrndup(p, n);
	*at = p + n;
	return 0;
}

char *pick_json_fault(const char *path)
{
	const char *at = path;

	do {
		struct step step;
		int ret = next_step(&at, at == path, &step);

		free(step.name);
		if (ret)
			return xasprintf("not a path at '%s'", at);
	} while (*at);
	return NULL;
}

/* What the path leads to, borrowed; NULL with *why. */
static const json_t *follow(const json_t *json, const char *path, char **why)
{
	const char *at = path;

	while (*at) {
		struct step step;

		if (next_step(&at, at == path, &step)) {
			*why = xasprintf("'%s' is no path", path);
			return NULL;
		}
		json = step.name ? json_object_get(json, step.name)
				 : json_array_get(json, step.index);
		free(step.name);
		if (!json) {
			*why = xasprintf("its JSON has no %.*s",
					 (int)(at - path), path);
			return NULL;
		}
	}
	return json;
}

/* All of it, else the last line that is JSON. NULL: none. */
static json_t *parse(const char *text)
{
	auto_free char *copy = xstrdup(text);
	json_t *json = json_loads(text, 0, NULL);
	size_t n;
	auto_free char **lines = str_split(copy, '\n', &n);

	while (!json && n)
		json = json_loads(lines[--n], 0, NULL);
	return json;
}

int pick_json(const char *text, const char *path, double *out, char **why)
{
	json_t *json = parse(text);
	const json_t *found = json ? follow(json, path, why) : NULL;

	if (!json)
		*why = xstrdup("it printed no JSON");
	else if (found && !json_is_number(found))
		*why = xasprintf("%s of its JSON is no number", path);
	else if (found)
		*out = json_number_value(found);
	json_decref(json);
	return *why ? -ENOMSG : 0;
}
