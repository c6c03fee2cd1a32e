/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a good configuration becomes. Bad ones: tests/e2e/bad-configs.sh. */
#include "bench/config/config.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/root.h"
#include "base/str.h"
#include "bench/collect/collect.h"
#include "bench/config/config_key.h"

/* Behind base/err.h: it has a fail() too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define ARM "\n[arm \"a\"]\nthp = never\n"

/* One key, and what is then in effect; NULL: the key is refused. */
struct row {
	const char *section;
	const char *keys;
	const char *name;
	const char *value;
};

static void check_row(void **state)
{
	const struct row *row = *state;
	auto_free char *text =
		xasprintf("[%s]\n%s\n" ARM, row->section, row->keys);
	struct config c;
	int ret;

	err_quiet(1);
	ret = config_parse("x.conf", text, &c);
	if (!row->value) {
		assert_int_equal(ret, -EBADMSG);
		return;
	}
	if (ret)
		fail_msg("%s", err_last());
	assert_string_equal(facts_get(&c.keys, row->name), row->value);
	config_free(&c);
}

static void check_types(void **state)
{
	static const char text[] = "\xef\xbb\xbf; all types\r\n"
				   "[experiment]\r\n"
				   "\ttitle = A: b = c ; a comment\r\n"
				   "    blocks = 3\n"
				   "seed = 0xffffffffffffffff\n"
				   "primary=latency_p95_ms\n"
				   "baseline = T a, D n\n"
				   "[server]\n"
				   "mariadbd = /opt/x/mariadbd\n"
				   "buffer_pool = 1.5G\n"
				   "cpus = 0-3,8\n"
				   "client_cpus = 9\n"
				   "numa_node = 1\n"
				   "thp_disable = keep\n"
				   "drop_caches = yes\n"
				   "my.innodb_io_capacity = 400\n"
				   "[workload]\n"
				   "script = ./own.lua\n"
				   "tables = 20\n"
				   "table_size = 2000000000\n"
				   "threads = 32\n"
				   "rand_type = special\n"
				   "rand_spec_pct = 5\n"
				   "opt.range_size = 10\n"
				   "load = 500ms\n"
				   "settle = until-stable 1m30s\n"
				   "measure = 2h\n"
				   "[collect]\n"
				   "interval = 250ms\n"
				   "budget = 2.5%\n"
				   "off = psi mthp\n"
				   "# a comment\n"
				   "[arm \"T n, D n\"] ; a comment\n"
				   "thp = never\n"
				   "[ arm \"T a, D n\" ]\n"
				   "thp = always\n"
				   "damos = madvise-collapse\n"
				   "env.A_1 = b c\n";
	struct config c;

	(void)state;
	assert_int_equal(config_parse("dir/x.conf", text, &c), 0);
	assert_string_equal(c.path, "dir/x.conf");
	assert_string_equal(c.text, text);
	assert_string_equal(c.title, "A: b = c");
	assert_int_equal(c.blocks, 3);
	assert_true(c.seed == UINT64_MAX);
	assert_int_equal(c.baseline, 1);
	assert_string_equal(c.primary, "latency_p95_ms");
	assert_string_equal(c.server.mariadbd, "/opt/x/mariadbd");
	assert_true(c.server.buffer_pool_bytes == 1536 * NUM_MIB);
	assert_string_equal(c.server.cpus, "0-3,8");
	assert_string_equal(c.server.client_cpus, "9");
	assert_int_equal(c.server.numa_node, 1);
	assert_int_equal(c.server.thp_disable, THP_DISABLE_KEEP);
	assert_true(c.server.drop_caches);
	assert_false(c.server.compact_memory);
	assert_string_equal(facts_get(&c.server.variables,
				      "innodb_io_capacity"),
			    "400");
	assert_int_equal(c.workload.program, WORKLOAD_SYSBENCH);
	assert_string_equal(c.workload.script, "./own.lua");
	assert_int_equal(c.workload.tables, 20);
	assert_int_equal(c.workload.table_size, 2000000000);
	assert_int_equal(c.workload.threads, 32);
	assert_string_equal(c.workload.rand_type, "special");
	assert_int_equal(c.workload.options.n, 2);
	assert_string_equal(facts_get(&c.workload.options, "rand_spec_pct"),
			    "5");
	assert_string_equal(facts_get(&c.workload.options, "range_size"), "10");
	assert_true(c.workload.load_ns == 500 * NUM_NS_PER_MS);
	assert_true(c.workload.settle_until_stable);
	assert_true(c.workload.settle_ns == 90 * NUM_NS_PER_S);
	assert_true(c.workload.measure_ns == 7200 * NUM_NS_PER_S);
	assert_true(c.collect.interval_ns == 250 * NUM_NS_PER_MS);
	assert_true(c.collect.budget_pct > 2.49 && c.collect.budget_pct < 2.51);
	assert_string_equal(c.collect.off, "psi mthp");
	assert_int_equal(c.n_arms, 2);
	assert_string_equal(c.arms[0].label, "T n, D n");
	assert_int_equal(c.arms[0].line, 33);
	assert_int_equal(c.arms[0].damos, DAMOS_NONE);
	assert_int_equal(c.arms[1].damos, DAMOS_MADVISE_COLLAPSE);
	assert_string_equal(facts_get(&c.arms[1].env, "A_1"), "b c");
	config_free(&c);
}

