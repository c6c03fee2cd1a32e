/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thpbench: find the subcommand and run it. */
#include <stdio.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/std.h"
#include "base/str.h"
#include "base/version.h"
#include "cmd/cmd.h"

static int call(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "help";

	if (str_eq(name, "--help") || str_eq(name, "-h"))
		name = "help";
	if (str_eq(name, "--version")) {
		printf("thpbench %s\n", VERSION_TEXT);
		return STATUS_OK;
	}
	for (size_t i = 0; i < n_cmds; i++)
		if (str_eq(cmds[i]->name, name))
			return cmds[i]->main(cmds[i], argc > 1 ? argc - 1 : 1,
					     argc > 1 ? argv + 1 : argv);
	return cmd_refuse_name(name);
}

int main(int argc, char **argv)
{
	int ret = std_open();
	int status;

	if (ret < 0)
		return err_status(ret);
	status = call(argc, argv);
	ret = std_flush();
	if (ret < 0)
		fail(ret, "standard output");
	/* What went wrong before weighs more. */
	return ret < 0 && status <= STATUS_INVALID ? STATUS_IO : status;
}
