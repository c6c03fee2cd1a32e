/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words behind "thpbench history". */
#ifndef CMD_HISTORY_H
#define CMD_HISTORY_H

#include "data/history/changes.h"
#include "out/table.h"

/* What the options of the command line came to; NULL: not given. */
struct history_choice {
	const char *store;
	struct history_filter filter;
	const char *kernel;
	const char *since;
	const char *baseline;
	const char *output;
	const char *tree; /* of Linux, for bisect */
	struct changes_options changes;
	double margin; /* NAN: not given */
	enum table_format format;
	int form; /* of a plot: enum draw_form; -1: not given */
	bool has_format;
	bool may_move;
};

/* Each returns an exit status; argv are those behind the word. */
typedef int history_word_fn(const struct history_choice *c, int argc,
			    char **argv);

history_word_fn history_add_main;
history_word_fn history_list_main;
history_word_fn history_show_main;
history_word_fn history_check_main;
history_word_fn history_plot_main;
history_word_fn history_bisect_main;
history_word_fn history_pin_main;
history_word_fn history_gate_main;

/*
 * Open the store and read the series asked for; h is closed again. 0, or an
 * exit status (printed): 66 if there are none. history_list_free() it.
 */
int history_get_series(const struct history_choice *c,
		       struct history_list *out);

/* No argument is taken: 0, or STATUS_USAGE (printed). */
int history_no_argument(const char *word, int argc, char **argv);

#endif
