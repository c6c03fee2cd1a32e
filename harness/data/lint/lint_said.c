/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a table must be told with: units, direction, number of runs. */
#include <ctype.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/lint/lint_parts.h"

/* --- units --- */

/* Units that are one wherever they stand in prose. */
static const char prose_units[] =
	"tps|qps|eps|iops|kiops|miops|rps|jops|kops|mops|mbps|gbps|tpm|seconds|"
	"msec|msecs|usec|usecs|nsec|ms|ns|"
	"milliseconds|microseconds|nanoseconds|bytes|kib|mib|gib|kb|mb|gb|"
	"percent|%|bp|mb/s|mib/s|gb/s|ops/s|ops/sec|in pages|in cycles|"
	"number of|how many|count of|counts of|per second|in percentage";

/* Behind the table too: "ops/s for tput, seconds for the rest". */
static const char told_units[] =
	"unit:|units:|unit is|units are|seconds for|msec for|ms for|usec for|"
	"us for|ns for|ops/s for|mb/s for|gb/s for|tps for";

/* Is a word of a label a unit: in brackets, or at the end? */
static bool is_unit_word(char *word, bool is_last)
{
	bool is_bracketed = *word == '(' || *word == '[';
	size_t len;

	word += is_bracketed;
	len = strcspn(word, ")],:");
	is_bracketed |= word[len] == ')' || word[len] == ']';
	word[len] = '\0';
	if (!quantity_is_unit(word) || is_bracketed)
		return is_bracketed && quantity_is_unit(word);
	/* Arms are called "T m" and the like. */
	if (str_eq(word, "pages") || (len == 1 && *word != 's'))
		return false;
	return is_last || len > 2;
}

bool lint_has_unit(const char *label)
{
	auto_free char *copy = lint_lower(label);
	auto_free char **words = NULL;
	size_t n;

	if (strchr(label, '%'))
		return true;
	for (char *p = copy; *p; p++)
		if (*p == '-' || *p == '_')
			*p = ' ';
	words = str_split(copy, ' ', &n);
	for (size_t i = 0; i < n; i++)
		if (is_unit_word(words[i], i + 1 == n))
			return true;
	return false;
}

static bool cell_lacks(const struct mail_table *t, size_t r, size_t c)
{
	const struct mail_cell *cell = &t->rows[r].cells[c];

	return cell->has_figure && !cell->figure.is_percent &&
	       !cell->figure.unit[0] && !lint_has_unit(t->columns[c].title) &&
	       !lint_has_unit(t->rows[r].label) && !lint_has_unit(t->corner);
}

static bool row_lacks(const struct mail_table *t, size_t r)
{
	bool any = false;

	for (size_t c = 0; c < t->n_columns; c++)
		any |= cell_lacks(t, r, c);
	return any;
}

static bool column_lacks(const struct mail_table *t, size_t c)
{
	bool any = false;

	for (size_t r = 0; r < t->n_rows; r++)
		any |= cell_lacks(t, r, c);
	return any;
}

enum { MOST_NAMES = 6 };

/* The n-th name of a list. */
static void name_one(struct str *out, const char *label, size_t n)
{
	if (*label && n <= MOST_NAMES)
		str_addf(out, "%s'%s'", out->len ? ", " : "", label);
	else if (n == MOST_NAMES + 1)
		str_add(out, " and others");
}

static size_t name_rows(const struct mail_table *t, struct str *out)
{
	size_t n = 0;

	for (size_t r = 0; r < t->n_rows; r++)
		if (row_lacks(t, r))
			name_one(out, t->rows[r].label, ++n);
	return n;
}

static size_t name_columns(const struct mail_table *t, struct str *out)
{
	size_t n = 0;

	if (lint_is_time_line(t) && !lint_has_unit(t->corner))
		name_one(out, t->corner, 1);
	for (size_t c = 0; c < t->n_columns; c++)
		if (column_lacks(t, c))
			name_one(out, t->columns[c].title, ++n);
	return n;
}

