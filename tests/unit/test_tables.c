/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every table, in every form, of experiments that are whole and that are not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>
#include <math.h>

#include "base/mem.h"
#include "base/num.h"
#include "data/metric.h"
#include "data/summary.h"
#include "out/report.h"
#include "out/wrap.h"

/* What sort of experiment. */
struct sort {
	const char *title;
	const char *labels[12];
	unsigned int blocks;
	enum run_state state; /* of every run */
	bool has_runs;
	bool has_values;
	bool has_streams;
};

static double figure_of(const struct metric *m, unsigned int block, size_t arm)
{
	double wobble = 1 + 0.01 * block + 0.005 * (double)arm;

	return (str_eq(m->unit, "bytes") ? 3e8 : 123.456) * wobble;
}

static void add_values(struct run *run)
{
	run->values = xcalloc(n_metrics, sizeof(*run->values));
	for (size_t i = 0; i < n_metrics; i++)
		run->values[i] = (struct value){
			.is_there = true,
			.number = figure_of(&metrics[i], run->block, run->arm),
		};
}

static void add_samples(struct run *run)
{
	static const char *const names[] = { "t_s", "rss_bytes", "huge_bytes" };
	/* The amount of huge pages; the second to last is not there. */
	static const double huge[] = { 0,    0,           4096,
				       4096, (double)NAN, 64 * 1048576. };
	struct series *s = &run->samples;

	s->n_columns = ARRAY_SIZE(names);
	s->columns = xcalloc(s->n_columns, sizeof(*s->columns));
	for (size_t i = 0; i < s->n_columns; i++)
		s->columns[i] = xstrdup(names[i]);
	s->n_rows = ARRAY_SIZE(huge);
	s->cells = xcalloc(s->n_rows * s->n_columns, sizeof(*s->cells));
	for (size_t i = 0; i < s->n_rows; i++) {
		s->cells[3 * i] = (double)i;
		s->cells[3 * i + 1] = 256 * 1048576.;
		s->cells[3 * i + 2] = huge[i];
	}
}

static void add_mappings(struct run *run)
{
	static const struct mapping list[] = {
		{ (char *)"buffer pool", NULL, 1 << 30, 1 << 29, 1 << 28 },
		{ (char *)"[heap]", NULL, 1 << 24, 1 << 23, 0 },
		{ (char *)"libc.so.6", NULL, 1 << 21, 1 << 12, 0 },
		{ (char *)"[heap]", NULL, 0, 0, 0 },
	};

	run->at_end.n = ARRAY_SIZE(list);
	run->at_end.list = xcalloc(run->at_end.n, sizeof(*list));
	for (size_t i = 0; i < run->at_end.n; i++) {
		run->at_end.list[i] = list[i];
		run->at_end.list[i].name = xstrdup(list[i].name);
		run->at_end.list[i].range = xstrdup("1000-2000");
	}
}

static void add_setting(struct run *run, const char *path, const char *asked,
			const char *read_back)
{
	XGROW(run->settings, run->n_settings);
	run->settings[run->n_settings++] = (struct setting_record){
		.path = xstrdup(path),
		.before = xstrdup("before"),
		.asked = xstrdup(asked),
		.read_back = xstrdup(read_back),
		.after = xstrdup("before"),
	};
}

static void add_streams(struct run *run)
{
	static const char thp[] = "sys/kernel/mm/transparent_hugepage/";
	auto_free char *enabled = xasprintf("%senabled", thp);
	auto_free char *defrag = xasprintf("%sdefrag", thp);
	auto_free char *pages = xasprintf("%skhugepaged/pages_to_scan", thp);

	add_samples(run);
	add_mappings(run);
	add_setting(run, enabled, run->arm ? "always" : "never",
		    run->arm ? "always" : "never");
	add_setting(run, defrag, "madvise", "madvise");
	add_setting(run, pages, "4096", run->block == 2 ? "512" : "4096");
	add_setting(run, "proc/sys/vm/swappiness", "", "60");
	run->n_events = 4;
	run->events = xcalloc(4, sizeof(*run->events));
	run->events[0] = (struct event){ 0, xstrdup("phase"), xstrdup("load") };
	run->events[1] =
		(struct event){ 3, xstrdup("phase"), xstrdup("measure") };
	run->events[2] = (struct event){
		1, xstrdup("collapse"),
		xstrdup("1-2 /usr/sbin/a: b: 9 ranges, 3 collapsed, 1 empty, "
			"2 busy, 0 without memory, 3 refused: Invalid "
			"argument; 0.1 s, longest call 1 ms")
	};
	run->events[3] = (struct event){ 1, xstrdup("collapse"),
					 xstrdup("in words unknown") };
}

