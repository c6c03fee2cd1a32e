/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thpbench server: MariaDB servers of other suites of Debian. */
#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench/server/servers.h"
#include "cmd/cmd.h"
#include "cmd/load.h"

static const struct cmd_option options[] = {
	{ "json", NULL, 0, "list as JSON" },
	{ 0 },
};

static void tell(const char *what)
{
	fprintf(stderr, "thpbench: %s\n", what);
}

static void print_server(const struct fetched_server *s)
{
	printf("debian:%s\t%s\t%s\n", s->suite, facts_get(&s->info, "version"),
	       s->dir);
}

static int fetch(bool is_json, int argc, char **argv)
{
	struct fetched_server s;
	bool was_there;
	int ret;

	(void)is_json;
	if (argc > 1)
		return refuse(STATUS_USAGE, "server fetch: one suite at most");
	ret = server_fetch(argc ? argv[0] : server_default_suite, tell, &s,
			   &was_there);
	if (ret)
		return err_status(ret);
	fprintf(stderr, "thpbench: mariadbd = debian:%s %s\n", s.suite,
		was_there ? "was there already" : "fetched");
	print_server(&s);
	fetched_server_free(&s);
	return STATUS_OK;
}

static void print_json(const struct fetched_servers *all)
{
	json_t *list = json_array();
	auto_free char *text = NULL;

	for (size_t i = 0; i < all->n; i++) {
		const struct fetched_server *s = &all->list[i];
		json_t *one = json_pack("{ss}", "dir", s->dir);

		json_object_set_new(one, "mariadbd",
				    json_sprintf("debian:%s", s->suite));
		for (size_t k = 0; k < s->info.n; k++)
			json_object_set_new(one, s->info.list[k].name,
					    json_string(s->info.list[k].value));
		json_array_append_new(list, one);
	}
	text = json_dumps(list, JSON_INDENT(2) | JSON_ENSURE_ASCII);
	json_decref(list);
	puts(text);
}

static int list(bool is_json, int argc, char **argv)
{
	struct fetched_servers all;
	int ret;

	(void)argv;
	if (argc)
		return refuse(STATUS_USAGE, "server list: takes no argument");
	ret = servers_read(&all);
	if (ret)
		return err_status(ret);
	if (is_json)
		print_json(&all);
	else if (!all.n)
		puts("no server in the cache; thpbench server fetch gets one");
	for (size_t i = 0; i < all.n && !is_json; i++)
		print_server(&all.list[i]);
	servers_free(&all);
	return STATUS_OK;
}

static const struct word {
	struct cmd_word word;
	int (*main)(bool is_json, int argc, char **argv);
} words[] = {
	{ { "fetch", "[SUITE]", "get one into the cache" }, fetch },
	{ { "list", "", "the servers in the cache" }, list },
};

static int server_main(const struct cmd *cmd, int argc, char **argv)
{
	const char *value;
	bool is_json = false;
	size_t i;
	int bad;

	while (cmd_next(cmd, argc, argv, &value, &bad))
		is_json = true;
	if (bad)
		return bad < 0 ? STATUS_OK : bad;
	bad = cmd_choose_word(cmd, optind < argc ? argv[optind] : NULL, &i);
	if (bad)
		return bad;
	return words[i].main(is_json, argc - optind - 1, argv + optind + 1);
}

const struct cmd cmd_server = {
	.name = "server",
	.arguments = "WORD ...",
	.help = "MariaDB servers of other suites of Debian",
	.options = options,
	.words = CMD_ROWS(words, ARRAY_SIZE(words)),
	.main = server_main,
};
