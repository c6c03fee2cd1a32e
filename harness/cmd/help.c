/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thpbench help: the subcommands, one, or all names for the checks. */
#include <getopt.h>
#include <stdio.h>

#include "base/err.h"
#include "base/str.h"
#include "bench/config/config.h"
#include "bench/probe/probe.h"
#include "cmd/cmd.h"
#include "data/metric.h"
#include "out/plot.h"
#include "out/report.h"

static const struct cmd_option options[] = {
	{ "names", NULL, 0, "all subcommands, options, tables, ..., to check" },
	{ "metrics", NULL, 0, "all metrics: name, unit, better, meaning" },
	{ 0 },
};

static void print_options(const char *who, const struct cmd_option *o)
{
	for (; o && o->name; o++)
		printf("%s --%s\n", who, o->name);
}

/* A line a name: what it is, then the name. Subcommands stand for themselves,
 * "any" for all of them. */
static void print_names(void)
{
	print_options("any", cmd_common);
	for (size_t i = 0; i < n_cmds; i++) {
		printf("%s\n", cmds[i]->name);
		print_options(cmds[i]->name, cmds[i]->options);
	}
	for (size_t i = 0; i < n_table_makers; i++)
		printf("table %s\n", table_makers[i].name);
	for (size_t i = 0; i < n_plot_makers; i++)
		printf("plot %s\n", plot_makers[i].name);
	for (size_t i = 0; i < n_probes; i++)
		printf("probe %s\n", probes[i].name);
	for (size_t i = 0; i < n_report_formats; i++)
		printf("format %s\n", report_formats[i]);
	for (size_t i = 0; i < n_metrics; i++)
		printf("metric %s\n", metrics[i].name);
	for (size_t i = 0; i < n_config_keys; i++)
		printf("key %s %s\n", config_keys[i].section,
		       config_keys[i].name);
}

static void print_metrics(void)
{
	for (size_t i = 0; i < n_metrics; i++)
		printf("%s\t%s\t%s\t%s\n", metrics[i].name, metrics[i].unit,
		       metric_better_text(metrics[i].better), metrics[i].help);
}

static void print_all(void)
{
	printf("Usage: thpbench SUBCOMMAND [OPTION]... [ARGUMENT]...\n"
	       "What THP and DAMON do to a real database, and how sure we "
	       "are.\n\n");
	for (size_t i = 0; i < n_cmds; i++)
		printf("  %-8s %-22s %s\n", cmds[i]->name, cmds[i]->arguments,
		       cmds[i]->help);
	printf("\nthpbench SUBCOMMAND --help says more; the manuals are "
	       "thpbench(1) and\nthpbench.conf(5). Exit status: 0; 1 "
	       "regression; 2 inconclusive; 3 invalid;\n64 usage; 65 bad "
	       "data; 66 no such input; 69 this machine cannot; 70 internal;\n"
	       "74 I/O; 75 try again; 77 not permitted; 78 bad "
	       "configuration.\n");
}

static int help_main(const struct cmd *cmd, int argc, char **argv)
{
	const struct cmd_option *chosen = NULL;
	const struct cmd_option *o;
	const char *value;
	int bad;

	while ((o = cmd_next(cmd, argc, argv, &value, &bad)))
		chosen = o;
	if (bad)
		return bad < 0 ? STATUS_OK : bad;
	if (argc - optind > (chosen ? 0 : 1))
		return refuse(STATUS_USAGE, "help: one subcommand at a time; "
					    "see thpbench help --help");
	if (chosen == &options[0])
		print_names();
	else if (chosen)
		print_metrics();
	if (chosen)
		return STATUS_OK;
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
	return cmd_refuse_name(argv[optind]);
}

const struct cmd cmd_help = {
	.name = "help",
	.arguments = "[SUBCOMMAND]",
	.help = "this text, or that of one subcommand",
	.options = options,
	.main = help_main,
};
