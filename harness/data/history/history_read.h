/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a history holds: experiments, series of points, values of runs. */
#ifndef DATA_HISTORY_READ_H
#define DATA_HISTORY_READ_H

#include "data/history/history.h"
#include "data/metric.h"

/* What is asked for; NULL: all. */
struct history_filter {
	const char *host;
	const char *config; /* hash, or its beginning; or the file's name */
	const char *arm;
	const char *metric; /* NULL: each experiment's primary; "all" */
	const char *uid;    /* of an experiment */
	bool by_time;       /* points by time, not by kernel */
};

/* Is it the configuration with this hash and file? */
bool history_is_config(const struct history_filter *f, const char *hash,
		       const char *path);

struct history_experiment {
	char *uid;
	char *name;
	char *host;
	char *config;
	char *config_path;
	char *created;
	char *baseline;
	char *margin;
	char *primary;
	char *kernels; /* "6.18 and 6.19-rc1" */
	size_t n_runs;
};

struct history_experiments {
	struct history_experiment *list; /* by host, configuration, time */
	size_t n;
};

/* 0 or -errno (printed). history_experiments_free() it. */
int history_experiments(struct history *h, const struct history_filter *f,
			struct history_experiments *out);
void history_experiments_free(struct history_experiments *x);

/* One arm of one experiment: the mean over its counted runs. */
struct history_point {
	char *uid;
	char *name;
	char *created;
	char *kernel;
	double *x; /* of each run */
	size_t n;
	double mean;
	double sd; /* NAN for n < 2 */
};

struct history_series {
	char *host;
	char *config;
	char *config_path;
	char *arm;
	char *metric;
	char *title;
	char *unit;
	char *margin; /* "1%", or "" */
	enum metric_better better;
	struct history_point *points; /* by kernel or time */
	size_t n;
};

struct history_list {
	struct history_series *list; /* by host, configuration, arm, metric */
	size_t n;
};

/* 0 or -errno (printed). history_list_free() it. */
int history_read(struct history *h, const struct history_filter *f,
		 struct history_list *out);
void history_list_free(struct history_list *x);

#endif
