/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any three lines as kernel versions: their order is one, and what is said to
 * lie between two does.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "data/history/kver.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int sign(int x)
{
	return (x > 0) - (x < 0);
}

static void check_pair(const char *a, const char *b)
{
	auto_free char *between = kver_between(a, b);
	auto_free char *name = kver_git_name(a);

	if (sign(kver_compare(a, b)) != -sign(kver_compare(b, a)) || !name)
		abort();
	if (between &&
	    (kver_compare(a, between) >= 0 || kver_compare(between, b) >= 0))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	auto_free char *text = xstrndup((const char *)data, size);
	char *rest = text;
	const char *a = strsep(&rest, "\n");
	const char *b = rest ? strsep(&rest, "\n") : "";
	const char *c = rest ? strsep(&rest, "\n") : "";

	check_pair(a, b);
	check_pair(b, c);
	check_pair(a, c);
	if (kver_compare(a, b) <= 0 && kver_compare(b, c) <= 0 &&
	    kver_compare(a, c) > 0)
		abort();
	return 0;
}
