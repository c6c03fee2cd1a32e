/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/cmd.h"

#include <getopt.h>
#include <stdio.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/std.h"
#include "base/str.h"

/* In the order of the work: the order of --help too. */
/* clang-format off */
const struct cmd *const cmds[] = {
	&cmd_check,
	&cmd_plan,
	&cmd_run,
	&cmd_restore,
	&cmd_report,
	&cmd_compare,
	&cmd_plot, &cmd_claims,
	&cmd_import,
	&cmd_lint,
	&cmd_probe,
	&cmd_history,
	&cmd_guest,
	&cmd_server,
	&cmd_help,
};
/* clang-format on */
const size_t n_cmds = ARRAY_SIZE(cmds);

const struct cmd_option cmd_common[] = {
	{ "root", "DIR", 0, "read and write /proc and /sys below DIR" },
	{ "help", NULL, 'h', "this text" },
	{ 0 },
};

static const char *root = "/";

const char *cmd_root(void)
{
	return root;
}

enum { MOST_OPTIONS = 24 };

/* getopt's own form: val is the index into the list, options then common. */
static size_t list_options(const struct cmd *cmd,
			   const struct cmd_option **list)
{
	size_t n = 0;

	for (const struct cmd_option *o = cmd->options; o && o->name; o++)
		list[n++] = o;
	for (const struct cmd_option *o = cmd_common; o->name; o++)
		list[n++] = o;
	return n;
}

static int read_option(int argc, char **argv,
		       const struct cmd_option *const *list, size_t n)
{
	struct option longs[MOST_OPTIONS + 1] = { 0 };
	char shorts[2 * MOST_OPTIONS + 2] = ":";
	size_t n_shorts = 1;
	int c;

	for (size_t i = 0; i < n; i++) {
		longs[i].name = list[i]->name;
		longs[i].has_arg =
			list[i]->value ? required_argument : no_argument;
		longs[i].val = (int)(256 + i);
		if (!list[i]->letter)
			continue;
		shorts[n_shorts++] = list[i]->letter;
		if (list[i]->value)
			shorts[n_shorts++] = ':';
	}
	c = getopt_long(argc, argv, shorts, longs, NULL);
	for (size_t i = 0; i < n; i++)
		if (c > 0 && c < 256 && list[i]->letter == c)
			return (int)i;
	return c >= 256 ? c - 256 : c;
}

const struct cmd_option *cmd_next(const struct cmd *cmd, int argc, char **argv,
				  const char **value, int *bad)
{
	const struct cmd_option *list[MOST_OPTIONS];
	size_t n = list_options(cmd, list);

	*bad = 0;
	for (;;) {
		int i = read_option(argc, argv, list, n);

		if (i == -1)
			return NULL;
		if (i < 0 || (size_t)i >= n) {
			*bad = refuse(STATUS_USAGE,
				      "%s: %s %s; see thpbench "
				      "%s --help",
				      cmd->name,
				      i == ':' ? "no value after" : "no option",
				      argv[optind - 1], cmd->name);
			return NULL;
		}
		if (list[i] == &cmd_common[0]) {
			root = optarg;
		} else if (list[i] == &cmd_common[1]) {
			cmd_print_help(cmd);
			*bad = -1;
			return NULL;
		} else {
			*value = optarg;
			return list[i];
		}
	}
}

int cmd_blocks(const char *value, uint64_t *blocks)
{
	enum { MOST = 1000 };

	if (num_u64(value, blocks) || !*blocks || *blocks > MOST)
		return refuse(STATUS_USAGE,
			      "--blocks %s: not a number from 1 to %d", value,
			      MOST);
	return 0;
}

int cmd_shard(const char *value, struct shard *shard)
{
	if (shard_parse(value, shard))
		return refuse(STATUS_USAGE,
			      "--shard %s: not a part such as 2/3, of at most "
			      "%d",
			      value, SHARD_MOST);
	return 0;
}

int cmd_shard_fits(const struct shard *shard, const char *config,
		   unsigned int blocks)
{
	if (shard->of <= blocks)
		return 0;
	return refuse(STATUS_USAGE,
		      "--shard %u/%u: %s has %u block%s, so at most %u "
		      "shard%s; --blocks N makes more",
		      shard->index, shard->of, config, blocks,
		      blocks == 1 ? "" : "s", blocks, blocks == 1 ? "" : "s");
}

int cmd_put(const char *text, size_t n)
{
	int ret = std_write(text, n);

	if (!ret)
		return STATUS_OK;
	fail(ret, "standard output");
	return STATUS_IO;
}

int cmd_refuse_name(const char *name)
{
	const char *names[ARRAY_SIZE(cmds)];
	const char *nearest;

	for (size_t i = 0; i < n_cmds; i++)
		names[i] = cmds[i]->name;
	nearest = str_nearest(name, names, n_cmds);
	if (nearest)
		return refuse(STATUS_USAGE,
			      "no subcommand '%s'; did you mean '%s'?", name,
			      nearest);
	return refuse(STATUS_USAGE, "no subcommand '%s'; see thpbench --help",
		      name);
}

static void print_words(const struct cmd_rows *words)
{
	for (size_t i = 0; i < words->n; i++) {
		const void *row = (const char *)words->first + i * words->size;
		const struct cmd_word *word = row;
		auto_free char *left =
			xasprintf("%s %s", word->name, word->arguments);

		printf("  %-26s %s\n", left, word->help);
	}
	printf("\n");
}

void cmd_print_help(const struct cmd *cmd)
{
	const struct cmd_option *list[MOST_OPTIONS];
	size_t n = list_options(cmd, list);

	printf("Usage: thpbench %s [OPTION]... %s\n%s\n\n", cmd->name,
	       cmd->arguments, cmd->help);
	if (cmd->words)
		print_words(cmd->words);
	for (size_t i = 0; i < n; i++) {
		auto_free char *left =
			xasprintf("--%s%s%s", list[i]->name,
				  list[i]->value ? " " : "",
				  list[i]->value ? list[i]->value : "");

		if (list[i]->letter)
			printf("  -%c, %-22s %s\n", list[i]->letter, left,
			       list[i]->help);
		else
			printf("      %-22s %s\n", left, list[i]->help);
	}
}
