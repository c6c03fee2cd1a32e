/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/diagnosis.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "data/column.h"
#include "data/window.h"

/* One run and its arm, as the rules look at them. NAN: not known. */
struct seen {
	const char *action; /* "" without DAMON */
	const char *thp;
	bool is_vaddr;
	bool charges_failures; /* in full */
	bool is_temporal;
	const char *fail_charge;
	double tried;
	double applied;
	double exceeds;
	double monitored;
	double mapped;
	double quota;
	double goal;
	double target;
	double rss;
	double huge_before; /* as settling began */
	double huge_end;
	double huge_page;
	double thp_enabled;
	double made;     /* bytes that DAMOS made huge, by the tracepoint */
	double limit;    /* damos.quota_bytes */
	double window_s; /* damos.quota_interval */
	double feed_s;   /* COL_DAMOS_FEED */
};

static double number(const struct run *run, const char *metric)
{
	const struct value *v = run_value(run, metric);

	return v->is_there ? v->number : (double)NAN;
}

/* Bytes of huge pages at the last tick before settling. */
static double huge_before(const struct run *run)
{
	double start_s = window_phase_start_s(run, "settle");
	const struct series *s = &run->samples;
	int col = series_column(s, COL_HUGE);
	int time = series_column(s, COL_TIME);
	double found = NAN;

	for (size_t i = 0; col >= 0 && i < s->n_rows; i++) {
		double cell = series_at(s, i, col);

		if (series_at(s, i, time) > start_s + WINDOW_SLACK_S)
			break;
		if (isfinite(cell))
			found = cell;
	}
	return isfinite(start_s) ? found : (double)NAN;
}

/* The last number of a column; NAN: it has none. */
static double last_of(const struct run *run, const char *column)
{
	const struct series *s = &run->samples;
	int col = series_column(s, column);
	double found = NAN;

	for (size_t i = 0; col >= 0 && i < s->n_rows; i++)
		if (isfinite(series_at(s, i, col)))
			found = series_at(s, i, col);
	return found;
}

static double size_setting(const struct facts *settings, const char *key)
{
	uint64_t bytes;

	return num_size(facts_get(settings, key), &bytes) ? (double)NAN
							  : (double)bytes;
}

static double window_setting_s(const struct facts *settings)
{
	uint64_t ns;

	/* The default of damos.quota_interval */
	if (num_time(facts_get(settings, "damos.quota_interval"), &ns))
		ns = NUM_NS_PER_S;
	return (double)ns / (double)NUM_NS_PER_S;
}

static const char *scheme_of(const struct facts *settings)
{
	const char *action = facts_get(settings, "damos");

	return str_eq(action, "none") || str_eq(action, "madvise-collapse")
		       ? ""
		       : action;
}

static void see(const struct experiment *e, const struct run *run,
		struct seen *out)
{
	const struct facts *settings = &e->arms[run->arm].settings;
	const char *ops = facts_get(settings, "damos.ops");
	uint64_t huge_page;

	if (num_u64(facts_get(&e->host, "huge_page_bytes"), &huge_page))
		huge_page = 2 * NUM_MIB;
	*out = (struct seen){
		.action = scheme_of(settings),
		.thp = facts_get(settings, "thp"),
		.is_vaddr = str_eq(ops, "") || str_eq(ops, "vaddr"),
		.charges_failures =
			str_eq(facts_get(settings, "damos.fail_charge"), ""),
		.is_temporal =
			str_eq(facts_get(settings, "damos.tuner"), "temporal"),
		.fail_charge = facts_get(settings, "damos.fail_charge"),
		.tried = number(run, "damos_tried_bytes"),
		.applied = number(run, "damos_applied_bytes"),
		.exceeds = number(run, "damos_qt_exceeds"),
		.monitored = number(run, "damos_monitored_bytes"),
		.mapped = number(run, "damos_mapped_bytes"),
		.quota = number(run, "damos_quota_bytes"),
		.goal = number(run, "damos_goal_bp"),
		.target = number(run, "damos_goal_target_bp"),
		.rss = number(run, "rss_bytes"),
		.huge_before = huge_before(run),
		.huge_end = number(run, "huge_end_bytes"),
		.huge_page = (double)huge_page,
		.thp_enabled = number(run, "server_thp_enabled"),
		.made = number(run, "origin_damos") * (double)huge_page,
		.limit = size_setting(settings, "damos.quota_bytes"),
		.window_s = window_setting_s(settings),
		.feed_s = last_of(run, COL_DAMOS_FEED),
	};
}

