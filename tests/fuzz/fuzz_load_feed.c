/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A load's report in pieces: how it is cut must make no difference. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "bench/load/load.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void feed(struct load *l, const char *text, size_t n, size_t piece)
{
	for (size_t at = 0; at < n; at += piece)
		load_feed(l, text + at, n - at < piece ? n - at : piece, NULL,
			  0);
}

static int same_bytes(double a, double b)
{
	return memcmp(&a, &b, sizeof(a)) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct load whole = { 0 };
	struct load cut = { 0 };

	if (size == 0)
		return 0;
	feed(&whole, (const char *)data + 1, size - 1, size);
	feed(&cut, (const char *)data + 1, size - 1, data[0] % 32 + 1);
	if (whole.n_lines != cut.n_lines || whole.has_final != cut.has_final ||
	    whole.n_pending != cut.n_pending ||
	    !same_bytes(whole.transactions, cut.transactions) ||
	    !str_eq(whole.bad_line, cut.bad_line))
		abort();
	free(whole.bad_line);
	free(cut.bad_line);
	return 0;
}
