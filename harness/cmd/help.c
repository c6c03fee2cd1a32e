/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thpbench help: the subcommands, one, or all names for the checks. */
#include <getopt.h>
#include <stdio.h>

#include "base/err.h"
#include "base/str.h"
#include "cmd/cmd.h"

static const struct cmd_option options[] = {
	{ "names", NULL, 0, "every subcommand and option, for scripts" },
	{ 0 },
};

static void print_names(void)
{
	for (size_t i = 0; i < n_cmds; i++) {
		const struct cmd_option *o = cmds[i]->options;

		printf("%s\n", cmds[i]->name);
		for (; o && o->name; o++)
			printf("%s --%s\n", cmds[i]->name, o->name);
	}
}

static void print_all(void)
{
	printf("Usage: thpbench SUBCOMMAND [OPTION]... [ARGUMENT]...\n"
	       "What THP and DAMON do to a real database, and how sure we "
	       "are.\n\n");
	for (size_t i = 0; i < n_cmds; i++)
		printf("  %-8s %-18s %s\n", cmds[i]->name, cmds[i]->arguments,
		       cmds[i]->help);
	printf("\nthpbench SUBCOMMAND --help says more; the manuals are "
	       "thpbench(1) and\nthpbench.conf(5). Exit status: 0; 1 "
	       "regression; 2 inconclusive; 3 invalid;\n64 usage; 66 no such "
	       "input; 69 this machine cannot; 70 internal; 74 I/O;\n75 try "
	       "again; 77 not permitted; 78 bad configuration.\n");
}

static int help_main(const struct cmd *cmd, int argc, char **argv)
{
	const char *value;
	int bad;

	while (cmd_next(cmd, argc, argv, &value, &bad)) {
		print_names();
		return STATUS_OK;
	}
	if (bad)
		return bad < 0 ? STATUS_OK : bad;
	if (optind == argc) {
		print_all();
		return STATUS_OK;
	}
	for (size_t i = 0; i < n_cmds; i++) {
		if (str_eq(cmds[i]->name, argv[optind])) {
			cmd_print_help(cmds[i]);
			return STATUS_OK;
		}
	}
	return refuse(STATUS_USAGE, "no subcommand '%s'; see thpbench --help",
		      argv[optind]);
}

const struct cmd cmd_help = {
	.name = "help",
	.arguments = "[SUBCOMMAND]",
	.help = "this text, or that of one subcommand",
	.options = options,
	.main = help_main,
};
