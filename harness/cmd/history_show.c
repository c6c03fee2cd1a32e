/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thpbench history list, show: what is stored. */
#include <stdio.h>

#include "base/err.h"
#include "base/str.h"
#include "cmd/history.h"
#include "out/history.h"

int history_no_argument(const char *word, int argc, char **argv)
{
	return argc ? refuse(STATUS_USAGE, "history %s: takes no '%s'", word,
			     argv[0])
		    : STATUS_OK;
}

int history_get_series(const struct history_choice *c, struct history_list *out)
{
	struct history h;
	int ret;

	*out = (struct history_list){ 0 };
	ret = history_open(c->store, false, &h);
	if (!ret)
		ret = history_read(&h, &c->filter, out);
	history_close(&h);
	if (ret)
		return err_status(ret);
	if (!out->n)
		return refuse(STATUS_NO_INPUT,
			      "history: no such series; see thpbench history "
			      "list, or --metric all");
	return STATUS_OK;
}

static void print_table(const struct history_choice *c, struct table *t)
{
	auto_str struct str out = { 0 };

	history_print(t, c->format, &out);
	fputs(out.text, stdout);
	table_free(t);
}

int history_list_main(const struct history_choice *c, int argc, char **argv)
{
	struct history_experiments x = { 0 };
	struct history_pins pins = { 0 };
	struct history h;
	struct table t;
	int ret = history_no_argument("list", argc, argv);

	if (ret)
		return ret;
	ret = history_open(c->store, false, &h);
	if (!ret)
		ret = history_experiments(&h, &c->filter, &x);
	if (!ret)
		ret = history_pins(&h, NULL, &c->filter, &pins);
	history_close(&h);
	if (!ret) {
		history_table_experiments(&x, &t);
		print_table(c, &t);
	}
	if (!ret && pins.n && c->format != TABLE_JSON) {
		putchar('\n');
		history_table_pins(&pins, &t);
		print_table(c, &t);
	}
	history_experiments_free(&x);
	history_pins_free(&pins);
	return ret ? err_status(ret) : STATUS_OK;
}

int history_show_main(const struct history_choice *c, int argc, char **argv)
{
	struct history_list list = { 0 };
	struct table t;
	int status = history_no_argument("show", argc, argv);

	if (!status)
		status = history_get_series(c, &list);
	if (!status) {
		history_table_points(&list, &t);
		print_table(c, &t);
	}
	history_list_free(&list);
	return status;
}
