/* SPDX-License-Identifier: GPL-3.0-or-later */
/* /proc/pressure/memory: time that tasks waited for memory. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "bench/collect/collectors.h"
#include "data/column.h"
#include "kern/psi.h"

#define PATH "proc/pressure/memory"

static const char *const columns[] = { COL_PSI_SOME, COL_PSI_FULL };

static void psi_close(void *state)
{
	kept_close(state);
	free(state);
}

static void *psi_open(const struct collect_target *t, char **source, char **why)
{
	struct kept *file = xmalloc(sizeof(*file));
	struct psi psi;
	int ret;

	*file = KEPT_CLOSED;
	ret = kept_open(file, t->root, PATH);
	/* With psi=0 on the command line reading gives EOPNOTSUPP. */
	if (!ret)
		ret = kept_read(file);
	if (!ret)
		ret = psi_parse(file->text, &psi);
	if (ret) {
		*why = xasprintf("/" PATH ": %s: needs CONFIG_PSI, and psi=1 "
				 "on the kernel's command line",
				 strerror(-ret));
		psi_close(file);
		return NULL;
	}
	*source = xstrdup("/" PATH);
	return file;
}

static const char *const *psi_columns(void *state, size_t *n)
{
	(void)state;
	*n = ARRAY_SIZE(columns);
	return columns;
}

static void psi_sample(void *state, const struct collect_target *t,
		       double *cells)
{
	struct kept *file = state;
	struct psi psi;

	(void)t;
	if (kept_read(file) || psi_parse(file->text, &psi))
		return;
	cells[0] = (double)psi.some_us;
	cells[1] = (double)psi.full_us;
}

const struct collector collector_psi = {
	.name = "psi",
	.help = "time that tasks waited for memory",
	.open = psi_open,
	.columns = psi_columns,
	.sample = psi_sample,
	.close = psi_close,
	.none = "/" PATH " could not be read again",
};
