/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What apt and its files say: sources of both forms, paragraphs, dependencies,
 * complaints. A source that was written is read again the same.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "bench/packages/apt_parts.h"
#include "bench/packages/apt_sources.h"
#include "bench/packages/deb_depends.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_written(const struct facts *entry)
{
	auto_free char *text = apt_source_text(entry, "sid", "");
	struct deb822 again = { 0 };

	if (apt_sources_parse("x.sources", text, &again) || again.n != 1 ||
	    strcmp(facts_get(&again.list[0], "suites"), "sid"))
		abort();
	deb822_free(&again);
}

static void check_sources(const char *name, const char *text)
{
	struct deb822 d = { 0 };

	apt_sources_parse(name, text, &d);
	for (size_t i = 0; i < d.n; i++) {
		apt_source_is(&d.list[i], "bookworm", APT_MAIN);
		apt_source_is(&d.list[i], "", APT_SECURITY);
		check_written(&d.list[i]);
	}
	deb822_free(&d);
}

static void check_depends(const char *text)
{
	size_t n;
	struct deb_depend *list = deb_depends_parse(text, &n);

	for (size_t i = 0; i < n; i++)
		if (strlen(list[i].name) < 2 || strpbrk(list[i].name, " ,|\n"))
			abort();
	if (n && list[0].is_alternative)
		abort();
	deb_depends_free(list, n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	auto_free char *text = xstrndup((const char *)data, size);
	auto_free char *complaint = apt_complaint(text);

	if (strchr(complaint, '\n'))
		abort();
	check_sources("x.sources", text);
	check_sources("x.list", text);
	check_depends(text);
	apt_is_suite_name(text);
	apt_suite_kind(text);
	return 0;
}
