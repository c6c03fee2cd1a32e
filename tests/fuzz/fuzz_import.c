/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any text as a file of any format: refused, or runs with named values. */
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "data/extra.h"
#include "data/import/import_parts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_run(const struct import *im, const struct import_run *run)
{
	if (run->arm >= im->e.n_arms)
		abort();
	for (size_t i = 0; i < run->n_values; i++) {
		const struct extra_value *v = &run->values[i];

		if (!extra_find(&im->e, v->metric) ||
		    v->value.is_there == (v->value.why != NULL))
			abort();
	}
	for (size_t i = 1; i < run->n_lines; i++)
		if (!(run->lines[i * (1 + run->n_columns)] >
		      run->lines[(i - 1) * (1 + run->n_columns)]))
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct import_request request = { .from_s = NAN, .to_s = NAN };
	struct import im = { .request = &request, .path = "x" };
	auto_free char *text = NULL;
	int ret;

	if (!size)
		return 0;
	request.format = &import_formats[data[0] % n_import_formats];
	text = xstrndup((const char *)data + 1, size - 1);
	im.label = xstrdup("arm");
	err_quiet(1);
	ret = request.format->read(&im, text);
	if (im.finish)
		im.finish(&im);
	if (ret && ret != -EILSEQ)
		abort();
	for (size_t i = 0; i < im.n_runs; i++)
		check_run(&im, im.runs[i]);
	import_free(&im);
	return 0;
}