/* Rows if all columns lack one, else the columns that do. */
static void report_units(struct letter *l, const struct mail_table *t)
{
	auto_str struct str rows = { 0 };
	auto_str struct str columns = { 0 };
	size_t n_rows = name_rows(t, &rows);
	size_t n_columns = name_columns(t, &columns);

	if (!n_rows)
		return;
	if (columns.len && n_rows == t->n_rows &&
	    (n_columns < t->n_columns || lint_is_time_line(t)))
		lint_add(l, t->first, "unit", "no unit for column%s %s",
			 n_columns == 1 ? "" : "s", columns.text);
	else
		lint_add(l, t->first, "unit", "no unit for %s",
			 rows.len ? rows.text : "the figures");
}

void lint_units(struct letter *l)
{
	for (size_t i = 0; i < l->mail->n_tables; i++) {
		const struct mail_table *t = &l->mail->tables[i];
		auto_free char *above = NULL;
		auto_free char *around = NULL;

		if (!lint_is_own_table(l, t) || t->form == MAIL_PERF ||
		    !lint_is_result(l, i))
			continue;
		above = lint_above(l, i);
		around = lint_around(l, i);
		if (!lint_has_any(above, prose_units) &&
		    !lint_has_any(around, told_units))
			report_units(l, t);
	}
}

/* --- direction --- */

/* "lower is better", "the lower the better", "neither is better" */
static bool says_direction(const char *text)
{
	static const char words[] =
		"higher|lower|larger|smaller|bigger|more|less|fewer|neither|"
		"shorter|faster|greater";

	for (const char *p = text; (p = strstr(p, "better")); p++) {
		size_t from = (size_t)(p - text);
		auto_free char *before = NULL;

		from = from > 30 ? from - 30 : 0;
		before = xstrndup(text + from, (size_t)(p - text) - from);
		if (lint_has_any(before, words))
			return true;
	}
	return false;
}

static bool has_marks(const struct mail_table *t)
{
	for (size_t r = 0; r < t->n_rows; r++)
		for (size_t c = 0; c < t->n_columns; c++)
			if (t->rows[r].cells[c].figure.mark)
				return true;
	return false;
}

/* "..., lower is better)", or that in one word: "TPS (1/s, higher)". */
static bool row_says_direction(const char *label)
{
	return lint_has_any(label, "better|direction") ||
	       strstr(label, ", higher)") || strstr(label, ", lower)") ||
	       strstr(label, ", neither)");
}

static bool labels_say_direction(const struct mail_table *t)
{
	for (size_t c = 0; c < t->n_columns; c++) {
		auto_free char *lower = lint_lower(t->columns[c].title);

		if (lint_has_any(lower,
				 "improvement|regression|speedup|gain|better"))
			return true;
	}
	/* "Encode (ns/op, lower is better)", row by row. */
	for (size_t r = 0; r < t->n_rows; r++)
		if (!row_says_direction(t->rows[r].label))
			return false;
	return true;
}

static bool has_figure(const struct mail_table *t)
{
	for (size_t r = 0; r < t->n_rows; r++)
		for (size_t c = 0; c < t->n_columns; c++)
			if (t->rows[r].cells[c].has_figure)
				return true;
	return false;
}

/* Columns of n, p and what may be seen: of the experiment, not of an arm. */
static bool is_about_runs(const struct mail_table *t)
{
	for (size_t c = 0; c < t->n_columns; c++) {
		auto_free char *lower = lint_lower(t->columns[c].title);

		if (!lint_has_any(lower, "n|runs|p|power|shows|needed"))
			return false;
	}
	return true;
}

/* Tables that judge nothing, or by their own known rule. */
static bool needs_direction(const struct letter *l, size_t i)
{
	const struct mail_table *t = &l->mail->tables[i];

	return lint_is_own_table(l, t) && t->form != MAIL_PERF &&
	       t->form != MAIL_MMTESTS && has_figure(t) &&
	       lint_is_result(l, i) && !lint_is_time_line(t) &&
	       !labels_say_direction(t) && !is_about_runs(t);
}

