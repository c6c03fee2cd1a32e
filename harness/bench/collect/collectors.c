/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/collect/collectors.h"

#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"

void columns_add(struct columns *c, char *name)
{
	XGROW(c->names, c->n);
	c->names[c->n++] = name;
}

void columns_free(struct columns *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->names[i]);
	free(c->names);
	*c = (struct columns){ 0 };
}

static int read_number(struct kept *file, double *out)
{
	const char *text;
	uint64_t v;
	int ret = kept_read(file);

	text = file->text;
	if (!ret && num_scan_u64(&text, &v))
		ret = -EPROTO;
	if (!ret)
		*out = (double)v;
	return ret;
}

int numbers_add(struct numbers *s, const struct root *root, const char *path,
		char *column)
{
	struct kept file = KEPT_CLOSED;
	double value;
	int ret = kept_open(&file, root, path);

	if (!ret)
		ret = read_number(&file, &value);
	if (ret) {
		kept_close(&file);
		free(column);
		return ret;
	}
	XGROW(s->files, s->columns.n);
	s->files[s->columns.n] = file;
	columns_add(&s->columns, column);
	return 0;
}

const char *const *numbers_columns(void *state, size_t *n)
{
	struct numbers *s = state;

	*n = s->columns.n;
	return (const char *const *)s->columns.names;
}

void numbers_sample(void *state, const struct collect_target *t, double *cells)
{
	struct numbers *s = state;

	(void)t;
	for (size_t i = 0; i < s->columns.n; i++)
		read_number(&s->files[i], &cells[i]);
}

void numbers_close(void *state)
{
	struct numbers *s = state;

	for (size_t i = 0; i < s->columns.n; i++)
		kept_close(&s->files[i]);
	free(s->files);
	columns_free(&s->columns);
	free(s);
}
