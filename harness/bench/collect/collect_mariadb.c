/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SHOW GLOBAL STATUS of the server, at most once a second and at the edges of
 * phases: its price is paid by the server, not by us.
 */
#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/num.h"
#include "bench/collect/collectors.h"

static const char *const names[] = {
	"innodb_buffer_pool_reads",
	"innodb_buffer_pool_read_requests",
	"innodb_buffer_pool_pages_data",
	"innodb_buffer_pool_pages_total",
	"com_commit",
	"com_select",
	"questions",
	"threads_running",
};

struct status {
	struct columns columns;
	uint64_t next_ns;
};

static void *status_open(const struct collect_target *t, char **source,
			 char **why)
{
	struct status *s = xcalloc(1, sizeof(*s));

	(void)t;
	(void)why;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		columns_add(&s->columns, xasprintf("my_%s", names[i]));
	*source = xstrdup("SHOW GLOBAL STATUS");
	return s;
}

static const char *const *status_columns(void *state, size_t *n)
{
	struct status *s = state;

	*n = s->columns.n;
	return (const char *const *)s->columns.names;
}

static void status_sample(void *state, const struct collect_target *t,
			  double *cells)
{
	struct status *s = state;
	uint64_t now = clock_ns();

	if (!t->server || t->server_pid <= 0 ||
	    (now < s->next_ns && !t->is_edge))
		return;
	/* A tick that comes a little early is still the next second's. */
	s->next_ns = now + NUM_NS_PER_S - NUM_NS_PER_S / 20;
	server_status(t->server, names, ARRAY_SIZE(names), cells);
}

static void status_close(void *state)
{
	struct status *s = state;

	columns_free(&s->columns);
	free(s);
}

const struct collector collector_mariadb = {
	.name = "mariadb",
	.help = "SHOW GLOBAL STATUS of the server, at most once a second",
	.open = status_open,
	.columns = status_columns,
	.sample = status_sample,
	.close = status_close,
	.none = "no database",
};
