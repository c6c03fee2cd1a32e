/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thpbench: find the subcommand and run it. */
#include <stdio.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/version.h"
#include "cmd/cmd.h"

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "help";

	if (str_eq(name, "--help") || str_eq(name, "-h"))
		name = "help";
	if (str_eq(name, "--version"))
		return printf("thpbench %s\n", VERSION_TEXT) < 0 ? STATUS_IO
								 : STATUS_OK;
	for (size_t i = 0; i < n_cmds; i++)
		if (str_eq(cmds[i]->name, name))
			return cmds[i]->main(cmds[i], argc > 1 ? argc - 1 : 1,
					     argc > 1 ? argv + 1 : argv);
	return refuse(STATUS_USAGE, "no subcommand '%s'; see thpbench --help",
		      name);
}