static void check_defaults(void **state)
{
	struct config c;

	(void)state;
	assert_int_equal(config_parse("dir/some.name.conf", ARM, &c), 0);
	assert_string_equal(c.title, "some.name");
	assert_int_equal(c.blocks, 5);
	assert_int_equal(c.seed, 1);
	assert_int_equal(c.baseline, 0);
	assert_string_equal(c.primary, "tps");
	assert_string_equal(c.server.mariadbd, "system");
	assert_true(c.server.buffer_pool_bytes == 0);
	assert_null(c.server.cpus);
	assert_int_equal(c.server.numa_node, -1);
	assert_int_equal(c.server.thp_disable, THP_DISABLE_BLOCK);
	assert_string_equal(c.workload.rand_type, "uniform");
	assert_int_equal(c.workload.options.n, 0);
	assert_null(c.workload.memtouch_pattern);
	assert_true(c.collect.interval_ns == NUM_NS_PER_S);
	assert_null(c.collect.off);
	config_free(&c);
}

/* [arm *] comes first, an arm's own keys win, a path is there once. */
static void check_all_arms(void **state)
{
	static const char text[] = "[arm \"a\"]\n"
				   "thp.enabled = always\n"
				   "[arm *]\n"
				   "thp = never\n"
				   "thp.khugepaged.pages_to_scan = 8\n"
				   "damos = madvise-collapse\n"
				   "env.X = 1\n"
				   "[arm \"b\"]\n"
				   "damos = none\n"
				   "sysctl.vm.swappiness = 0\n"
				   "env.X = 2\n";
	struct config c;
	const struct arm *a;

	(void)state;
	assert_int_equal(config_parse("x.conf", text, &c), 0);
	assert_int_equal(c.n_arms, 2);
	a = &c.arms[0];
	assert_int_equal(a->n_knobs, 2);
	assert_string_equal(a->knobs[0].path,
			    "sys/kernel/mm/transparent_hugepage/enabled");
	assert_string_equal(a->knobs[0].key, "thp.enabled");
	assert_string_equal(a->knobs[0].value, "always");
	assert_int_equal(a->knobs[0].line, 2);
	assert_string_equal(a->knobs[1].value, "8");
	assert_int_equal(a->damos, DAMOS_MADVISE_COLLAPSE);
	assert_string_equal(facts_get(&a->keys, "thp.enabled"), "always");
	assert_string_equal(facts_get(&a->keys, "thp"), "");
	assert_string_equal(facts_get(&a->keys, "damos"), "madvise-collapse");
	assert_string_equal(facts_get(&a->keys, "env.X"), "1");
	a = &c.arms[1];
	assert_int_equal(a->n_knobs, 3);
	assert_string_equal(a->knobs[2].path, "proc/sys/vm/swappiness");
	assert_int_equal(a->damos, DAMOS_NONE);
	assert_string_equal(facts_get(&a->env, "X"), "2");
	config_free(&c);
}

