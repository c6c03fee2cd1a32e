/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The forms of a table, for table_print() alone. */
#ifndef OUT_FORMS_H
#define OUT_FORMS_H

#include <jansson.h>

#include "out/table.h"

void form_text(const struct table *t, struct str *out);
void form_markdown(const struct table *t, struct str *out);
void form_csv(const struct table *t, const char *experiment_id,
	      struct str *out);
void form_html(const struct table *t, const char *experiment_id,
	       struct str *out);
void form_json(const struct table *t, struct str *out);
/* What form_json() prints, as an object; json_decref() it. */
json_t *form_json_object(const struct table *t);

#endif
