/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/json_put.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "out/wrap.h"

json_t *json_text(const char *text)
{
	auto_free char *ascii = NULL;
	json_t *json;

	if (!text)
		return json_null();
	json = json_string(text);
	if (json)
		return json;
	ascii = wrap_ascii(text);
	return json_string(ascii);
}

void json_put(json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, value) < 0)
		abort();
}

void json_put_text(json_t *object, const char *key, const char *text)
{
	json_put(object, key, json_text(text));
}

void json_put_count(json_t *object, const char *key, uint64_t n)
{
	json_put(object, key,
		 n <= INT64_MAX ? json_integer((json_int_t)n)
				: json_sprintf("%llu", (unsigned long long)n));
}

void json_put_real(json_t *object, const char *key, double number)
{
	if (isfinite(number))
		json_put(object, key, json_real(number));
}

json_t *json_missing(const char *why)
{
	json_t *object = json_object();

	json_put_text(object, "missing",
		      why && *why ? why : "no reason recorded");
	return object;
}

json_t *json_facts(const struct facts *facts)
{
	json_t *object = json_object();

	for (size_t i = 0; i < facts->n; i++) {
		auto_free char *name = wrap_ascii(facts->list[i].name);

		json_put_text(object, name, facts->list[i].value);
	}
	return object;
}

/* Six figures: a root is found to seven. */
static double six_figures(double x)
{
	double unit;

	if (!isfinite(x) || !(fabs(x) > 0))
		return x;
	unit = pow(10, floor(log10(fabs(x))) - 5);
	return round(x / unit) * unit;
}

void json_put_judgement(json_t *object, const struct judgement *j,
			double margin)
{
	double shows;
	size_t needs;

	json_put_real(object, "p", j->p);
	json_put_real(object, "p_corrected", j->p_corrected);
	json_put_text(object, "rank", j->is_primary ? "primary" : "secondary");
	if (j->verdict == VERDICT_NONE) {
		json_put_text(object, "verdict_missing", j->why);
		return;
	}
	json_put_text(object, "verdict", verdict_text(j->verdict));
	if (j->verdict != VERDICT_INCONCLUSIVE)
		return;
	shows = judgement_shows(j);
	needs = judgement_needs(j, margin);
	json_put_real(object, "shows_pct", six_figures(100 * shows));
	if (needs)
		json_put_count(object, "needs", needs);
}

void json_print(json_t *json, struct str *out)
{
	auto_free char *text =
		json_dumps(json, JSON_INDENT(1) | JSON_REAL_PRECISION(12) |
					 JSON_PRESERVE_ORDER);

	if (!text)
		abort();
	str_add(out, text);
	str_addc(out, '\n');
	json_decref(json);
}
