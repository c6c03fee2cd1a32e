/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manifest.json: there and back, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/manifest.h"

static void make_experiment(struct experiment *e)
{
	*e = (struct experiment){
		.dir = xstrdup("/tmp/x"),
		.id = xstrdup("modes-1"),
		.title = xstrdup("Modes: \"never\" and \xc3\xa4lways"),
		.config_path = xstrdup("configs/modes.conf"),
		.config_text = xstrdup("[experiment]\n\n# tab\there\ntitle=x"),
		.config_hash = xstrdup("00ff"),
		.program = xstrdup("0.1.0"),
		.created = xstrdup("2026-11-30T12:34:56Z"),
		.primary = xstrdup("tps"),
		.baseline = 1,
		.blocks = 2,
		.seed = UINT64_MAX,
	};
	facts_set(&e->server, "mariadbd", "system");
	facts_set(&e->server, "cpus", "");
	facts_set(&e->workload, "z", "1");
	facts_set(&e->workload, "a", "2");
	facts_set(&e->host, "latin", "Andr\xe9 \xff");
	e->n_arms = 2;
	e->arms = xcalloc(2, sizeof(*e->arms));
	e->arms[0].label = xstrdup("T n, D h");
	e->arms[1].label = xstrdup("T a");
	facts_set(&e->arms[1].settings, "thp", "always");
	e->n_runs = e->n_planned = 4;
	e->runs = xcalloc(4, sizeof(*e->runs));
	for (unsigned int i = 0; i < 4; i++) {
		e->runs[i].number = i + 1;
		e->runs[i].block = 1 + i / 2;
		e->runs[i].arm = i % 2;
	}
	e->n_marks = 1;
	e->marks = xcalloc(1, sizeof(*e->marks));
	e->marks[0] = xstrdup("one\ntwo");
	e->n_claims = 1;
	e->claims = xcalloc(1, sizeof(*e->claims));
	e->claims[0] = (struct claim){ xstrdup("more"), xstrdup("tps"),
				       xstrdup("T a"), xstrdup("> +1 %") };
}

static void same_facts(const struct facts *a, const struct facts *b)
{
	assert_int_equal(a->n, b->n);
	for (size_t i = 0; i < a->n; i++) {
		assert_string_equal(a->list[i].name, b->list[i].name);
		assert_string_equal(a->list[i].value, b->list[i].value);
	}
}

static void same_plan(const struct experiment *a, const struct experiment *b)
{
	assert_int_equal(a->n_arms, b->n_arms);
	for (size_t i = 0; i < a->n_arms; i++) {
		assert_string_equal(a->arms[i].label, b->arms[i].label);
		same_facts(&a->arms[i].settings, &b->arms[i].settings);
	}
	assert_int_equal(a->n_planned, b->n_planned);
	assert_int_equal(a->n_runs, b->n_runs);
	for (size_t i = 0; i < a->n_runs; i++) {
		assert_int_equal(a->runs[i].number, b->runs[i].number);
		assert_int_equal(a->runs[i].block, b->runs[i].block);
		assert_int_equal(a->runs[i].arm, b->runs[i].arm);
	}
}

static void test_there_and_back(void **state)
{
	auto_free char *text = NULL;
	auto_free char *again = NULL;
	char *why = NULL;
	struct experiment e;
	struct experiment back;

	(void)state;
	make_experiment(&e);
	text = manifest_text(&e);
	assert_int_equal(manifest_parse(text, &back, &why), 0);
	assert_null(why);
	assert_null(back.dir);
	assert_string_equal(back.id, e.id);
	assert_string_equal(back.title, e.title);
	assert_string_equal(back.config_path, e.config_path);
	assert_string_equal(back.config_text, e.config_text);
	assert_string_equal(back.config_hash, e.config_hash);
	assert_string_equal(back.program, e.program);
	assert_string_equal(back.created, e.created);
	assert_string_equal(back.primary, e.primary);
	assert_int_equal(back.baseline, e.baseline);
	assert_int_equal(back.blocks, e.blocks);
	assert_true(back.seed == e.seed);
	same_facts(&back.server, &e.server);
	same_facts(&back.workload, &e.workload);
	assert_string_equal(facts_get(&back.host, "latin"),
			    "Andr\xc3\xa9 \xc3\xbf");
	same_plan(&back, &e);
	assert_int_equal(back.n_marks, 1);
	assert_string_equal(back.marks[0], "one\ntwo");
	assert_int_equal(back.n_claims, 1);
	assert_string_equal(back.claims[0].name, "more");
	assert_string_equal(back.claims[0].metric, "tps");
	assert_string_equal(back.claims[0].arm, "T a");
	assert_string_equal(back.claims[0].expect, "> +1 %");
	again = manifest_text(&back);
	assert_string_equal(again, text);
	experiment_free(&e);
	experiment_free(&back);
}