/* "all: lower is better", "smaller is better in all tables": of all. */
static bool says_for_all(const char *prose)
{
	for (const char *p = prose; (p = strstr(p, "better")); p++) {
		size_t from = (size_t)(p - prose);
		auto_free char *near = NULL;

		from = from > 40 ? from - 40 : 0;
		near = xstrndup(prose + from, 100);
		if (lint_has_any(near, "all|other|every|everywhere") &&
		    says_direction(near))
			return true;
	}
	return false;
}

void lint_directions(struct letter *l)
{
	auto_free char *prose = lint_prose(l);
	bool is_said = says_for_all(prose);
	bool marks_are_said = lint_has(prose, "improvement");

	for (size_t i = 0; i < l->mail->n_tables; i++) {
		const struct mail_table *t = &l->mail->tables[i];
		auto_free char *around = NULL;

		if (!needs_direction(l, i) || is_said ||
		    (marks_are_said && has_marks(t)))
			continue;
		around = lint_around(l, i);
		if (!says_direction(around))
			lint_add(l, t->first, "direction",
				 "the table does not say whether higher or "
				 "lower is better");
	}
}

/* --- runs --- */

/* "5", "five" */
static bool is_number(const char *word)
{
	static const char words[] =
		"one|two|three|four|five|six|seven|eight|nine|ten|twelve|"
		"fifteen|twenty|thirty|fifty|hundred|single";

	return *word &&
	       (!word[strspn(word, "0123456789")] || lint_has_any(words, word));
}

/* A number, then one of these words, or one word before it: "5 test runs". */
static bool says_count(const char *prose)
{
	static const char nouns[] =
		"runs|run|iterations|repetitions|repeats|samples|trials|times|"
		"boots|rounds|executions|replicates|blocks|experiments";
	auto_free char *copy = xstrdup(prose);
	auto_free char **words = NULL;
	size_t n;

	words = str_split(copy, ' ', &n);
	for (size_t i = 0; i < n; i++) {
		words[i] += strspn(words[i], "([");
		/* The end of a sentence parts, too. */
		words[i][strcspn(words[i], ".,;:)]")] = '\0';
	}
	for (size_t i = 0; i + 1 < n; i++)
		if (is_number(words[i]) &&
		    (lint_has_any(nouns, words[i + 1]) ||
		     (i + 2 < n && isalpha((unsigned char)*words[i + 1]) &&
		      lint_has_any(nouns, words[i + 2]))))
			return true;
	return false;
}

/* A column of n, or "(5 runs)" of perf stat. */
static bool table_says_runs(const struct letter *l, const struct mail_table *t)
{
	if (t->form == MAIL_PERF &&
	    strstr(l->mail->lines[t->first].text, " runs)"))
		return true;
	for (size_t c = 0; c < t->n_columns; c++) {
		auto_free char *lower = lint_lower(t->columns[c].title);

		if (str_eq(lower, "n") || str_starts(lower, "n ") ||
		    lint_has_any(lower, "runs|iterations|samples"))
			return true;
	}
	return false;
}

void lint_runs(struct letter *l)
{
	auto_free char *prose = lint_prose(l);
	const struct mail_table *first = NULL;

	for (size_t i = 0; i < l->mail->n_tables; i++) {
		const struct mail_table *t = &l->mail->tables[i];

		if (table_says_runs(l, t))
			return;
		if (!first && lint_is_own_table(l, t) && has_figure(t) &&
		    lint_is_result(l, i))
			first = t;
	}
	if (!first || says_count(prose) ||
	    lint_has_any(prose, "n =|n=|n:|(n)|runs each|average of|mean of "
				"five|mean of ten"))
		return;
	lint_add(l, first->first, "runs",
		 "nothing says from how many runs the figures are (n)%s",
		 lint_has_any(prose, "sd|stddev|stdev|std|deviation|spread|"
				     "interval|ci|cv|variance")
			 ? ""
			 : ", nor how far they spread");
}
