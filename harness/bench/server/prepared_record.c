/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prepared.tsv: what a kept folder was made of. Its presence: complete. */
#include <errno.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "base/tsv.h"
#include "bench/server/prepared_parts.h"

static const char size_name[] = "data_bytes";

static void add_row(struct str *out, const char *name, const char *value)
{
	tsv_add_cell(out, name);
	tsv_add_cell(out, value);
	str_addc(out, '\n');
}

int prepared_write(const char *dir, const struct facts *parts,
		   uint64_t data_bytes)
{
	auto_free char *path = xasprintf("%s/prepared.tsv", dir);
	auto_free char *made = clock_wall_text();
	auto_free char *size =
		xasprintf("%llu", (unsigned long long)data_bytes);
	auto_str struct str out = { 0 };
	int ret;

	add_row(&out, size_name, size);
	add_row(&out, "made", made);
	for (size_t i = 0; i < parts->n; i++)
		add_row(&out, parts->list[i].name, parts->list[i].value);
	ret = file_publish(path, out.text);
	return ret ? fail(ret, "write %s", path) : 0;
}

int prepared_read(const char *dir, uint64_t *data_bytes)
{
	auto_free char *path = xasprintf("%s/prepared.tsv", dir);
	struct tsv t;
	int ret = tsv_read(path, &t);

	if (ret)
		return -ENOENT;
	if (!str_eq(tsv_cell(&t, 0, 0), size_name) ||
	    num_u64(tsv_cell(&t, 0, 1), data_bytes))
		ret = -ENOENT;
	tsv_free(&t);
	return ret;
}
