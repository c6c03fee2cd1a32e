/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The numbers of a public mail as it printed them, with its errors:
 * results/published/NAME.tsv. Each row begins with what it is:
 *
 *   title   TEXT                        source TEXT, date TEXT likewise
 *   setup   SECTION FACT VALUE          as a manifest has it (host, server,
 *                                       workload); "not said ..." if it is not
 *   arm     LABEL KEY=VALUE...          its settings, as a configuration has
 *                                       them
 *   base    LABEL                       what changes are against
 *   value   METRIC UNIT BETTER ARM NUMBER
 *   change  METRIC UNIT BETTER ARM PERCENT MARK    where no numbers are given;
 *                                       no MARK: called insignificant
 *   point   ARM T_S TOTAL HUGE PERCENT  of a run in time
 *   claim   NAME METRIC ARM EXPECT      what the text says (data/expect.h)
 *   error   KIND TEXT                   what is wrong in the mail
 *   note    TEXT
 *
 * UNIT is that of the number: GiB of a metric in bytes.
 */
#ifndef DATA_PUBLISHED_H
#define DATA_PUBLISHED_H

#include "data/metric.h"
#include "data/record.h"

struct published_value {
	char *metric;
	char *unit;
	enum metric_better better;
	char *arm;
	char *text;    /* as printed */
	double number; /* of it */
	bool is_change;
	char *mark; /* of a change; "" for none */
};

struct published_point {
	char *arm;
	double t_s;
	double total;
	double huge;
	double printed_pct;
};

struct published_error {
	char *kind;
	char *text;
};

struct published {
	char *name;
	char *title;
	char *source;
	char *date;
	struct facts setup; /* "host.kernel" */
	struct arm_record *arms;
	size_t n_arms;
	char *base; /* NULL: none */
	struct published_value *values;
	size_t n_values;
	struct published_point *points;
	size_t n_points;
	struct claim *claims;
	size_t n_claims;
	struct published_error *errors;
	size_t n_errors;
	char **notes;
	size_t n_notes;
};

/*
 * Read it from a text, which is taken. 0, or -EPROTO with *why set to a
 * sentence (free() it); out is then empty. published_free() it.
 */
int published_parse(const char *name, char *text, struct published *out,
		    char **why);
void published_free(struct published *p);

/* The value of a metric in an arm; NULL if there is none. */
const struct published_value *
published_find(const struct published *p, const char *metric, const char *arm);

/*
 * The published change of a value against the base in %, as its numbers have
 * it, or as given. False if there is none: the arm is the base, or the base has
 * no value. NAN if the base is 0 and the value is more.
 */
bool published_change(const struct published *p,
		      const struct published_value *v, double *pct);

/*
 * Add an error for each share that is not what its own counts give: those of
 * points, and of metrics that are one count in % of another. How many shares
 * were looked at.
 */
size_t published_recompute(struct published *p);

/*
 * The arm of e that stands for a published one: that of its label, else the
 * only one that has all its settings. False if there is none.
 */
bool published_arm(const struct published *p, const char *label,
		   const struct experiment *e, size_t *arm);

#endif