struct hash_row {
	const char *left;
	const char *right;
	int is_same;
};

static void check_hash(void **state)
{
	const struct hash_row *row = *state;
	struct config a;
	struct config b;

	assert_int_equal(config_parse("a.conf", row->left, &a), 0);
	assert_int_equal(config_parse("b.conf", row->right, &b), 0);
	assert_int_equal(strlen(a.hash), 16);
	assert_int_equal(str_eq(a.hash, b.hash), row->is_same);
	config_free(&a);
	config_free(&b);
}

static void check_section(void **state)
{
	struct facts got = { 0 };
	struct config c;

	(void)state;
	assert_int_equal(config_parse("x.conf",
				      "[workload]\nprogram = memtouch\n" ARM,
				      &c),
			 0);
	config_section(&c, "workload", &got);
	assert_string_equal(facts_get(&got, "memtouch_bytes"), "256M");
	assert_string_equal(facts_get(&got, "threads"), "4");
	/* What means nothing is not there. */
	assert_string_equal(facts_get(&got, "tables"), "");
	assert_string_equal(facts_get(&got, "blocks"), "");
	facts_free(&got);
	config_free(&c);
}

/* Each key has what the manual and the messages need. */
static void check_table(void **state)
{
	(void)state;
	assert_true(n_config_keys > 40);
	for (size_t i = 0; i < n_config_keys; i++) {
		const struct config_key *k = &config_keys[i];

		assert_non_null(k->section);
		assert_non_null(k->help);
		assert_non_null(k->type);
		assert_true(!k->least == !k->most);
		for (size_t j = 0; j < i; j++)
			assert_false(
				str_eq(k->name, config_keys[j].name) &&
				str_eq(k->section, config_keys[j].section));
	}
}

/* Their messages: tests/e2e/bad-configs.sh. */
static void check_bad(void **state)
{
	static const char dir[] = "tests/bad-configs";
	struct root root;
	char **names;
	size_t n;

	(void)state;
	err_quiet(1);
	assert_int_equal(root_open(".", &root), 0);
	assert_int_equal(root_list(&root, dir, &names, &n), 0);
	assert_true(n >= 60);
	for (size_t i = 0; i < n; i++) {
		auto_free char *path = xasprintf("%s/%s", dir, names[i]);
		struct config c;

		if (config_read(path, &c) != -EBADMSG)
			fail_msg("%s is not refused", path);
		/* Nothing is left in it. */
		assert_null(c.text);
		assert_int_equal(c.n_arms, 0);
		config_free(&c);
	}
	root_list_free(names, n);
	root_close(&root);
}

/* The line of the manual that a row of the table asks for. */
static char *manual_line(const struct config_key *k)
{
	struct str s = { 0 };
	bool is_family = str_ends(k->name, ".");

	str_addf(&s, "\n*%s*%s = _%s_", k->name, is_family ? "_NAME_" : "",
		 k->type->name);
	if (k->least)
		str_addf(&s, ", %s to %s", k->least, k->most);
	for (size_t i = 0; k->words && k->type != &type_bool && k->words[i];
	     i++)
		str_addf(&s, "%s%s", i ? ", " : ": ", k->words[i]);
	if (k->value)
		str_addf(&s, "; default %s", k->value);
	str_add(&s, "\n");
	return str_steal(&s);
}

/* Types, ranges, words and defaults are those of the program. */
static void check_manual(void **state)
{
	auto_free char *text = NULL;

	(void)state;
	assert_int_equal(file_read("man/thpbench.conf.5.scd", &text, NULL), 0);
	for (size_t i = 0; i < n_config_keys; i++) {
		auto_free char *line = manual_line(&config_keys[i]);

		if (!strstr(text, line))
			fail_msg("the manual has no line%s", line);
	}
}

