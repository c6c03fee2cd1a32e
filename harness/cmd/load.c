/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/load.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "data/merge.h"
#include "data/store.h"
#include "data/summary.h"

void experiments_free(struct experiments *e)
{
	for (size_t i = 0; i < e->n; i++)
		experiment_free(&e->list[i]);
	free(e->list);
	*e = (struct experiments){ 0 };
}

static int load_one(const char *dir, struct experiments *out)
{
	struct experiment e;
	int ret = store_load_experiment(dir, &e);

	if (ret < 0)
		return ret;
	for (size_t i = 0; i < e.n_runs; i++)
		summary_fill(&e.runs[i]);
	XGROW(out->list, out->n);
	out->list[out->n++] = e;
	return 0;
}

int cmd_load_parts(const char *who, const char *dir, struct experiments *out)
{
	char **dirs;
	struct stat st;
	size_t n;
	int ret;

	*out = (struct experiments){ 0 };
	if (stat(dir, &st) < 0)
		return fail(-errno, "%s: %s", who, dir);
	ret = store_find_shards(dir, &dirs, &n);
	if (!ret && !n)
		ret = load_one(dir, out);
	for (size_t i = 0; i < n; i++) {
		if (!ret)
			ret = load_one(dirs[i], out);
		free(dirs[i]);
	}
	free(dirs);
	if (ret)
		experiments_free(out);
	return ret;
}

/* The shards become the one that they are of; those that are none stay. */
static int merge(const char *who, const char *dir, struct experiments *parts)
{
	auto_free char *why = NULL;
	struct experiment whole;
	int ret;

	if (!parts->n || !parts->list[0].shard.of)
		return 0;
	ret = merge_shards(parts->list, parts->n, dir, &whole, &why);
	if (ret)
		return refuse(ret, "%s: %s", who, why);
	parts->list[0] = whole;
	parts->n = 1;
	return 0;
}

int cmd_load(const char *who, const char *dir, struct experiment *out)
{
	struct experiments parts;
	int ret = cmd_load_parts(who, dir, &parts);

	if (!ret)
		ret = merge(who, dir, &parts);
	if (ret) {
		experiments_free(&parts);
		return ret;
	}
	*out = parts.list[0];
	free(parts.list);
	return 0;
}

static void move(struct experiments *from, struct experiments *to)
{
	for (size_t i = 0; i < from->n; i++) {
		XGROW(to->list, to->n);
		to->list[to->n++] = from->list[i];
	}
	free(from->list);
	*from = (struct experiments){ 0 };
}

int cmd_load_all(const char *who, const char *const *dirs, size_t n,
		 struct experiments *out)
{
	struct experiments rest = { 0 };
	int ret = 0;

	*out = (struct experiments){ 0 };
	for (size_t i = 0; i < n && !ret; i++) {
		struct experiments parts;
		bool is_whole;

		ret = cmd_load_parts(who, dirs[i], &parts);
		if (ret)
			break;
		is_whole = parts.n && parts.list[0].shard.of <= parts.n;
		if (is_whole)
			ret = merge(who, dirs[i], &parts);
		move(&parts, is_whole ? out : &rest);
	}
	if (!ret && rest.n)
		ret = merge(who, rest.list[0].dir, &rest);
	move(&rest, out);
	if (ret)
		experiments_free(out);
	return ret;
}

int cmd_refuse_word(const char *who, const char *what, const char *word,
		    const char *const *words, size_t n)
{
	const char *nearest = str_nearest(word, words, n);
	auto_str struct str list = { 0 };

	if (nearest)
		return refuse(STATUS_USAGE,
			      "%s: no %s '%s'; did you mean '%s'?", who, what,
			      word, nearest);
	for (size_t i = 0; i < n; i++)
		str_addf(&list, "%s%s", i ? ", " : "", words[i]);
	return refuse(STATUS_USAGE, "%s: no %s '%s'; there are %s", who, what,
		      word, list.text);
}

static const char *row_name(const struct cmd_rows *rows, size_t i)
{
	const char *row = (const char *)rows->first + i * rows->size;

	return *(const char *const *)(const void *)row;
}

int cmd_choose(const char *who, const char *what, const char *word,
	       const struct cmd_rows *rows, size_t *place)
{
	auto_free const char **names = xcalloc(rows->n + 1, sizeof(*names));

	for (*place = 0; *place < rows->n; ++*place) {
		names[*place] = row_name(rows, *place);
		if (str_eq(names[*place], word))
			return STATUS_OK;
	}
	return cmd_refuse_word(who, what, word, names, rows->n);
}

int cmd_choose_word(const struct cmd *cmd, const char *word, size_t *place)
{
	auto_str struct str list = { 0 };

	if (word)
		return cmd_choose(cmd->name, "word", word, cmd->words, place);
	for (size_t i = 0; i < cmd->words->n; i++)
		str_addf(&list, "%s%s", i ? ", " : "", row_name(cmd->words, i));
	return refuse(STATUS_USAGE, "%s: what? %s; see thpbench %s --help",
		      cmd->name, list.text, cmd->name);
}

int cmd_set_format(const char *who, const char *word, enum table_format *format)
{
	static const struct {
		const char *name;
		enum table_format format;
	} rows[] = {
		{ "text", TABLE_TEXT },
		{ "markdown", TABLE_MARKDOWN },
		{ "csv", TABLE_CSV },
		{ "json", TABLE_JSON },
	};
	size_t place;
	int bad = cmd_choose(who, "format", word,
			     CMD_ROWS(rows, ARRAY_SIZE(rows)), &place);

	if (!bad)
		*format = rows[place].format;
	return bad;
}

int cmd_one_folder(const char *who, int argc)
{
	if (optind + 1 == argc)
		return STATUS_OK;
	return refuse(STATUS_USAGE, "%s: %s; see thpbench %s --help", who,
		      optind == argc ? "no result folder"
				     : "one result folder at a time",
		      who);
}