static void add_run(const struct sort *sort, struct experiment *e, size_t arm,
		    unsigned int block)
{
	struct run *run;

	XGROW(e->runs, e->n_runs);
	run = &e->runs[e->n_runs++];
	*run = (struct run){
		.number = (unsigned int)e->n_runs,
		.block = block,
		.attempt = 1 + (e->n_runs == 2),
		.arm = arm,
		.state = sort->state,
		.reason = xstrdup(
			sort->state == RUN_OK ? "" : "somebody's \xc2\xb5"),
		.dir = xstrdup("runs/001"),
		.measure_start_s = sort->has_streams ? 3 : (double)NAN,
		.measure_end_s = sort->has_streams ? 5 : (double)NAN,
	};
	if (sort->has_values)
		add_values(run);
	if (sort->has_streams)
		add_streams(run);
}

static void make(const struct sort *sort, struct experiment *e)
{
	*e = (struct experiment){
		.dir = xstrdup("results/x"),
		.id = xstrdup("x"),
		.title = xstrdup(sort->title),
		.primary = xstrdup("tps"),
		.config_hash = xstrdup("0123456789abcdef"),
		.blocks = sort->blocks,
	};
	facts_set(&e->host, "hostname", "db7");
	facts_set(&e->workload, "program", "sysbench");
	facts_set(&e->server, "thp_disable", "keep");
	for (size_t i = 0; sort->labels[i]; i++) {
		XGROW(e->arms, e->n_arms);
		e->arms[e->n_arms] = (struct arm_record){
			.label = xstrdup(sort->labels[i]),
		};
		facts_set(&e->arms[e->n_arms].settings, "thp", "never");
		if (i == 1) {
			facts_set(&e->arms[1].settings, "damos", "collapse");
			facts_set(&e->arms[1].settings, "damos.age", "5s max");
		}
		facts_set(&e->arms[i].settings, "damos.regions",
			  i == 1 ? "5 10" : "10 100");
		facts_set(&e->arms[i].settings, "env.A", "b");
		e->n_arms++;
	}
	e->n_planned = sort->blocks * e->n_arms;
	for (unsigned int b = 1; sort->has_runs && b <= sort->blocks; b++)
		for (size_t arm = 0; arm < e->n_arms; arm++)
			add_run(sort, e, arm, b);
}

static void check_mail(const char *text)
{
	while (*text) {
		size_t n = strcspn(text, "\n");

		if (n > WRAP_WIDTH || wrap_is_unsafe(text))
			fail_msg("no line for a mail: %.*s", (int)n, text);
		for (size_t i = 0; i < n; i++)
			assert_in_range(text[i], ' ', '~');
		text += n;
		assert_int_equal(*text++, '\n');
	}
}

/* Fields of a CSV line, quotes heeded; *text moves behind its end. */
static size_t csv_fields(const char **text)
{
	size_t n = 1;
	bool is_quoted = false;

	for (; **text && (**text != '\n' || is_quoted); ++*text) {
		if (**text == '"')
			is_quoted = !is_quoted;
		else if (**text == ',' && !is_quoted)
			n++;
	}
	assert_false(is_quoted);
	*text += **text == '\n';
	return n;
}

/* All lines of a table have as many fields as its header. */
static void check_csv(const char *text)
{
	size_t n = 0;

	while (*text) {
		bool is_header = str_starts(text, "table,");
		size_t fields;

		if (*text == '\n') {
			text++;
			n = 0;
			continue;
		}
		fields = csv_fields(&text);
		assert_true(is_header || fields == n);
		n = fields;
	}
}

/* Every cell of a table, and no more rows of bars than that. */
static void check_markdown(const char *text)
{
	assert_null(strstr(text, "\n---"));
	assert_null(strstr(text, "\n#"));
}

