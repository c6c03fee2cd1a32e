/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What lint finds in small letters, rule by rule, and what it does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/lint/lint.h"

/* Said of each table, so that only the rule under test speaks. */
#define SAID "5 runs each; TPS, sd between runs; higher is better.\n\n"

struct row {
	const char *text;
	const char *expected; /* "rule:line rule:line" */
	const char *says;     /* in one of the findings; or NULL */
};

static void check_row(void **state)
{
	const struct row *row = *state;
	auto_str struct str found = { 0 };
	bool is_said = !row->says;
	struct lint l;

	lint_text(row->text, &l);
	for (size_t i = 0; i < l.n; i++) {
		str_addf(&found, "%s%s:%zu", i ? " " : "", l.list[i].rule,
			 l.list[i].line);
		is_said |= row->says && strstr(l.list[i].text, row->says);
	}
	assert_string_equal(found.text ? found.text : "", row->expected);
	if (!is_said)
		fail_msg("'%s' is not in: %s", row->says, l.list[0].text);
	lint_free(&l);
}

#define ROW(name, ...)                                                         \
	{                                                                      \
		name, check_row, NULL, NULL, &(struct row)                     \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

#define WIDE                                                                   \
	"123456789 123456789 123456789 123456789 123456789 123456789 "         \
	"123456789 123456"
#define GRID(rows)                                                             \
	"+---+------+------+-------+\n|   | a    | b    | delta |\n"           \
	"+===+======+======+=======+\n" rows "+---+------+------+-------+\n"

static const struct CMUnitTest tests[] = {
	ROW("ends in a number", "TPS; higher is better\n\na: 1\nb: 2\n\nof 5",
	    "runs:3", NULL),
	ROW("perf stat says its runs",
	    "Performance counter stats for 'x' (5 runs):\n\n"
	    "  75,011,087  cycles  ( +- 0.47% )\n"
	    "  85,011,087  instructions  ( +- 0.47% )\n",
	    "", NULL),
	ROW("runs in words",
	    "TPS of five runs; higher is better\n\na: 1\nb: 2\n", "", NULL),
	ROW("runs of a sort",
	    "TPS, avg of 4 test runs; higher is better\n\na: 1\nb: 2\n", "",
	    NULL),
	ROW("kernels by threads",
	    SAID "kernel   threads  tps\nbase     1        812.4\n"
		 "patched  1        815.9\nbase     32       18162.45\n"
		 "patched  32       18211.82\n",
	    "", NULL),
	ROW("one row, and ten times too much",
	    SAID "         base      patched\ntps  18162.45     18211.82\n\n"
		 "This is a 2.7 % gain of TPS.\n",
	    "factor:6", "+0.272 %"),
	ROW("one row of a machine",
	    "x\n\ncpus  sockets  nodes\n64    2        4\n\nx\n", "", NULL),
	ROW("a number is no unit",
	    "5 runs; lower is better\n\n        a       b\n"
	    "fork-1  10.11   12.13\nfork-2  10.11   12.13\n",
	    "unit:3", "'fork-1', 'fork-2'"),
	ROW("quoted-printable, decoded",
	    "From: A <a@x.org>\nContent-Transfer-Encoding: quoted-printable\n"
	    "\n5 runs =C2=B1 sd of TPS; higher is better=\n.\n\n"
	    "tps        a        b       change\n"
	    "x     100.00   110.00  =2B10.0%\ny     100.00   110.00  =2B1.0%\n",
	    "percent:9", "1 % is 0.1 times"),
	ROW("a part that is not",
	    "From: A <a@x.org>\nContent-Type: multipart/mixed\n\n--b\n"
	    "Content-Transfer-Encoding: quoted-printable\n\n5 runs =3D n\n"
	    "--b\nContent-Type: text/plain\n\nx=\n" WIDE "\n",
	    "wide:12", NULL),
	ROW("a tab parts, however narrow",
	    SAID "kernel\tthreads\ttps\nbase\t1\t812.4\n"
		 "patched\t1\t815.9\nbase\t32\t18162.45\n"
		 "patched\t32\t18211.82\n",
	    "", NULL),
	ROW("nor does it make a line wide",
	    "1234567\t9012345\t7890 123456789 123456789 123456789 "
	    "123456789 12345678x\n",
	    "", NULL),
	ROW("units told behind the table",
	    "5 runs; higher is better\n\n        a       b\n"
	    "tput  10.11   12.13\nelsp  10.11   12.13\n\n"
	    "Ops/s for tput, seconds for the rest.\n",
	    "", NULL),
	ROW("a drawing is no table of results",
	    "x\n\n| 63 ... 12 | 11 ... 2 | 1 | 0 |\n"
	    "|    pfn    |  flags   | D | P |\n\nx\n",
	    "", NULL),
	ROW("nor is what the kernel prints",
	    "x\n\nSize:               2048 kB\nRss:                2048 kB\n"
	    "AnonHugePages:      2048 kB\n\nx\n",
	    "", NULL),
	ROW("events are their own unit",
	    "5 runs; fewer is better\n\n                    a       b\n"
	    "Compaction stalls   123456  100012\n"
	    "Compaction failures 111111  80011\n",
	    "", NULL),
	ROW("nothing to find in prose", "Only text, 5 of it.\n", "", NULL),
	ROW("76 columns", WIDE "\n", "wide:1", "76 columns"),
	ROW("75 columns", &WIDE[1], "", NULL),
	ROW("lines in a row are one", WIDE "\n" WIDE "\n", "wide:1",
	    "lines 1 to 2"),
	ROW("an address may be wide", "http://x.org/" WIDE "\n", "", NULL),
	ROW("a trailer may be wide", "Reviewed-by: " WIDE "\n", "", NULL),
	ROW("below the cut it may be", "x\n---\n" WIDE "\n", "", NULL),
	ROW("what is quoted may be", "> " WIDE "\n", "", NULL),
	ROW("a comment of git's", "# x\n# y\n\n#z\n", "comment:1 comment:4",
	    "those below"),
	ROW("a rule that cuts", SAID "--- ---\nx   1.0\ny   2.0\n", "cut:3",
	    "table of line 3"),
	ROW("a cut above a table", "x\n---\n" SAID "a: 1 s\nb: 2 s\n", "cut:2",
	    NULL),
	ROW("a cut above a diffstat", "x\n---\n a.c | 2 +-\n b.c | 1 +\n", "",
	    NULL),
	ROW("dashes that do not cut", SAID "-------\nx   1.0\ny   2.0\n", "",
	    NULL),
	ROW("a label twice",
	    SAID GRID("| x | 1.00 | 2.00 |       |\n"
		      "| x | 1.00 | 3.00 |       |\n"),
	    "duplicate:7", "line 6"),
	ROW("a column twice",
	    SAID "| l | a | a |\n|---|---|---|\n| x | 1 | 2 |\n", "duplicate:3",
	    "both are 'a'"),
	ROW("times tell rows apart",
	    SAID "| l | s | v |\n|---|---|---|\n| x | 1 | 2 |\n| x | 2 | 2 |\n",
	    "", NULL),
	ROW("no unit",
	    "5 runs, higher is better\n\n| l | a |\n|---|--:|\n"
	    "| x | 1.5 |\n",
	    "unit:3", "'x'"),
	ROW("a unit in the label",
	    "5 runs, higher is better\n\n| l | a |\n"
	    "|---|--:|\n| x (ms) | 1.5 |\n",
	    "", NULL),
	ROW("a unit in the header",
	    "5 runs, higher is better\n\n| l | a ms |\n"
	    "|---|--:|\n| x | 1.5 |\n",
	    "", NULL),
	ROW("a unit in the cell",
	    "5 runs, higher is better\n\n| l | a |\n"
	    "|---|--:|\n| x | 1.5 GB |\n",
	    "", NULL),
	ROW("a unit in one column only",
	    "5 runs, higher is better\n\n| l | a ms | b |\n|---|--:|--:|\n"
	    "| x | 1.5 | 2.5 |\n",
	    "unit:3", "column 'b'"),
	ROW("no direction",
	    "5 runs, in ms\n\n| l | a |\n|---|--:|\n"
	    "| x | 1.5 |\n",
	    "direction:3", NULL),
	ROW("the direction may stand below",
	    "5 runs, in ms\n\n| l | a |\n|---|--:|\n| x | 1.5 |\n\n"
	    "The lower the better.\n",
	    "", NULL),
	ROW("marks are a direction",
	    "5 runs; (I) is an improvement\n\n| l (s) | a |\n|---|--:|\n"
	    "| x | (I) -1.5% |\n",
	    "", NULL),
	ROW("a word in the label is a direction",
	    "5 runs\n\n| l | a |\n|---|--:|\n| x (s, lower) | 1.5 |\n"
	    "| y (s, neither) | 2.5 |\n",
	    "", NULL),
	ROW("but not in some labels only",
	    "5 runs\n\n| l | a |\n|---|--:|\n| x (s, lower) | 1.5 |\n"
	    "| y (s) | 2.5 |\n",
	    "direction:3", NULL),
	ROW("settings have none",
	    "5 runs\n\nwhat              a    b\n=======================\n"
	    "workload.threads  32   4\nhost.cpus         64   2\n",
	    "", NULL),
	ROW("a time line has none",
	    "5 runs\n\n| s | ms |\n|---|--:|\n"
	    "| 1 | 2 |\n| 2 | 2 |\n| 3 | 2 |\n",
	    "", NULL),
	ROW("no number of runs",
	    "TPS, higher is better\n\n| l | a |\n"
	    "|---|--:|\n| x | 1.5 |\n",
	    "runs:3", "nor how far they spread"),
	ROW("a column of n",
	    "TPS, higher is better\n\n| l | a | n |\n"
	    "|---|--:|--:|\n| x | 1.5 | 3 |\n",
	    "", NULL),
	ROW("a change that is right",
	    SAID GRID("| x | 1000 | 1027 | +2.7% |\n"
		      "| y | 1000 | 1000 | 0.0%  |\n"),
	    "", NULL),
	ROW("with the sign of better",
	    SAID GRID("| x | 1000 | 1027 | -2.7% |\n"
		      "| y | 1000 | 1000 | 0.0% |\n"),
	    "", NULL),
	ROW("within what rounding hides",
	    SAID GRID("| x | 3.14 | 2.93 | -6.69% |\n"), "", NULL),
	ROW("a change 10 times too large",
	    SAID GRID("| x | 1000 | 1027 | +27.0% |\n"), "percent:6",
	    "10 times"),
	ROW("a change that is wrong where others are right",
	    SAID GRID("| x | 1000 | 1027 | +2.7% |\n"
		      "| y | 1000 | 1010 | +3.0% |\n"),
	    "percent:7", "1 %"),
	ROW("one that is of something else",
	    SAID GRID("| x | 1000 | 1027 | +4.4% |\n"), "", NULL),
	ROW("mmtests: right, either sign",
	    SAID "            BASE             NEW\n"
		 "Min    1  23014.96 ( 0.00%)  24207.21 ( 5.18%)\n"
		 "Amean  1      1.25 ( 0.00%)      1.30 ( -4.00%)\n",
	    "", NULL),
	ROW("mmtests: wrong",
	    SAID "            BASE             NEW\n"
		 "Min    1  23014.96 ( 0.00%)  24207.21 ( 6.18%)\n",
	    "percent:4", "5.18"),
	ROW("DAMON's overheads: one wrong",
	    SAID "Overheads:\n\n"
		 "     orig    rec  (overhead %)\n"
		 "p  107.59  107.96  (0.34)\n"
		 "q  107.59  109.96  (0.34)\n",
	    "percent:7", "2.2"),
	ROW("DAMON's overheads",
	    SAID "     orig    rec\n"
		 "p  107.59  107.96 (0.34)\n"
		 "q  107.59  107.96 (0.34)\n",
	    "", NULL),
	ROW("a share by columns",
	    SAID "| s | total | huge | huge % |\n|---|--:|--:|--:|\n"
		 "| 1 | 1000 | 100 | 10 |\n| 2 | 1000 | 210 | 21 |\n"
		 "| 3 | 1000 | 330 | 3 |\n",
	    "share:7", "0.1 times"),
	ROW("a share by rows",
	    SAID "| l | a | b | c |\n|---|--:|--:|--:|\n"
		 "| L1 DTLB | 1000 | 2000 | 4000 |\n"
		 "| DTLB walk | 10 | 30 | 80 |\n"
		 "| DTLB % misses | 1.0 | 1.5 | 3.0 |\n",
	    "share:7", "2 %"),
	ROW("a share that is right",
	    SAID "| l | a | b |\n|---|--:|--:|\n"
		 "| L1 DTLB | 1000 | 2000 |\n"
		 "| DTLB walk | 10 | 30 |\n"
		 "| DTLB % misses | 1.0 | 1.5 |\n",
	    "", NULL),
	ROW("2.7 % for 0.27 %",
	    SAID "base: 18162.45\ntuned: 18211.82\n\n"
		 "It gains 2.7 % of TPS.\n",
	    "factor:6", "+0.272 %"),
	ROW("0.27 % is right",
	    SAID "base: 18162.45\ntuned: 18211.82\n\n"
		 "It gains 0.27 % of TPS.\n",
	    "", NULL),
	ROW("quoted figures against one's own words",
	    "> TPS\n> base: 18162.45\n> tuned: 18211.82\n\n"
	    "So tuned gains 2.7 % over base?\n",
	    "factor:5", NULL),
	ROW("quoted words are not ours",
	    SAID "base: 18162.45\ntuned: 18211.82\n\n> 2.7 % of TPS\n", "",
	    NULL),
	ROW("round percentages are prose",
	    SAID "base: 1000\ntuned: 1005\n\nAbout 5 % of TPS.\n", "", NULL),
	ROW("figures of the text itself",
	    "TPS goes from 18162.45 to 18211.82, by 2.7 %.\n", "factor:1",
	    NULL),
	ROW("a claim against the figures",
	    SAID "never: 1000\nalways: 990\n\n"
		 "TPS of always are higher than those of never.\n",
	    "claim:6", "'always' has 990"),
	ROW("a claim that is borne out",
	    SAID "never: 1000\nalways: 990\n\n"
		 "TPS of always are lower than those of never.\n",
	    "", NULL),
	ROW("a claim by words of the legend",
	    "T n: THP set to never\nT a: THP set to always\n\n" SAID
	    "T n: 1000\nT a: 990\n\nPerformance, in TPS, with \"always\" is "
	    "better than with \"never\".\n",
	    "claim:9", NULL),
	ROW("equal figures contradict nothing",
	    SAID "never: 2.20\nalways: 2.20\n\n"
		 "TPS of always are lower than those of never.\n",
	    "", NULL),
	ROW("a claim of one arm only",
	    SAID "never: 1000\nalways: 990\n\n"
		 "TPS of always are higher than I thought.\n",
	    "", NULL),
	ROW("a claim denied",
	    SAID "never: 1000\nalways: 990\n\n"
		 "TPS of always are not higher than those of never.\n",
	    "", NULL),
};

int main(void)
{
	return cmocka_run_group_tests(tests, NULL, NULL);
}
