/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thpbench check: what this machine can run. */
#include "bench/check/check.h"

#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "cmd/check_counters.h"
#include "cmd/cmd.h"

static const struct cmd_option options[] = {
	{ "json", NULL, 0, "as JSON" },
	{ "probe", NULL, 0, "try what DAMON takes; puts its files back" },
	{ "kernel", "KERNEL", 0,
	  "for arms that name none: host, guest, a path, ..." },
	{ 0 },
};

struct choice {
	bool is_json;
	bool is_probed;
	const char *kernel; /* NULL: as configured */
};

static const char *word_of(const struct check_need *need)
{
	if (need->is_ok)
		return "ok";
	return need->is_needed ? "missing" : "missing, not needed";
}

static void print_need(const struct check_need *need)
{
	printf("%-14s %s: %s", need->name, word_of(need), need->text);
	if (need->help)
		printf("; %s", need->help);
	putchar('\n');
}

static void print_arm(const struct check_arm *arm)
{
	if (arm->why)
		printf("arm \"%s\": missing: %s%s%s\n", arm->label, arm->why,
		       arm->help ? "; " : "", arm->help ? arm->help : "");
	else
		printf("arm \"%s\": ok\n", arm->label);
}

static void print_text(const struct check *c)
{
	for (size_t i = 0; i < c->n_needs; i++)
		print_need(&c->needs[i]);
	counters_print(&c->counters);
	for (size_t i = 0; i < c->n_arms; i++)
		print_arm(&c->arms[i]);
	puts(check_is_ok(c) ? "It can run here." : "It cannot run here.");
}

static json_t *json_of_need(const struct check_need *need)
{
	json_t *one =
		json_pack("{ss sb ss}", "name", need->name, "ok", need->is_ok,
			  need->is_ok ? "found" : "missing", need->text);

	if (need->is_ok)
		return one;
	json_object_set_new(one, "needed", json_boolean(need->is_needed));
	json_object_set_new(one, "help", json_string(need->help));
	return one;
}

static json_t *json_of_arm(const struct check_arm *arm)
{
	json_t *one =
		json_pack("{ss sb}", "label", arm->label, "ok", !arm->why);

	if (arm->why)
		json_object_set_new(one, "missing", json_string(arm->why));
	if (arm->help)
		json_object_set_new(one, "help", json_string(arm->help));
	return one;
}

static json_t *json_of(const struct check *c)
{
	json_t *needs = json_array();
	json_t *arms = json_array();
	json_t *counters = counters_json(&c->counters);
	json_t *all;

	for (size_t i = 0; i < c->n_needs; i++)
		json_array_append_new(needs, json_of_need(&c->needs[i]));
	for (size_t i = 0; i < c->n_arms; i++)
		json_array_append_new(arms, json_of_arm(&c->arms[i]));
	all = json_pack("{sb so so}", "ok", check_is_ok(c), "needs", needs,
			"arms", arms);
	if (counters)
		json_object_set_new(all, "counters", counters);
	return all;
}

static void print_json(const struct check *c)
{
	json_t *json = json_of(c);
	auto_free char *text =
		json_dumps(json, JSON_INDENT(2) | JSON_ENSURE_ASCII);

	json_decref(json);
	puts(text);
}

static int check(const char *path, const struct choice *choice)
{
	struct config config = { 0 };
	struct check result;
	struct root root;
	int status = STATUS_OK;
	int ret = path ? config_read(path, &config) : 0;

	if (ret)
		return err_status(ret);
	ret = root_open(cmd_root(), &root);
	if (ret) {
		config_free(&config);
		return err_status(fail(ret, "--root %s", cmd_root()));
	}
	if (path && choice->kernel) {
		free(config.kernel);
		config.kernel = xstrdup(choice->kernel);
	}
	check_machine(&root, path ? &config : NULL, choice->is_probed, &result);
	if (choice->is_json)
		print_json(&result);
	else
		print_text(&result);
	if (!check_is_ok(&result))
		status = STATUS_UNAVAILABLE;
	check_free(&result);
	root_close(&root);
	config_free(&config);
	return status;
}

static int check_main(const struct cmd *cmd, int argc, char **argv)
{
	const struct cmd_option *o;
	const char *value;
	struct choice choice = { 0 };
	int bad;

	while ((o = cmd_next(cmd, argc, argv, &value, &bad))) {
		choice.is_json |= o == &options[0];
		choice.is_probed |= o == &options[1];
		if (o == &options[2])
			choice.kernel = value;
	}
	if (bad)
		return bad < 0 ? STATUS_OK : bad;
	if (argc - optind > 1)
		return refuse(STATUS_USAGE, "check: one configuration at a "
					    "time; see thpbench check --help");
	return check(optind < argc ? argv[optind] : NULL, &choice);
}

const struct cmd cmd_check = {
	.name = "check",
	.arguments = "[CONFIG]",
	.help = "what this machine can run, and why not",
	.options = options,
	.main = check_main,
};
