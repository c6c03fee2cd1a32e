/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any text as an event file: refused, or sound as a whole. */
#include <stdint.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench/counter/event_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_group(const struct event_file *f, const struct event_group *g)
{
	size_t need = 0;

	for (size_t i = 0; i < g->n; i++) {
		const struct event_role *role = event_file_role(f, g->roles[i]);

		if (!role || !role->n)
			abort();
		if (!event_file_is_fixed(f, role->name))
			need += role->n;
	}
	if (need > f->general || str_eq(g->name, "software"))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	auto_free char *text = xstrndup((const char *)data, size);
	const struct cpu_id id = { .vendor = "GenuineIntel",
				   .family = 6,
				   .model = 85 };
	struct event_file f;

	err_quiet(1);
	if (event_file_parse("fuzz.ini", text, &f))
		return 0;
	if (!f.n_pmus || !f.n_groups || !f.general)
		abort();
	for (size_t i = 0; i < f.n_pmus; i++)
		if (!f.pmus[i].n_cpus || !f.pmus[i].n_tables ||
		    !f.pmus[i].title)
			abort();
	for (size_t i = 0; i < f.n_groups; i++)
		check_group(&f, &f.groups[i]);
	event_file_find(&f, &id, "cpu", false);
	event_file_free(&f);
	return 0;
}
