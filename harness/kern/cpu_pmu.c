/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kern/cpu_pmu.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

/*
 * arch/x86/events/core.c and arch/x86/events/intel/core.c (hybrid),
 * drivers/perf/arm_pmuv3.c. Those of the uncore have other names.
 */
static bool is_of_cores(const char *name)
{
	static const char *const names[] = { "cpu", "cpu_core", "cpu_atom",
					     "cpu_lowpower" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (str_eq(name, names[i]))
			return true;
	return str_starts(name, "armv8") || str_starts(name, "armv9");
}

int cpu_pmu_parse_event(const char *text, uint64_t *code)
{
	const char *p = text;

	for (;; p++) {
		size_t n = strcspn(p, ",\n");

		if (str_starts(p, "event=")) {
			auto_free char *number = xstrndup(p + 6, n - 6);

			return num_u64(number, code) ? -EPROTO : 0;
		}
		p += n;
		if (*p != ',')
			return -EPROTO;
	}
}

static void read_events(const struct root *root, struct cpu_pmu *pmu)
{
	auto_free char *dir = xasprintf(CPU_PMU_DIR "/%s/events", pmu->name);
	char **names;
	size_t n;

	if (root_list(root, dir, &names, &n))
		return;
	for (size_t i = 0; i < n; i++) {
		auto_free char *path = xasprintf("%s/%s", dir, names[i]);
		auto_free char *text = NULL;
		uint64_t code;

		if (root_read(root, path, &text) ||
		    cpu_pmu_parse_event(text, &code))
			continue;
		XGROW(pmu->codes, pmu->n_codes);
		pmu->codes[pmu->n_codes++] = code;
	}
	root_list_free(names, n);
}

static bool read_one(const struct root *root, const char *name,
		     struct cpu_pmu *out)
{
	auto_free char *type_path = xasprintf(CPU_PMU_DIR "/%s/type", name);
	auto_free char *cpus_path = xasprintf(CPU_PMU_DIR "/%s/cpus", name);
	auto_free char *type = NULL;
	auto_free char *cpus = NULL;
	uint64_t number;

	if (root_read_word(root, type_path, &type) || num_u64(type, &number) ||
	    number > UINT32_MAX)
		return false;
	*out = (struct cpu_pmu){
		.name = xstrdup(name),
		.type = (uint32_t)number,
	};
	if (!root_read_word(root, cpus_path, &cpus) && *cpus)
		out->cpus = xstrdup(cpus);
	read_events(root, out);
	return true;
}

void cpu_pmus_read(const struct root *root, struct cpu_pmus *out)
{
	struct cpu_pmu pmu;
	char **names;
	size_t n;

	*out = (struct cpu_pmus){ 0 };
	if (root_list(root, CPU_PMU_DIR, &names, &n))
		return;
	for (size_t i = 0; i < n; i++) {
		if (!is_of_cores(names[i]) || !read_one(root, names[i], &pmu))
			continue;
		XGROW(out->list, out->n);
		out->list[out->n++] = pmu;
	}
	root_list_free(names, n);
}

bool cpu_pmu_has_code(const struct cpu_pmu *pmu, uint64_t code)
{
	for (size_t i = 0; i < pmu->n_codes; i++)
		if (pmu->codes[i] == code)
			return true;
	return false;
}

void cpu_pmus_free(struct cpu_pmus *pmus)
{
	for (size_t i = 0; i < pmus->n; i++) {
		free(pmus->list[i].name);
		free(pmus->list[i].cpus);
		free(pmus->list[i].codes);
	}
	free(pmus->list);
	*pmus = (struct cpu_pmus){ 0 };
}