/* What a reader copies from it works. */
static void check_manual_example(void **state)
{
	auto_free char *text = NULL;
	struct config c;
	char *start;
	char *end;

	(void)state;
	assert_int_equal(file_read("man/thpbench.conf.5.scd", &text, NULL), 0);
	start = strstr(text, "# EXAMPLES");
	start = start ? strstr(start, "```\n") : NULL;
	assert_non_null(start);
	end = strstr(start + 4, "```");
	assert_non_null(end);
	*end = '\0';
	assert_int_equal(config_parse("example", start + 4, &c), 0);
	assert_int_equal(c.n_arms, 3);
	assert_int_equal(c.arms[0].n_knobs, 2);
	config_free(&c);
}

/* The words of [collect] off are the collectors that there are. */
static void check_collectors(void **state)
{
	const struct config_key *off = config_key_find("collect", "off");
	size_t n = 0;

	(void)state;
	assert_non_null(off);
	while (off->words[n])
		n++;
	assert_int_equal(n, n_collectors);
	for (size_t i = 0; i < n; i++)
		assert_string_equal(off->words[i], collectors[i]->name);
}

static void check_keep(void **state)
{
	static const char text[] = "[experiment]\nbaseline = b\n"
				   "[arm \"a\"]\nthp = never\n"
				   "[arm \"b\"]\nthp = madvise\n"
				   "[arm \"c\"]\nthp = always\n";
	static const char *const with[] = { "c", "b" };
	static const char *const without[] = { "c", "a" };
	struct config c;

	(void)state;
	err_quiet(1);
	assert_int_equal(config_parse("x.conf", text, &c), 0);
	config_keep_arms(&c, with, 2);
	assert_int_equal(c.n_arms, 2);
	assert_string_equal(c.arms[0].label, "b");
	assert_string_equal(c.arms[1].label, "c");
	assert_int_equal(c.baseline, 0);
	config_free(&c);
	assert_int_equal(config_parse("x.conf", text, &c), 0);
	config_keep_arms(&c, without, 2);
	assert_string_equal(c.arms[0].label, "a");
	assert_string_equal(c.arms[1].label, "c");
	assert_int_equal(c.baseline, 0);
	config_free(&c);
}

static void check_read(void **state)
{
	struct config c;

	(void)state;
	err_quiet(1);
	assert_int_equal(config_read("no/such/file.conf", &c), -ENOENT);
	assert_int_equal(config_read(".", &c), -EISDIR);
	assert_string_equal(err_last(), "read .: Is a directory");
	assert_int_equal(config_read("/proc/self/environ", &c), -EBADMSG);
}

