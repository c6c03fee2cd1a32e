/* SPDX-License-Identifier: GPL-3.0-or-later */
/* name = value texts in the order they came: host facts, arms, variables. */
#ifndef BASE_FACTS_H
#define BASE_FACTS_H

#include <stddef.h>

struct fact {
	char *name;
	char *value;
};

struct facts {
	struct fact *list;
	size_t n;
};

/* "" if there is no such fact. */
const char *facts_get(const struct facts *facts, const char *name);
/* Add, or replace the value of that name. Both are copied. */
void facts_set(struct facts *facts, const char *name, const char *value);
void facts_setf(struct facts *facts, const char *name, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void facts_copy(struct facts *to, const struct facts *from);
void facts_free(struct facts *facts); /* and empties it */

#endif
