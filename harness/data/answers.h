/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What probes of a kernel answered, and the file that keeps it: JSON, an
 * object with
 *   host     facts of the machine: kernel, arch, where (host, guest), ...
 *   probes   in their order, each with name, asks and either answer (with
 *            detail and "wrong": true, if there is any) or missing, the reason
 */
#ifndef DATA_ANSWERS_H
#define DATA_ANSWERS_H

#include <stddef.h>

#include "base/facts.h"

enum answer_state {
	ANSWER_OK,      /* so it is */
	ANSWER_WRONG,   /* so it is, and it should not be */
	ANSWER_MISSING, /* cannot be found out here: text says why */
};

struct answer {
	char *name;
	char *asks; /* the question */
	enum answer_state state;
	char *text;   /* the same each time that the kernel does the same */
	char *detail; /* figures, which vary; NULL: none */
};

struct answers {
	struct facts host;
	struct answer *list;
	size_t n;
};

/* Give an answer its text; both are taken over. detail may be NULL. */
void answer_set(struct answer *a, enum answer_state state, char *text,
		char *detail);
/* A new one, empty but for these. */
struct answer *answers_add(struct answers *a, const char *name,
			   const char *asks);
/* By its name; NULL: there is none. */
struct answer *answers_find(const struct answers *a, const char *name);
/* Take these alone, in the order in which they are. */
void answers_keep(struct answers *a, const char *const *names, size_t n);

/* Say the same: two that are missing do, whatever the reasons. */
int answer_same(const struct answer *a, const struct answer *b);

/* The text of such a file. free() it. */
char *answers_format(const struct answers *a);

/*
 * Read it. 0, or -EPROTO with *why (free() it): what is wrong, with the line
 * where it is no JSON. answers_free() it.
 */
int answers_parse(const char *text, struct answers *out, char **why);
void answers_free(struct answers *a); /* and empties it */

#endif