#define ROW(what, ...)                                                         \
	{                                                                      \
		what, check_row, NULL, NULL, &(struct row)                     \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define HASH(what, ...)                                                        \
	{                                                                      \
		what, check_hash, NULL, NULL, &(struct hash_row)               \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

/* aa = yes: the baseline's arm once more, with all that [arm *] gives it. */
static void check_aa(void **state)
{
	static const char text[] =
		"[experiment]\naa = yes\nbaseline = b\n"
		"margin = 2.5%\n[arm *]\n"
		"thp.defrag = never\n" ARM "[arm \"b\"]\nthp = always\n";
	const char *const first[] = { "a" };
	struct config c;

	(void)state;
	assert_int_equal(config_parse("x.conf", text, &c), 0);
	assert_int_equal(c.n_arms, 3);
	assert_string_equal(c.arms[2].label, CONFIG_AA);
	assert_int_equal(c.arms[2].n_knobs, c.arms[1].n_knobs);
	for (size_t i = 0; i < c.arms[1].n_knobs; i++) {
		assert_string_equal(c.arms[2].knobs[i].path,
				    c.arms[1].knobs[i].path);
		assert_string_equal(c.arms[2].knobs[i].value,
				    c.arms[1].knobs[i].value);
	}
	assert_int_equal(c.baseline, 1);
	assert_true(c.margin_pct > 2.49 && c.margin_pct < 2.51);
	assert_true(c.has_aa);
	err_quiet(1);
	config_keep_arms(&c, first, 1);
	assert_false(c.has_aa);
	config_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(check_types),
		cmocka_unit_test(check_defaults),
		cmocka_unit_test(check_all_arms),
		cmocka_unit_test(check_section),
		cmocka_unit_test(check_table),
		cmocka_unit_test(check_read),
		cmocka_unit_test(check_bad),
		cmocka_unit_test(check_manual),
		cmocka_unit_test(check_manual_example),
		cmocka_unit_test(check_collectors),
		cmocka_unit_test(check_keep),
		cmocka_unit_test(check_aa),
		HASH("comments and blanks", "#x\n[arm \"a\"]\nthp=never\n",
		     "\n[ arm \"a\" ]\n  thp  =  never ; y\n\n", 1),
		HASH("another value", "[arm \"a\"]\nthp=never\n",
		     "[arm \"a\"]\nthp=always\n", 0),
		HASH("another label", "[arm \"a\"]\nthp=never\n",
		     "[arm \"b\"]\nthp=never\n", 0),
		HASH("a claim", "[arm \"a\"]\nthp=never\n",
		     "[arm \"a\"]\nthp=never\n[claim \"c\"]\nmetric=tps\n"
		     "arm=a\nexpect=> 0\n",
		     1),
		HASH("all arms, or one", "[arm \"a\"]\n[arm *]\nthp=never\n",
		     "[arm *]\n[arm \"a\"]\nthp=never\n", 0),
		ROW("pool auto", "server", "buffer_pool = auto",
		    "server.buffer_pool", "auto"),
		ROW("pool least", "server", "buffer_pool = 8M",
		    "server.buffer_pool", "8M"),
		ROW("pool too small", "server", "buffer_pool = 8191k", NULL,
		    NULL),
		ROW("node any", "server", "numa_node = any", "server.numa_node",
		    "any"),
		ROW("node below 0", "server", "numa_node = -1", NULL, NULL),
		ROW("settle 0", "workload", "settle = 0s", "workload.settle",
		    "0s"),
		ROW("settle without a unit", "workload",
		    "settle = until-stable 3", NULL, NULL),
		ROW("settle run together", "workload",
		    "settle = until-stable3s", NULL, NULL),
		ROW("no budget", "collect", "budget = 0", "collect.budget",
		    "0"),
		ROW("off twice", "collect", "off = psi  cpu", "collect.off",
		    "psi  cpu"),
		ROW("hot range", "workload", "script = hot-range",
		    "workload.hot_share", "90%"),
		ROW("no hot range", "workload", "script = oltp_read_only",
		    "workload.hot_share", ""),
		ROW("off in place", "workload",
		    "program = null\ndry_run = no\nrand_type = uniform",
		    "workload.program", "null"),
		ROW("reuse, own script", "workload",
		    "script = a.lua\nreuse_data = yes", "workload.reuse_data",
		    "yes"),
		ROW("reuse, writing script", "workload",
		    "script = oltp_write_only\nreuse_data = yes", NULL, NULL),
		ROW("arms differ by a value of env", "collect",
		    "[arm \"b\"]\nthp = never\nenv.X = 1\n"
		    "[arm \"c\"]\nthp = never\nenv.X = 2",
		    "collect.interval", "1s"),
		ROW("arms differ by a name of env", "collect",
		    "[arm \"b\"]\nthp = never\nenv.X = 1\n"
		    "[arm \"c\"]\nthp = never\nenv.Y = 1",
		    "collect.interval", "1s"),
		ROW("arms differ by a file", "collect",
		    "[arm \"b\"]\nthp.defrag = never\n"
		    "[arm \"c\"]\nthp.shmem_enabled = never",
		    "collect.interval", "1s"),
		ROW("a colon for =", "workload", "threads: 2",
		    "workload.threads", "2"),
		ROW("not a comment", "workload", "threads = 2;3", NULL, NULL),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
