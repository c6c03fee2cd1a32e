/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rules on the counters of a run: column and other are roles. */
#include "data/rule.h"

#include "data/column.h"
#include "data/counted.h"
#include "data/need.h"

void rule_counted(const struct window *w, const struct rule *rule,
		  struct value *out)
{
	struct counted got[2];

	if (counted_take(w, rule->column, NULL, out, got))
		value_found(out, rule->factor * got[0].number);
}

void rule_counted_share(const struct window *w, const struct rule *rule,
			struct value *out)
{
	struct counted got[2];

	if (!counted_take(w, rule->column, rule->other, out, got))
		return;
	if (got[1].number > 0)
		value_found(out, rule->factor * got[0].number / got[1].number);
	else
		value_miss(out, "%s is 0 in the window", rule->other);
}

void rule_counted_per_tx(const struct window *w, const struct rule *rule,
			 struct value *out)
{
	static const struct rule rate = { NULL, rule_rate,
					  COL_LOAD_TRANSACTIONS,
					  COL_LOAD_INTERVAL, 1 };
	struct value tps = { 0 };
	struct counted got[2];

	/* Both as rates: lines and ticks cut time differently. */
	rule_rate(w, &rate, &tps);
	if (!tps.is_there) {
		out->why = tps.why;
		return;
	}
	if (!counted_take(w, rule->column, NULL, out, got))
		return;
	if (tps.number > 0 && got[0].seconds > 0)
		value_found(out, rule->factor * got[0].number / got[0].seconds /
					 tps.number);
	else
		value_miss(out, "no transactions in the window");
}
