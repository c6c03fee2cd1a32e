/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pinned experiments: baselines by name, one for each host and configuration.
 * They stay where they are until someone moves them.
 */
#ifndef DATA_HISTORY_PIN_H
#define DATA_HISTORY_PIN_H

#include "data/history/history_read.h"

struct history_pin {
	char *name;
	char *uid;
	char *experiment; /* its name */
	char *host;
	char *config;
	char *config_path;
	char *pinned; /* wall clock */
};

struct history_pins {
	struct history_pin *list; /* by name, host, configuration */
	size_t n;
};

/*
 * Pin an experiment. -EEXIST (printed) if another one has that name on its host
 * and configuration, unless may_move. 0 too if it is pinned so already.
 */
int history_pin(struct history *h, const char *name,
		const struct history_experiment *e, bool may_move);

/* name: NULL for all; host, config and arm of f are read. */
int history_pins(struct history *h, const char *name,
		 const struct history_filter *f, struct history_pins *out);
void history_pins_free(struct history_pins *p);

#endif
