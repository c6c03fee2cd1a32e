/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What subcommands that read result folders have in common. */
#ifndef CMD_LOAD_H
#define CMD_LOAD_H

#include <stddef.h>

#include "cmd/cmd.h"
#include "data/record.h"
#include "out/table.h"

/*
 * Read a result folder and fill in all values; a shard (data/shard.h), or all
 * that lie in a folder, as the experiment they are of (data/merge.h). Returns 0
 * or -errno (printed, who in front); experiment_free() it.
 */
int cmd_load(const char *who, const char *dir, struct experiment *out);

/* Several experiments; experiments_free() them. */
struct experiments {
	struct experiment *list;
	size_t n;
};

/*
 * The same of several folders. Shards of an experiment that no single folder
 * has all of are put together over all of them.
 */
int cmd_load_all(const char *who, const char *const *dirs, size_t n,
		 struct experiments *out);

/* What lies in a folder, each shard by itself: one at least. */
int cmd_load_parts(const char *who, const char *dir, struct experiments *out);

void experiments_free(struct experiments *e); /* and empties it */

/*
 * No such word: say which is meant, or which there are. Returns STATUS_USAGE.
 */
int cmd_refuse_word(const char *who, const char *what, const char *word,
		    const char *const *words, size_t n);

/* Which row has this name? 0, or STATUS_USAGE as cmd_refuse_word() prints. */
int cmd_choose(const char *who, const char *what, const char *word,
	       const struct cmd_rows *rows, size_t *place);

/*
 * Which of cmd's words is this? NULL: none was given. 0, or STATUS_USAGE
 * (printed).
 */
int cmd_choose_word(const struct cmd *cmd, const char *word, size_t *place);

/*
 * --format of what prints tables alone: text, markdown, csv or json. 0, or
 * STATUS_USAGE (printed).
 */
int cmd_set_format(const char *who, const char *word,
		   enum table_format *format);

/* One result folder is left of argv? 0, or STATUS_USAGE (printed). */
int cmd_one_folder(const char *who, int argc);

#endif
