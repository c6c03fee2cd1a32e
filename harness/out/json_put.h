/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values put into objects of JSON, as all that we print has them. */
#ifndef OUT_JSON_PUT_H
#define OUT_JSON_PUT_H

#include <jansson.h>
#include <stdint.h>

#include "base/str.h"
#include "data/stats/judge.h"

/* A text as it is; as ASCII if it is no UTF-8, null if there is none. */
json_t *json_text(const char *text);
/* {"missing": why} */
json_t *json_missing(const char *why);
json_t *json_facts(const struct facts *facts);

/* All take the value over. */
void json_put(json_t *object, const char *key, json_t *value);
void json_put_text(json_t *object, const char *key, const char *text);
/* What jansson's signed integers cannot hold becomes a text. */
void json_put_count(json_t *object, const char *key, uint64_t n);
/* Left out if it is not finite: JSON has no word for it. */
void json_put_real(json_t *object, const char *key, double number);

/*
 * What was judged: "p", "p_corrected", "rank", and "verdict" or
 * "verdict_missing" with the reason; of the inconclusive also "shows_pct" and
 * "needs".
 */
void json_put_judgement(json_t *object, const struct judgement *j,
			double margin);

/* Add it as text and a newline, and json_decref() it. */
void json_print(json_t *json, struct str *out);

#endif
