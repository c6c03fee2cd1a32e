/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The event files against libpfm4, and both against a table of encodings that
 * was checked elsewhere: tlb-events.tsv of $THPBENCH_TEST_DATA, else of
 * ../shared/data. Without it those tests are skipped.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "base/tsv.h"
#include "bench/counter/counter_role.h"
#include "bench/counter/event_files.h"
#include "bench/counter/event_match.h"
#include "kern/pfm.h"

#ifdef __aarch64__
static const char arch[] = "aarch64";
#else
static const char arch[] = "x86_64";
#endif

struct fixture {
	struct tsv table; /* n_rows is 0 where it is not there */
	struct event_files files;
};

static int set_up(void **state)
{
	static struct fixture f;
	const char *dir = getenv("THPBENCH_TEST_DATA");
	auto_free char *path =
		xasprintf("%s/tlb-events.tsv", dir ? dir : "../shared/data");

	*state = &f;
	if (tsv_read(path, &f.table)) {
		f.table = (struct tsv){ 0 };
		if (dir)
			return -1;
	}
	return event_files_read(NULL, &f.files);
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	tsv_free(&f->table);
	event_files_free(&f->files);
	return 0;
}

/* "4:0x3c" */
static void read_encoding(const char *text, struct perf_code *out)
{
	const char *p = text;
	uint64_t type;

	assert_int_equal(num_scan_u64(&p, &type), 0);
	assert_int_equal(*p, ':');
	assert_int_equal(num_u64(p + 1, &out->config), 0);
	out->type = (uint32_t)type;
}

static char *name_in(const struct tsv *t, size_t row)
{
	const char *event = tsv_get(t, row, "event");

	return strstr(event, "::")
		       ? xstrdup(event)
		       : xasprintf("%s::%s", tsv_get(t, row, "pmu"), event);
}

/* Rows that a library of this architecture can know. */
static bool is_for_us(const struct tsv *t, size_t row)
{
	const char *of = tsv_get(t, row, "arch");

	return str_eq(of, arch) || str_eq(of, "any");
}

struct tally {
	size_t equal;
	size_t newer;       /* the library has no tables of that PMU yet */
	size_t on_that_cpu; /* cannot be encoded elsewhere */
	size_t others;      /* of the other architecture */
};

static void check_row(const struct tsv *t, size_t row, struct tally *tally)
{
	const char *note = tsv_get(t, row, "note");
	bool is_old = str_starts(note, "[4.13.0 ok");
	auto_free char *name = name_in(t, row);
	struct perf_code want = { 0 };
	struct perf_code got = { 0 };
	const char *why;

	if (!is_for_us(t, row)) {
		tally->others++;
		return;
	}
	read_encoding(tsv_get(t, row, "encoding"), &want);
	/* With the type of the CPU's own PMU, and on such a CPU alone. */
	if (strstr(note, "off-hardware")) {
		tally->on_that_cpu++;
		return;
	}
	if (pfm_encode(name, PFM_USER_KERNEL, &got, &why)) {
		if (is_old || pfm_has_pmu(tsv_get(t, row, "pmu")))
			fail_msg("%s: %s", name, why);
		tally->newer++;
		return;
	}
	if (got.type != want.type || got.config != want.config || got.config1 ||
	    got.config2)
		fail_msg("%s: %" PRIu32 ":%#" PRIx64 ", not %s", name, got.type,
			 got.config, tsv_get(t, row, "encoding"));
	tally->equal++;
}

/*
 * libpfm4 4.13.0, or one that has emr, gnr, adl_*, zen5, n3, v3 and monaka too.
 */