/* One place of a good manifest is changed: what is said about it. */
struct row {
	const char *from;
	const char *to;
	int ret;
	const char *why;
};

static void check_row(void **state)
{
	const struct row *row = *state;
	auto_free char *text = NULL;
	auto_free char *why = NULL;
	auto_str struct str changed = { 0 };
	struct experiment e;
	const char *place;

	make_experiment(&e);
	text = manifest_text(&e);
	experiment_free(&e);
	place = strstr(text, row->from);
	assert_non_null(place);
	str_addn(&changed, text, (size_t)(place - text));
	str_add(&changed, row->to);
	str_add(&changed, place + strlen(row->from));
	assert_int_equal(manifest_parse(changed.text, &e, &why), row->ret);
	if (row->ret) {
		assert_string_equal(why, row->why);
		assert_null(e.id);
	}
	experiment_free(&e);
}

static void test_not_json(void **state)
{
	static const char *const texts[] = { "", "{", "[1]", "{}", "null" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		auto_free char *why = NULL;
		struct experiment e;

		assert_int_equal(manifest_parse(texts[i], &e, &why), -EIO);
		assert_non_null(why);
	}
}

#define ROW(name, ...)                                                         \
	{                                                                      \
		name, check_row, NULL, NULL, &(struct row)                     \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_there_and_back),
		cmocka_unit_test(test_not_json),
		ROW("unknown member", "\"title\"", "\"later\": [], \"title\"",
		    0, NULL),
		ROW("newer format", "\"format\": 1", "\"format\": 2", -ENOTSUP,
		    "written by a newer thpbench: format 2, this one reads up "
		    "to 1"),
		ROW("no format", "\"format\"", "\"former\"", -EIO,
		    "\"format\" is not there: no manifest of a result folder"),
		ROW("no title", "\"title\"", "\"titel\"", -EIO,
		    "\"title\" is not a text"),
		ROW("title is a number",
		    "\"created\": \"2026-11-30T12:34:56Z\"", "\"created\": 7",
		    -EIO, "\"created\" is not a text"),
		ROW("no such arm", "\"baseline\": \"T a\"",
		    "\"baseline\": \"T b\"", -EIO,
		    "\"baseline\" is not the label of an arm"),
		ROW("arm of the plan", "\"arm\": \"T a\"", "\"arm\": \"T b\"",
		    -EIO, "\"arm\" is not the label of an arm"),
		ROW("block beyond the last", "\"block\": 2", "\"block\": 3",
		    -EIO, "\"plan\" is not in order"),
		ROW("number twice", "\"run\": 2", "\"run\": 1", -EIO,
		    "\"plan\" is not in order"),
		ROW("run 0", "\"run\": 1", "\"run\": 0", -EIO,
		    "\"run\" is not a count"),
		ROW("a shard without its blocks", "\"seed\"",
		    "\"shard\": \"2/2\", \"seed\"", -EIO,
		    "\"plan\" is not that of its shard"),
		ROW("one shard that is all", "\"seed\"",
		    "\"shard\": \"1/1\", \"seed\"", 0, NULL),
		ROW("more shards than blocks", "\"seed\"",
		    "\"shard\": \"1/3\", \"seed\"", -EIO,
		    "\"shard\" is not one of the experiment: 2/3"),
		ROW("a shard that is a number", "\"seed\"",
		    "\"shard\": 2, \"seed\"", -EIO,
		    "\"shard\" is not one of the experiment: 2/3"),
		ROW("blocks too many", "\"blocks\": 2",
		    "\"blocks\": 99999999999", -EIO,
		    "\"blocks\" is not a count"),
		ROW("seed is no number", "\"18446744073709551615\"", "\"x\"",
		    -EIO, "\"seed\" is not a number as a text"),
		ROW("fact is no text", "\"mariadbd\": \"system\"",
		    "\"mariadbd\": 1", -EIO,
		    "\"server\" is not an object of texts"),
		ROW("a member twice", "\"id\"", "\"id\": \"a\", \"id\"", -EIO,
		    "line 4: duplicate object key near '\"id\"'"),
		ROW("claims may be missing", "\"claims\"", "\"claimz\"", 0,
		    NULL),
		ROW("a claim lacks a part", "\"expect\"", "\"expekt\"", -EIO,
		    "\"claims\" is not a list of claims"),
		ROW("marks may be missing", "\"marks\"", "\"marke\"", 0, NULL),
	};

	return cmocka_run_group_tests_name("manifest", tests, NULL, NULL);
}
