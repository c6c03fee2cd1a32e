/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thpbench history gate: the newest experiments against a pinned baseline. */
#include <stdio.h>

#include "base/err.h"
#include "base/str.h"
#include "cmd/history.h"
#include "data/history/history_pin.h"
#include "out/history.h"

/* The last behind the pinned one, by time; NULL: there is none. */
static const struct history_experiment *
newest_of(const struct history_experiments *x, const struct history_pin *pin)
{
	const struct history_experiment *newest = NULL;
	bool is_behind = false;

	for (size_t i = 0; i < x->n; i++) {
		if (str_eq(x->list[i].uid, pin->uid))
			is_behind = true;
		else if (is_behind && str_eq(x->list[i].host, pin->host) &&
			 str_eq(x->list[i].config, pin->config))
			newest = &x->list[i];
	}
	return newest;
}

static int status_of(const struct gate *g)
{
	int status = STATUS_OK;

	for (size_t i = 0; i < g->n; i++) {
		if (g->rows[i].verdict == VERDICT_REGRESSED)
			return STATUS_REGRESSION;
		if (g->rows[i].verdict == VERDICT_INCONCLUSIVE ||
		    g->rows[i].verdict == VERDICT_NONE)
			status = STATUS_INCONCLUSIVE;
	}
	return status;
}

/* An exit status. */
static int gate_one(struct history *h, const struct history_choice *c,
		    const struct history_pin *pin,
		    const struct history_experiment *now)
{
	struct history_filter filter = c->filter;
	auto_str struct str out = { 0 };
	struct history_list list;
	struct gate gate;
	struct table t;
	int status;

	filter.host = pin->host;
	filter.config = pin->config;
	status = history_read(h, &filter, &list);
	if (status) {
		history_list_free(&list);
		return err_status(status);
	}
	gate_judge(&list, pin->uid, now->uid, c->margin, &gate);
	history_table_gate(&gate, pin, now, &t);
	history_print(&t, c->format, &out);
	fputs(out.text, stdout);
	status = gate.n ? status_of(&gate) : STATUS_INCONCLUSIVE;
	table_free(&t);
	gate_free(&gate);
	history_list_free(&list);
	return status;
}

/* The worst of all: a regression before what is not known, then all else. */
static int worse(int a, int b)
{
	if (a > STATUS_INCONCLUSIVE || b > STATUS_INCONCLUSIVE)
		return a > b ? a : b;
	if (a == STATUS_REGRESSION || b == STATUS_REGRESSION)
		return STATUS_REGRESSION;
	return a > b ? a : b;
}

static int gate_all(struct history *h, const struct history_choice *c,
		    const struct history_pins *pins)
{
	struct history_experiments x = { 0 };
	int status = STATUS_OK;
	size_t n_tables = 0;
	int ret = history_experiments(h, &c->filter, &x);

	if (ret)
		status = err_status(ret);
	for (size_t i = 0; !ret && i < pins->n; i++) {
		const struct history_pin *pin = &pins->list[i];
		const struct history_experiment *now = newest_of(&x, pin);

		if (now && n_tables++ && c->format != TABLE_JSON)
			putchar('\n');
		if (now)
			status = worse(status, gate_one(h, c, pin, now));
		else
			status = worse(status,
				       refuse(STATUS_INCONCLUSIVE,
					      "history gate: %s: nothing newer "
					      "than the baseline %s on %s",
					      pin->name, pin->experiment,
					      pin->host));
	}
	history_experiments_free(&x);
	return status;
}

int history_gate_main(const struct history_choice *c, int argc, char **argv)
{
	struct history_pins pins = { 0 };
	struct history h;
	int status = history_no_argument("gate", argc, argv);
	int ret;

	if (!status && !c->baseline)
		return refuse(STATUS_USAGE, "history gate: which baseline? "
					    "--baseline NAME, as pinned");
	if (status)
		return status;
	ret = history_open(c->store, false, &h);
	if (!ret)
		ret = history_pins(&h, c->baseline, &c->filter, &pins);
	if (ret)
		status = err_status(ret);
	else if (!pins.n)
		status = refuse(STATUS_NO_INPUT,
				"history gate: nothing is pinned as %s; "
				"thpbench history pin %s",
				c->baseline, c->baseline);
	else
		status = gate_all(&h, c, &pins);
	history_pins_free(&pins);
	history_close(&h);
	return status;
}