/* "1.25 GiB", "24.0 MiB". free() it. */
static char *size_text(double bytes)
{
	if (bytes >= (double)NUM_GIB)
		return xasprintf("%.2f GiB", bytes / (double)NUM_GIB);
	return xasprintf("%.1f MiB", bytes / (double)NUM_MIB);
}

/* A rule adds its sentence if it holds; comparisons with NAN are false. */
typedef bool rule_of_thumb(const struct seen *s, struct str *text);

/* Most of what it was tried on failed. */
static bool fails(const struct seen *s)
{
	return s->is_vaddr && s->tried > 0 && s->applied < s->tried / 2;
}

static bool spends_on_gaps(const struct seen *s)
{
	return fails(s) && s->charges_failures && s->exceeds >= 1 &&
	       s->monitored >= 1.25 * s->mapped;
}

static bool tell_gaps(const struct seen *s, struct str *text)
{
	auto_free char *tried = size_text(s->tried);
	auto_free char *applied = size_text(s->applied);
	auto_free char *monitored = size_text(s->monitored);
	auto_free char *mapped = size_text(s->mapped);

	if (!spends_on_gaps(s))
		return false;
	str_addf(text,
		 "the quota was spent on gaps: %s tried, %s applied; vaddr "
		 "monitors %s of addresses, of which %s are mapped. "
		 "damos.fail_charge = 1/4096 (Linux 7.2), damos.access_rate = "
		 "1 max or damos.ops = fvaddr would help",
		 tried, applied, monitored, mapped);
	return true;
}

static bool tell_ineligible(const struct seen *s, struct str *text)
{
	auto_free char *huge = size_text(s->huge_end);
	auto_free char *rss = size_text(s->rss);

	if (!str_eq(s->action, "collapse") || !fails(s) || spends_on_gaps(s) ||
	    !(s->huge_end < s->rss / 2) || s->goal >= s->target)
		return false;
	str_addf(text,
		 "%s of %s resident memory are huge: a collapse stops at the "
		 "first mapping of a region that cannot be huge, or at a hole. "
		 "damos.ops = fvaddr, or more regions (damos.regions), would "
		 "help",
		 huge, rss);
	return true;
}

/*
 * The kernel cuts a region where the quota ends, and a range without a whole
 * huge page is collapsed with success, and without an effect.
 */
static bool is_limit_small(const struct seen *s)
{
	return str_eq(s->action, "collapse") && s->limit > 0 &&
	       s->limit < s->huge_page;
}

static bool tell_small(const struct seen *s, struct str *text)
{
	auto_free char *huge_page = size_text(s->huge_page);

	if (!is_limit_small(s))
		return false;
	str_addf(text,
		 "damos.quota_bytes is %.0f, less than a huge page (%s): of "
		 "what the kernel cuts to that size a collapse makes nothing, "
		 "and counts it as applied",
		 s->limit, huge_page);
	return true;
}

static bool tell_tuner(const struct seen *s, struct str *text)
{
	if (s->is_temporal || is_limit_small(s) || !(s->quota < s->huge_page) ||
	    !(s->goal < s->target))
		return false;
	str_addf(text,
		 "the tuner still allows %.0f bytes an interval as the window "
		 "ends, less than one huge page. consist begins at 1 byte and "
		 "at best doubles: 21 intervals to 2 MiB. A longer settle "
		 "phase, or damos.tuner = temporal, would help",
		 s->quota);
	return true;
}

/*
 * The tuner is asked once an interval, so that temporal may pass its target by
 * what one interval's quota makes, and a huge page that it ends in. How far it
 * went beyond that, in basis points; not above 0: it did not, or others made
 * as much.
 */
static double beyond_bp(const struct seen *s)
{
	double bp_of_byte = s->goal / s->huge_end;
	double over = s->goal - s->target;
	double others = s->huge_end - s->made;

	if (!s->is_temporal || s->huge_before * bp_of_byte >= s->target ||
	    others * bp_of_byte >= over)
		return NAN;
	return over - (s->limit + s->huge_page) * bp_of_byte;
}

