/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any text as a program's output, any path into its JSON. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "bench/config/pick.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A figure that is finite, or a reason. */
static void look(int ret, double value, char *why)
{
	if (ret ? !why : why || !isfinite(value))
		abort();
	free(why);
}

/* The first line is the path, the rest the output. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	auto_free char *all = xstrndup((const char *)data, size);
	char *text = strchr(all, '\n');
	char *why = NULL;
	double value = NAN;
	int ret;

	if (!text)
		return 0;
	*text++ = '\0';
	ret = pick_json(text, all, &value, &why);
	look(ret, value, why);
	free(pick_json_fault(all));
	why = NULL;
	value = NAN;
	ret = pick_regex(text, "^[a-z]*: *([0-9.e+-]+)|x([0-9]*)", &value,
			 &why);
	look(ret, value, why);
	return 0;
}