/* Each metric of each arm has a value or a reason, never both. */
static void check_json(const char *text)
{
	json_t *json = json_loads(text, 0, NULL);
	json_t *arms = json_object_get(json, "arms");
	json_t *arm;
	size_t i;

	assert_non_null(json);
	json_array_foreach(arms, i, arm)
	{
		json_t *all = json_object_get(arm, "metrics");

		assert_int_equal(json_object_size(all), n_metrics);
		for (size_t m = 0; m < n_metrics; m++) {
			json_t *one = json_object_get(all, metrics[m].name);
			bool has_value = json_object_get(one, "value");

			assert_true(has_value !=
				    !!json_object_get(one, "missing"));
		}
	}
	json_decref(json);
}

static void check_sort(void **state)
{
	const struct sort *sort = *state;
	static void (*const checks[])(const char *) = {
		[TABLE_TEXT] = check_mail,
		[TABLE_MARKDOWN] = check_markdown,
		[TABLE_CSV] = check_csv,
		[TABLE_JSON] = check_json,
	};
	struct experiment e;

	make(sort, &e);
	for (size_t f = 0; f < n_report_formats; f++) {
		auto_str struct str all = { 0 };

		/* HTML draws plots: it has tests of its own. */
		if (f >= ARRAY_SIZE(checks) || !checks[f])
			continue;
		report_print(&e, NULL, 0, (enum table_format)f, &all);
		checks[f](all.text);
		for (size_t i = 0; i < n_table_makers; i++) {
			auto_str struct str one = { 0 };

			report_print(&e, &i, 1, (enum table_format)f, &one);
			checks[f](one.text);
			/* An empty table has no place for its name in CSV. */
			if (f != TABLE_CSV)
				assert_non_null(
					strstr(one.text, table_makers[i].name));
		}
	}
	experiment_free(&e);
}

/* One table of a sort, and a part that must (or, with '!', must not) be in. */
struct says {
	struct sort sort;
	const char *table;
	enum table_format format;
	const char *parts[8];
};

static size_t place(const char *name)
{
	for (size_t i = 0; i < n_table_makers; i++)
		if (str_eq(table_makers[i].name, name))
			return i;
	fail_msg("no table %s", name);
	return 0;
}

static void check_says(void **state)
{
	const struct says *row = *state;
	auto_str struct str out = { 0 };
	size_t table = place(row->table);
	struct experiment e;

	make(&row->sort, &e);
	report_print(&e, &table, 1, row->format, &out);
	for (size_t i = 0; row->parts[i]; i++) {
		bool must = row->parts[i][0] != '!';

		if (!!strstr(out.text, row->parts[i] + !must) != must)
			fail_msg("'%s' in\n%s", row->parts[i], out.text);
	}
	experiment_free(&e);
}

#define LABELS(...) .labels = { __VA_ARGS__ }
#define WHOLE .has_runs = true, .has_values = true, .has_streams = true
#define THREE                                                                  \
	{                                                                      \
		.title = "t", LABELS("T n", "T m"), .blocks = 3, WHOLE         \
	}
#define ONE_BLOCK                                                              \
	{                                                                      \
		.title = "t", LABELS("T n", "T m"), .blocks = 1, WHOLE         \
	}
#define FAILED                                                                 \
	{                                                                      \
		.title = "t", LABELS("T n", "T m"), .blocks = 2,               \
		.state = RUN_FAILED, .has_runs = true                          \
	}
