/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Letters and what claims expect: any text is read or refused, whole. */
#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"
#include "data/expect.h"
#include "data/published.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(const char *text)
{
	static const char *const names[] = { "tps", "huge_bytes",
					     "huge_share_pct" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct expect x;

		if (expect_parse(text, metric_find(names[i]), &x))
			continue;
		if (x.op == EXPECT_EQUAL && x.of != EXPECT_ARM &&
		    !(x.tolerance > 0))
			abort();
		expect_free(&x);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = xstrndup((const char *)data, size);
	struct published p;
	char *why;

	expect(text);
	if (published_parse("fuzz", text, &p, &why)) {
		if (!why || p.n_values || p.title)
			abort();
		free(why);
		return 0;
	}
	published_recompute(&p);
	for (size_t i = 0; i < p.n_values; i++) {
		double pct;

		published_change(&p, &p.values[i], &pct);
	}
	published_free(&p);
	return 0;
}