/* By what is on record: figures that show it, or nothing. */
static void add_why_beyond(const struct seen *s, struct str *text)
{
	auto_free char *made = size_text(s->made);
	auto_free char *applied = size_text(s->applied);
	bool is_told = false;

	if (!s->charges_failures && s->made > s->applied + s->huge_page) {
		str_addf(text,
			 ": of %s that DAMOS made huge %s count as applied. A "
			 "region that fails in part counts as failed, and of "
			 "it damos.fail_charge = %s is charged: smaller "
			 "regions (damos.regions) would help",
			 made, applied, s->fail_charge);
		is_told = true;
	}
	if (s->feed_s > s->window_s) {
		str_addf(text,
			 "%s the goal's value was up to %.2f s under way to "
			 "the kernel, in intervals of %.2f s: kdamond was busy "
			 "with what it acts on. A longer damos.quota_interval, "
			 "or a smaller damos.quota_bytes, would help",
			 is_told ? ". And" : ":", s->feed_s, s->window_s);
		is_told = true;
	}
	if (!is_told)
		str_add(text, "; neither regions that failed in part nor a "
			      "slow kdamond is on record as the reason");
}

static bool tell_beyond(const struct seen *s, struct str *text)
{
	double beyond = beyond_bp(s);

	if (!(beyond > 0))
		return false;
	str_addf(
		text,
		"temporal passed its target of %.0f basis points by %.0f, %.0f "
		"more than one interval's quota makes",
		s->target, s->goal - s->target, beyond);
	add_why_beyond(s, text);
	return true;
}

static bool tell_before(const struct seen *s, struct str *text)
{
	auto_free char *before = size_text(s->huge_before);
	auto_free char *end = size_text(s->huge_end);

	if (!*s->action || !(s->huge_end > 0) ||
	    !(s->huge_before >= s->huge_end / 2))
		return false;
	str_addf(text,
		 "%s were huge before the scheme began, of %s at the end of "
		 "the window: page faults or khugepaged made them (thp = %s), "
		 "not the scheme",
		 before, end, *s->thp ? s->thp : "as found");
	return true;
}

static bool tell_never(const struct seen *s, struct str *text)
{
	auto_free char *applied = size_text(s->applied);

	if (!str_eq(s->action, "hugepage") || !str_eq(s->thp, "never") ||
	    !(s->applied > 0) || s->huge_end > 0)
		return false;
	str_addf(text,
		 "hugepage was applied to %s and made nothing huge: it marks "
		 "memory (MADV_HUGEPAGE) for page faults and khugepaged, which "
		 "thp = never forbids",
		 applied);
	return true;
}

static bool tell_disabled(const struct seen *s, struct str *text)
{
	if (!(s->thp_enabled < 1))
		return false;
	str_add(text, "the server has switched THP off for itself "
		      "(THP_enabled: 0): nothing makes its memory huge. "
		      "thp_disable = block keeps it from that");
	return true;
}

static rule_of_thumb *const rules[] = {
	tell_disabled, tell_gaps,   tell_ineligible, tell_small,
	tell_tuner,    tell_beyond, tell_before,     tell_never,
};

static bool counts(const struct run *run)
{
	return run->state == RUN_OK || run->state == RUN_MARKED;
}

/* The words of the first run that a rule holds for. */
static void apply(const struct experiment *e, size_t arm, rule_of_thumb *rule,
		  struct diagnoses *out)
{
	auto_str struct str first = { 0 };
	size_t n_counted = 0;
	size_t n_held = 0;

	for (size_t i = 0; i < e->n_runs; i++) {
		auto_str struct str text = { 0 };
		struct seen seen;

		if (e->runs[i].arm != arm || !counts(&e->runs[i]))
			continue;
		n_counted++;
		see(e, &e->runs[i], &seen);
		if (rule(&seen, &text) && !n_held++)
			str_add(&first, text.text);
	}
	if (!n_held)
		return;
	XGROW(out->list, out->n);
	out->list[out->n++] = (struct diagnosis){
		.arm = arm,
		.text = xasprintf("in %zu of %zu runs: %s", n_held, n_counted,
				  first.text),
	};
}

void diagnose(const struct experiment *e, struct diagnoses *out)
{
	*out = (struct diagnoses){ 0 };
	for (size_t arm = 0; arm < e->n_arms; arm++)
		for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
			apply(e, arm, rules[i], out);
}

void diagnoses_free(struct diagnoses *d)
{
	for (size_t i = 0; i < d->n; i++)
		free(d->list[i].text);
	free(d->list);
	*d = (struct diagnoses){ 0 };
}