#define SORT(name, ...)                                                        \
	{                                                                      \
		name, check_sort, NULL, NULL, &(struct sort)                   \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define SAYS(name, sort_, table_, format_, ...)                                \
	{                                                                      \
		name, check_says, NULL, NULL, &(struct says)                   \
		{                                                              \
			.sort = sort_, .table = table_,                        \
			.format = TABLE_##format_, .parts = {                  \
				__VA_ARGS__                                    \
			}                                                      \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SORT("whole", .title = "t", LABELS("T n", "T m", "T n, D c"),
		     .blocks = 5, WHOLE),
		SORT("one block", .title = "t", LABELS("T n"), .blocks = 1,
		     WHOLE),
		SORT("no runs", .title = "t", LABELS("T n", "T m"),
		     .blocks = 5),
		SORT("no arms", .title = "", LABELS(NULL), .blocks = 0),
		SORT("failed runs", .title = "t", LABELS("T n", "T m"),
		     .blocks = 2, .state = RUN_FAILED, .has_runs = true),
		SORT("marked runs without values", .title = "t",
		     LABELS("T n", "T m"), .blocks = 2, .state = RUN_MARKED,
		     .has_runs = true, .has_streams = true),
		SORT("labels of all sorts", .title = "# title \xe2\x80\x94 x",
		     LABELS("# hash", "--- dashes", "From here", "a|b",
			    "say \"x\", y", "\xc3\xa4\xc3\xb6 \xff",
			    "diff -u a b", "> quoted"),
		     .blocks = 2, WHOLE),
		SORT("long labels",
		     .title = "a title that is longer than any line of a mail "
			      "may be, so that it has to be wrapped somewhere",
		     LABELS("THP madvise with DAMOS hugepage, quota 1000 bp, "
			    "tuner temporal, sixteen regions at the least",
			    "a_label_without_any_place_to_break_it_that_is_"
			    "longer_than_the_whole_line_of_a_mail"),
		     .blocks = 2, WHOLE),
		SORT("many arms", .title = "t",
		     LABELS("1", "2", "3", "4", "5", "6", "7", "8", "9", "10",
			    "11"),
		     .blocks = 2, WHOLE),
		SAYS("tps has change, interval, n", THREE, "tps", TEXT,
		     "TPS: higher is better.", "+0.49 % [", "baseline",
		     "n: 3 of 3 planned runs", "95 % Student t",
		     "Window: 2.0 s long; it opened 3.0 s after", "config"),
		SAYS("one block has no interval", ONE_BLOCK, "tps", TEXT,
		     "+0.50 % [n/a]", "an interval needs 2 blocks"),
		SAYS("failed runs give reasons, not zeros", FAILED, "tps", TEXT,
		     "n/a (1)", "(1) somebody's u",
		     "Runs 1 (T n), 2 (T m), 3 (T n), 4 (T m) are failed",
		     "!0.00"),
		SAYS("memory in GiB, its direction, THP of the server", THREE,
		     "memory", TEXT, "GiB", "total: lower is better",
		     "huge, share: neither is better", "thp_disable = keep",
		     "THP_enabled of the server: 1 in 6 of 6 runs"),
		SAYS("settings: what differs, what did not hold, what is equal",
		     THREE, "settings", TEXT, "transparent_hugepage/enabled",
		     "always", "khugepaged/pages_to_scan", "512",
		     "Asked and the same in all arms: "
		     "transparent_hugepage/defrag =",
		     "!swappiness", "collapse"),
		SAYS("settings: the keys of schemes, and who has none", THREE,
		     "settings", MARKDOWN,
		     "| damos | T n | - | n/a (1) | n/a (1) |",
		     "| damos.regions | T n | 10 100 | n/a (1) | n/a (1) |",
		     "| damos.regions | T m | 5 10 | n/a (1) |",
		     "whose scheme has it: damos.age = 5s max.", ", env.A = b.",
		     "!| damos.age", "!| env"),
		SAYS("timeline: where huge changed, and the run", THREE,
		     "timeline", TEXT, "T n (run 3, the median)",
		     "load         0.0  256.0     0   0.00",
		     "load         2.0  256.0  <0.1   0.00",
		     "measure      5.0  256.0  64.0  25.00", "!n/a", "!  1.0 "),
		SAYS("timeline as CSV has label and run apart", THREE,
		     "timeline", CSV, "arm,run,phase,seconds (s)",
		     "timeline,x,T n,3,load,0.0,256.0,0,0.00,"),
		SAYS("change as CSV is three figures", THREE, "tps", CSV,
		     ",change_pct,change_low_pct,change_high_pct,n,p_corrected,"
		     "verdict,",
		     "tps,x,T n,125.93,1.23,0,0,0,3,n/a,-,",
		     "tps,x,T m,126.54,1.23,0.4902,0.4783,0.5022,3,3.18843e-05,"
		     "improved,"),
		SAYS("mappings: names summed, small ones folded", THREE,
		     "mappings", TEXT, "buffer pool", "1024.0", "[heap]",
		     "1 other", "!libc"),
		SAYS("collapses: counted by mapping, and why not", THREE,
		     "collapse", TEXT,
		     "a: b          9          3      1     2          0",
		     "Invalid argument", "!words"),
		SAYS("no collapse: why the table is empty", FAILED, "collapse",
		     TEXT, "No counted run has collapsed by madvise."),
		SAYS("second attempts are told", THREE, "tps", TEXT,
		     "Run 2 (T m) is attempt 2; before: not recorded"),
		SAYS("JSON holds the table that was asked for", THREE, "tps",
		     JSON, "\"tables\"", "\"ratio\"", "\"better\": \"more\""),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
