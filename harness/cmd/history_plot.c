/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thpbench history plot: series as a picture. */
#include <errno.h>
#include <stdio.h>

#include "base/err.h"
#include "base/file.h"
#include "cmd/history.h"
#include "out/history_plot.h"

static int draw(const struct history_choice *c, const struct history_list *list)
{
	const char *dir = c->output ? c->output : "history";
	struct changes *all;
	int ret = file_mkdirs(dir);

	if (ret)
		return err_status(fail(ret, "history plot: %s", dir));
	changes_find(list, &c->changes, &all);
	ret = history_plot(all, list->n, dir, (enum draw_form)c->form);
	changes_free(all, list->n);
	if (ret == -ENOENT)
		return STATUS_UNAVAILABLE;
	if (ret)
		return err_status(ret);
	printf("%s/history.%s\n", dir, draw_forms[c->form]);
	return STATUS_OK;
}

int history_plot_main(const struct history_choice *c, int argc, char **argv)
{
	struct history_list list = { 0 };
	int status = history_no_argument("plot", argc, argv);

	if (!status)
		status = history_get_series(c, &list);
	if (!status && list.n > HISTORY_PLOT_MOST)
		status = refuse(STATUS_USAGE,
				"history plot: %zu series, at most %d; --host, "
				"--config, --arm and --metric choose",
				list.n, HISTORY_PLOT_MOST);
	if (!status)
		status = draw(c, &list);
	history_list_free(&list);
	return status;
}
