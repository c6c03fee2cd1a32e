/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What subcommands that read result folders have in common. */
#ifndef CMD_LOAD_H
#define CMD_LOAD_H

#include "data/record.h"

/*
 * Read a result folder and fill in all values. Returns 0 or -errno (printed,
 * who in front); experiment_free() it.
 */
int cmd_load(const char *who, const char *dir, struct experiment *out);

/*
 * No such word: say which is meant, or which there are. Returns STATUS_USAGE.
 */
int cmd_refuse_word(const char *who, const char *what, const char *word,
		    const char *const *words, size_t n);

#endif
