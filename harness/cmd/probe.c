/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thpbench probe: small tests of this machine and its kernel. */
#include "cmd/probe.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "cmd/cmd.h"
#include "out/answers.h"

enum option_name {
	OPTION_KERNEL,
	OPTION_OUTPUT,
	OPTION_COMPARE,
	OPTION_JSON,
};

static const struct cmd_option options[] = {
	[OPTION_KERNEL] = { "kernel", "KERNEL", 0,
			    "host, guest, a name of guest list, or an image" },
	[OPTION_OUTPUT] = { "output", "FILE", 'o', "keep the answers there" },
	[OPTION_COMPARE] = { "compare", NULL, 0,
			     "A B: what differs between two kernels, or "
			     "files" },
	[OPTION_JSON] = { "json", NULL, 0, "print JSON" },
	{ 0 },
};

static void print(const struct probe_choice *c, const struct answers *a)
{
	auto_str struct str text = { 0 };
	struct table t;

	if (c->is_json) {
		auto_free char *json = answers_format(a);

		fputs(json, stdout);
		return;
	}
	answers_table(a, &t);
	table_print(&t, "", TABLE_TEXT, &text);
	fputs(text.text, stdout);
	table_free(&t);
}

/* What is wrong weighs more than that nothing could be found out. */
static int status_of(const struct answers *a)
{
	size_t n_missing = 0;

	for (size_t i = 0; i < a->n; i++) {
		if (a->list[i].state == ANSWER_WRONG)
			return STATUS_REGRESSION;
		n_missing += a->list[i].state == ANSWER_MISSING;
	}
	return n_missing == a->n ? STATUS_UNAVAILABLE : STATUS_OK;
}

static int keep(const struct probe_choice *c, const struct answers *a)
{
	auto_free char *text = answers_format(a);
	int ret = file_publish(c->output, text);

	return ret ? err_status(fail(ret, "write %s", c->output)) : STATUS_OK;
}

static int ask(const struct probe_choice *c)
{
	struct answers a;
	int status = probe_answers(c, c->kernel ? c->kernel : "host", &a);
	int kept = STATUS_OK;

	if (status)
		return status;
	print(c, &a);
	if (c->output)
		kept = keep(c, &a);
	status = kept ? kept : status_of(&a);
	answers_free(&a);
	return status;
}

/* Those named, each once, in the order of the table; all if none is. */
static int choose(struct probe_choice *c, int argc, char **argv)
{
	c->list = xcalloc(n_probes, sizeof(const struct probe *));
	for (int i = 0; i < argc; i++)
		if (!probe_find(argv[i]))
			return STATUS_USAGE;
	for (size_t p = 0; p < n_probes; p++) {
		bool is_chosen = !argc;

		for (int i = 0; i < argc; i++)
			is_chosen |= str_eq(argv[i], probes[p].name);
		if (is_chosen)
			c->list[c->n++] = &probes[p];
	}
	return STATUS_OK;
}

static int call(struct probe_choice *c, int argc, char **argv)
{
	int skipped = c->is_compared ? 2 : 0;
	int bad;

	if (argc < skipped)
		return refuse(STATUS_USAGE,
			      "probe: --compare wants two, A and B: kept "
			      "files, host, guest, or kernels");
	if (c->is_compared && (c->kernel || c->output))
		return refuse(STATUS_USAGE,
			      "probe: --compare names its kernels itself, and "
			      "keeps nothing: without --kernel and --output");
	bad = choose(c, argc - skipped, argv + skipped);
	if (bad)
		return bad;
	return c->is_compared ? probe_compare(c, argv[0], argv[1]) : ask(c);
}

static int probe_main(const struct cmd *cmd, int argc, char **argv)
{
	struct probe_choice c = { 0 };
	const struct cmd_option *o;
	const char *value;
	int bad;

	while ((o = cmd_next(cmd, argc, argv, &value, &bad))) {
		switch ((enum option_name)(o - options)) {
		case OPTION_KERNEL:
			c.kernel = value;
			break;
		case OPTION_OUTPUT:
			c.output = value;
			break;
		case OPTION_COMPARE:
			c.is_compared = true;
			break;
		case OPTION_JSON:
			c.is_json = true;
			break;
		}
	}
	if (bad)
		return bad < 0 ? STATUS_OK : bad;
	bad = call(&c, argc - optind, argv + optind);
	free(c.list);
	return bad;
}

const struct cmd cmd_probe = {
	.name = "probe",
	.arguments = "[A B] [NAME]...",
	.help = "what does this kernel do? small tests",
	.options = options,
	.main = probe_main,
};
