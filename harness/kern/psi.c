/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kern/psi.h"

#include <errno.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"

static int parse_total(const char *line, uint64_t *out)
{
	const char *total = strstr(line, " total=");
	const char *end = strchr(line, '\n');

	if (!total || (end && total > end))
		return -EPROTO;
	total += strlen(" total=");
	return num_scan_u64(&total, out) ? -EPROTO : 0;
}

int psi_parse(const char *text, struct psi *out)
{
	struct psi psi = { 0 };
	int some = -EPROTO;
	int full = 0;

	for (const char *line = text; line && *line;) {
		if (str_starts(line, "some "))
			some = parse_total(line, &psi.some_us);
		else if (str_starts(line, "full "))
			full = parse_total(line, &psi.full_us);
		line = strchr(line, '\n');
		if (line)
			line++;
	}
	if (some || full)
		return -EPROTO;
	*out = psi;
	return 0;
}