static void check_tally(const struct tally *tally)
{
	static const struct {
		const char *arch;
		const char *newer_pmu;
		size_t equal[2]; /* without that PMU, with it */
		size_t newer[2];
	} rows[] = {
		{ "x86_64", "emr", { 465, 574 }, { 109, 0 } },
		{ "aarch64", "arm_v3", { 150, 209 }, { 59, 0 } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		bool is_newer = pfm_has_pmu(rows[i].newer_pmu);

		if (!str_eq(arch, rows[i].arch))
			continue;
		assert_int_equal(tally->equal, rows[i].equal[is_newer]);
		assert_int_equal(tally->newer, rows[i].newer[is_newer]);
	}
}

static void libpfm4_encodes_the_table(void **state)
{
	const struct fixture *f = *state;
	struct tally tally = { 0 };

	if (!f->table.n_rows)
		skip();
	for (size_t row = 1; row < f->table.n_rows; row++)
		check_row(&f->table, row, &tally);
	print_message("tlb-events.tsv, %s: %zu rows equal, %zu need a newer "
		      "libpfm4, %zu that CPU, %zu another architecture\n",
		      arch, tally.equal, tally.newer, tally.on_that_cpu,
		      tally.others);
	assert_int_equal(tally.equal + tally.newer + tally.on_that_cpu +
				 tally.others,
			 f->table.n_rows - 1);
	check_tally(&tally);
}

/* What the table calls a PMU without tables of libpfm4. */
static const char *pmu_in_table(const char *name)
{
	static const struct {
		const char *ours;
		const char *theirs;
	} rows[] = {
		{ "srf", "srf_raw" },
		{ "cwf", "srf_raw" },
		{ "armv8_pmuv3", "armv8_pmuv3_raw" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (str_eq(name, rows[i].ours))
			return rows[i].theirs;
	return name;
}

/*
 * Not in the table, and in the kernel's tools/perf/pmu-events/arch/x86/
 * sierraforest/virtual-memory.json.
 */
static bool is_the_kernels(const char *pmu, const struct event_role *role)
{
	return str_eq(pmu, "srf") && ((str_eq(role->name, "itlb_walk_4k") &&
				       role->words[0].code == 0x285) ||
				      (str_eq(role->name, "itlb_walk_2m") &&
				       role->words[0].code == 0x485));
}

/* Names of raw rows are numbers: the code counts. */
static bool is_in_table(const struct tsv *t, const char *pmu,
			const struct event_role *role,
			const struct event_word *word)
{
	auto_free char *proxy = xasprintf("%s_proxy", role->name);

	for (size_t row = 1; row < t->n_rows; row++) {
		const char *event = tsv_get(t, row, "event");
		const char *as = tsv_get(t, row, "role");
		struct perf_code code;

		if (!str_eq(tsv_get(t, row, "pmu"), pmu) ||
		    !(str_eq(as, role->name) ||
		      (role->is_proxy && str_eq(as, proxy))) ||
		    !(str_eq(event, word->name) ||
		      str_starts(event, "perf_raw::")))
			continue;
		read_encoding(tsv_get(t, row, "encoding"), &code);
		if (code.config == word->code)
			return true;
	}
	return false;
}

static size_t rows_of(const struct tsv *t, const char *pmu, const char *role)
{
	size_t n = 0;

	for (size_t row = 1; row < t->n_rows; row++)
		n += str_eq(tsv_get(t, row, "pmu"), pmu) &&
		     str_eq(tsv_get(t, row, "role"), role);
	return n;
}

static size_t check_pmu(const struct tsv *t, const struct event_file *f,
			const char *name)
{
	const char *pmu = pmu_in_table(name);
	size_t n = 0;

	for (size_t r = 0; r < f->n_roles; r++) {
		const struct event_role *role = &f->roles[r];
		size_t rows = rows_of(t, pmu, role->name);

		if (is_the_kernels(name, role)) {
			assert_int_equal(rows, 0);
			continue;
		}
		for (size_t i = 0; i < role->n; i++)
			if (!is_in_table(t, pmu, role, &role->words[i]))
				fail_msg("%s, %s: %s %#" PRIx64
					 " is not in tlb-events.tsv",
					 f->path, pmu, role->words[i].name,
					 role->words[i].code);
		/* A sum is whole. */
		if (rows != role->n && !(role->is_proxy && !rows))
			fail_msg("%s, %s: %zu events for %s, not %zu", f->path,
				 pmu, role->n, role->name, rows);
		n += role->n;
	}
	return n;
}

static void event_files_are_of_the_table(void **state)
{
	const struct fixture *f = *state;
	size_t n_pmus = 0;
	size_t n = 0;

	if (!f->table.n_rows)
		skip();
	for (size_t i = 0; i < f->files.n; i++) {
		const struct event_file *file = &f->files.list[i];

		for (size_t p = 0; p < file->n_pmus; p++, n_pmus++)
			n += check_pmu(&f->table, file, file->pmus[p].name);
	}
	print_message("event files: %zu events of %zu PMUs are as in "
		      "tlb-events.tsv, 2 as in the kernel's list\n",
		      n, n_pmus);
	assert_true(n > 300);
}

/* How many; 0 if this library has no such tables. */
static size_t encode_all(const struct event_file *f, const char *tables)
{
	size_t n = 0;

	if (!str_eq(tables, EVENT_RAW) && !pfm_has_pmu(tables))
		return 0;
	for (size_t r = 0; r < f->n_roles; r++) {
		for (size_t i = 0; i < f->roles[r].n; i++) {
			const struct event_word *w = &f->roles[r].words[i];
			auto_free char *name =
				str_eq(tables, EVENT_RAW)
					? xasprintf("perf_raw::r%" PRIx64,
						    w->code)
					: xasprintf("%s::%s", tables, w->name);
			struct perf_code code;
			const char *why;

			if (pfm_encode(name, PFM_USER, &code, &why))
				fail_msg("%s: %s: %s", f->path, name, why);
			if (code.config != w->code || code.type != 4)
				fail_msg("%s: %s: %" PRIu32 ":%#" PRIx64
					 ", not %#" PRIx64,
					 f->path, name, code.type, code.config,
					 w->code);
			n++;
		}
	}
	return n;
}

/* Near tables too: whatever a library has must give the file's codes. */
static void libpfm4_encodes_the_event_files(void **state)
{
	const struct fixture *f = *state;
	size_t n = 0;

	for (size_t i = 0; i < f->files.n; i++) {
		const struct event_file *file = &f->files.list[i];

		for (size_t p = 0; p < file->n_pmus; p++)
			for (size_t t = 0; t < file->pmus[p].n_tables; t++)
				n += encode_all(file, file->pmus[p].tables[t]);
	}
	print_message("event files: %zu encodings of libpfm4 for %s, all as "
		      "written\n",
		      n, arch);
	/* Of libpfm4 4.13.0; a newer one has more tables. */
	assert_true(n >= (str_eq(arch, "x86_64") ? 443 : 72));
}

static void every_event_has_a_code(void **state)
{
	const struct fixture *f = *state;

	for (size_t i = 0; i < f->files.n; i++) {
		const struct event_file *file = &f->files.list[i];

		for (size_t r = 0; r < file->n_roles; r++)
			for (size_t w = 0; w < file->roles[r].n; w++)
				assert_true(file->roles[r].words[w].has_code);
	}
}

/* Files that claim a CPU, told apart by its folder in sysfs. */
static size_t claims(const struct event_files *files, const struct cpu_id *id)
{
	static const char *const folders[] = { "cpu", "cpu_core", "cpu_atom",
					       "armv8_pmuv3" };
	size_t most = 0;

	for (size_t s = 0; s < ARRAY_SIZE(folders); s++) {
		size_t n = 0;

		for (size_t i = 0; i < files->n; i++)
			n += event_file_find(&files->list[i], id, folders[s],
					     false) != NULL;
		if (n > most)
			most = n;
	}
	return most;
}

static void no_cpu_is_claimed_twice(void **state)
{
	static const char *const vendors[] = { "GenuineIntel", "AuthenticAMD",
					       "HygonGenuine" };
	const struct fixture *f = *state;
	size_t n = 0;

	for (size_t v = 0; v < ARRAY_SIZE(vendors); v++) {
		struct cpu_id id = { .stepping = 7 };

		snprintf(id.vendor, sizeof(id.vendor), "%s", vendors[v]);
		for (id.family = 6; id.family < 32; id.family++)
			for (id.model = 0; id.model < 256; id.model++) {
				size_t found = claims(&f->files, &id);

				assert_in_range(found, 0, 1);
				n += found;
			}
	}
	for (uint64_t part = 0; part < 4096; part++)
		for (uint64_t by = 0x40; by < 0x80; by++) {
			const struct cpu_id id = { .is_arm = true,
						   .implementer = by,
						   .part = part };
			size_t found = claims(&f->files, &id);

			assert_in_range(found, 0, 1);
			n += found;
		}
	print_message("event files: %zu models of CPUs, each in one file\n", n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(libpfm4_encodes_the_table),
		cmocka_unit_test(event_files_are_of_the_table),
		cmocka_unit_test(libpfm4_encodes_the_event_files),
		cmocka_unit_test(every_event_has_a_code),
		cmocka_unit_test(no_cpu_is_claimed_twice),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
