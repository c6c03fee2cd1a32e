/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/history/history_pin.h"

#include <errno.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

struct pins_work {
	const struct history_filter *f;
	struct history_pins *out;
};

static int take_pin(void *arg, const struct sql_value *cells, size_t n)
{
	struct pins_work *w = arg;
	struct history_pins *out = w->out;

	if (n != 7 || (w->f->host && !str_eq(w->f->host, cells[3].text)) ||
	    !history_is_config(w->f, cells[4].text, cells[5].text))
		return 0;
	XGROW(out->list, out->n);
	out->list[out->n++] = (struct history_pin){
		.name = xstrdup(cells[0].text),
		.uid = xstrdup(cells[1].text),
		.experiment = xstrdup(cells[2].text),
		.host = xstrdup(cells[3].text),
		.config = xstrdup(cells[4].text),
		.config_path = xstrdup(cells[5].text),
		.pinned = xstrdup(cells[6].text),
	};
	return 0;
}

static int read_pins(struct history *h, const char *name,
		     const struct history_filter *f, struct history_pins *out)
{
	const struct sql_value args[] = { sql_text(name) };
	struct pins_work w = { f, out };
	struct sql_query q = {
		.text = name ? "SELECT p.name, p.experiment, e.name, p.host, "
			       "p.config, e.config_path, p.pinned FROM pin p "
			       "JOIN experiment e ON e.uid = p.experiment "
			       "WHERE p.name = ? ORDER BY p.host, p.config"
			     : "SELECT p.name, p.experiment, e.name, p.host, "
			       "p.config, e.config_path, p.pinned FROM pin p "
			       "JOIN experiment e ON e.uid = p.experiment "
			       "ORDER BY p.name, p.host, p.config",
		.args = args,
		.n_args = name ? 1 : 0,
		.row = take_pin,
		.arg = &w,
	};

	*out = (struct history_pins){ 0 };
	return sql_query(&h->db, &q);
}

int history_pins(struct history *h, const char *name,
		 const struct history_filter *f, struct history_pins *out)
{
	int ret = read_pins(h, name, f, out);

	return ret ? history_fail(h, ret) : 0;
}

void history_pins_free(struct history_pins *p)
{
	for (size_t i = 0; i < p->n; i++) {
		free(p->list[i].name);
		free(p->list[i].uid);
		free(p->list[i].experiment);
		free(p->list[i].host);
		free(p->list[i].config);
		free(p->list[i].config_path);
		free(p->list[i].pinned);
	}
	free(p->list);
	*p = (struct history_pins){ 0 };
}

static int write_pin(struct history *h, const char *name,
		     const struct history_experiment *e)
{
	auto_free char *now = clock_wall_text();
	const struct sql_value args[] = {
		sql_text(name),   sql_text(e->host), sql_text(e->config),
		sql_text(e->uid), sql_text(now),
	};
	struct sql_query q = {
		.text = "DELETE FROM pin WHERE name = ? AND host = ? "
			"AND config = ?",
		.args = args,
		.n_args = 3,
	};
	int ret = sql_query(&h->db, &q);

	if (ret)
		return ret;
	return sql_insert(&h->db,
			  "INSERT INTO pin (name, host, config, experiment, "
			  "pinned) VALUES",
			  args, ARRAY_SIZE(args), 1);
}

static int pin_within(struct history *h, const char *name,
		      const struct history_experiment *e, bool may_move)
{
	const struct history_filter f = { .host = e->host,
					  .config = e->config };
	struct history_pins there;
	int ret = read_pins(h, name, &f, &there);

	if (!ret && there.n && str_eq(there.list[0].uid, e->uid))
		ret = 0;
	else if (!ret && there.n && !may_move)
		ret = sql_fail(&h->db, -EEXIST,
			       "%s is pinned to %s there, since %s; --move "
			       "moves it",
			       name, there.list[0].experiment,
			       there.list[0].pinned);
	else if (!ret)
		ret = write_pin(h, name, e);
	history_pins_free(&there);
	return ret;
}

int history_pin(struct history *h, const char *name,
		const struct history_experiment *e, bool may_move)
{
	const struct sql_kind *kind = h->db.kind;
	int ret = kind->begin(&h->db);

	if (!ret)
		ret = pin_within(h, name, e, may_move);
	if (!ret)
		ret = kind->commit(&h->db);
	if (!ret)
		return 0;
	kind->rollback(&h->db);
	return history_fail(h, ret);
}
