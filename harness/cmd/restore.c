/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thpbench restore: undo what a killed run left behind. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/root.h"
#include "bench/guard/undo.h"
#include "cmd/cmd.h"

static int restore(void)
{
	auto_free char *what = NULL;
	struct journal_undone done;
	struct root root;
	int ret = root_open(cmd_root(), &root);

	if (ret)
		return err_status(fail(ret, "--root %s", cmd_root()));
	ret = journal_replay(&root, false, &done);
	root_close(&root);
	if (ret == -ENOENT) {
		printf("nothing to restore\n");
		return STATUS_OK;
	}
	/* A run that is going on was not touched. */
	if (ret == -EBUSY)
		return err_status(ret);
	what = undo_text(&done);
	printf("put back: %s%s\n", what,
	       ret ? "; not all: the journal stays" : "");
	return err_status(ret);
}

static int restore_main(const struct cmd *cmd, int argc, char **argv)
{
	const char *value;
	int bad;

	/* No options of its own: this returns NULL. */
	cmd_next(cmd, argc, argv, &value, &bad);
	if (bad)
		return bad < 0 ? STATUS_OK : bad;
	if (optind != argc)
		return refuse(STATUS_USAGE, "restore: takes no argument; see "
					    "thpbench restore --help");
	return restore();
}

const struct cmd cmd_restore = {
	.name = "restore",
	.arguments = "",
	.help = "undo what a killed run left behind",
	.main = restore_main,
};
