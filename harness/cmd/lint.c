/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thpbench lint: what a reviewer would find in the tables of a letter. */
#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "cmd/cmd.h"
#include "data/lint/lint.h"

static const struct cmd_option options[] = {
	{ "json", NULL, 0, "findings as JSON" },
	{ 0 },
};

static void print_text(const char *name, const struct lint *l)
{
	for (size_t i = 0; i < l->n; i++)
		printf("%s:%zu: %s: %s\n", name, l->list[i].line,
		       l->list[i].rule, l->list[i].text);
}

static json_t *text_json(const char *text)
{
	json_t *json = json_string(text);

	return json ? json : json_string("(no UTF-8)");
}

static void print_json(const char *name, const struct lint *l)
{
	json_t *top = json_object();
	json_t *list = json_array();
	auto_free char *text = NULL;

	for (size_t i = 0; i < l->n; i++) {
		json_t *item = json_object();

		json_object_set_new(item, "line",
				    json_integer((json_int_t)l->list[i].line));
		json_object_set_new(item, "rule", json_string(l->list[i].rule));
		json_object_set_new(item, "text", text_json(l->list[i].text));
		json_array_append_new(list, item);
	}
	json_object_set_new(top, "file", text_json(name));
	json_object_set_new(top, "tables",
			    json_integer((json_int_t)l->n_tables));
	json_object_set_new(top, "findings", list);
	text = json_dumps(top, JSON_INDENT(1));
	json_decref(top);
	printf("%s\n", text);
}

static int read_letter(const char *name, char **text, size_t *n)
{
	int ret;

	if (str_eq(name, "-"))
		ret = file_read_fd(STDIN_FILENO, text, n);
	else
		ret = file_read(name, text, n);
	return ret ? fail(ret, "lint: read %s", name) : 0;
}

static int lint_main(const struct cmd *cmd, int argc, char **argv)
{
	auto_free char *text = NULL;
	bool is_json = false;
	const char *value;
	int status = STATUS_OK;
	struct lint found;
	size_t n;

	while (!status && cmd_next(cmd, argc, argv, &value, &status))
		is_json = true;
	if (!status && argc - optind != 1)
		status = refuse(STATUS_USAGE, "lint: one FILE is wanted, or "
					      "- for standard input; see "
					      "thpbench lint --help");
	if (status)
		return status < 0 ? STATUS_OK : status;
	status = err_status(read_letter(argv[optind], &text, &n));
	if (status)
		return status;
	if (strlen(text) != n)
		return refuse(STATUS_DATA,
			      "lint: %s: a NUL byte in it: no text",
			      argv[optind]);
	lint_text(text, &found);
	if (is_json)
		print_json(argv[optind], &found);
	else
		print_text(argv[optind], &found);
	status = found.n ? STATUS_REGRESSION : STATUS_OK;
	lint_free(&found);
	return status;
}

const struct cmd cmd_lint = {
	.name = "lint",
	.arguments = "FILE|-",
	.help = "what is wrong with the tables of a letter",
	.options = options,
	.main = lint_main,
};
