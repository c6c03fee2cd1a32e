/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any text as a number; what a size or time is printed as reads back. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_round(int (*read)(const char *text, uint64_t *out),
			char *(*print)(uint64_t value), const char *text)
{
	uint64_t value;
	uint64_t again;

	if (read(text, &value) == 0) {
		auto_free char *printed = print(value);

		if (read(printed, &again) || again != value)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	auto_free char *text = xstrndup((const char *)data, size);
	uint64_t u;
	int64_t i;
	double d;

	check_round(num_size, num_size_text, text);
	check_round(num_time, num_time_text, text);
	if (num_u64(text, &u) == 0 && num_i64(text, &i) == 0 &&
	    (uint64_t)i != u)
		abort();
	if (num_double(text, &d) == 0 && !isfinite(d))
		abort();
	if (num_percent(text, &d) == 0 && !isfinite(d))
		abort();
	return 0;
}
