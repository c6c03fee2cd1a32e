/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/column.h"

#include "base/mem.h"
#include "base/str.h"

/* The prefix says whose it is. */
static const struct {
	const char *prefix;
	const char *collector;
} owners[] = {
	{ COL_RSS, "memory" },   { COL_HUGE, "memory" }, { "vm_", "vmstat" },
	{ "kh_", "khugepaged" }, { "mthp_", "mthp" },    { "cg_", "cgroup" },
	{ "cpu_", "cpu" },       { "psi_", "psi" },      { "my_", "mariadb" },
	{ "damos_", "damos" },   { "tr_", "trace" },     { "ctr_", "counters" },
	{ "pool_", "mariadb" }, /* no column: a total from the same source */
};

const char *column_owner(const char *column)
{
	for (size_t i = 0; i < ARRAY_SIZE(owners); i++)
		if (str_starts(column, owners[i].prefix))
			return owners[i].collector;
	return "";
}
