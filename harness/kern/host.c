/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kern/host.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "kern/host_cpu.h"
#include "kern/procstat.h"
#include "kern/vmstat.h"

static void set_word(const struct root *root, struct facts *out,
		     const char *name, const char *path)
{
	auto_free char *text = NULL;

	if (!root_read_word(root, path, &text) && *text)
		facts_set(out, name, text);
}

static void set_meminfo(const struct root *root, struct facts *out)
{
	static const char *const names[] = { "MemTotal", "SwapTotal" };
	static const char *const facts[] = { "memory_bytes", "swap_bytes" };
	auto_free char *text = NULL;
	unsigned char is_there[ARRAY_SIZE(names)];
	uint64_t v[ARRAY_SIZE(names)];

	if (root_read(root, "proc/meminfo", &text))
		return;
	vmstat_parse(text, names, ARRAY_SIZE(names), v, is_there);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (is_there[i])
			facts_setf(out, facts[i], "%" PRIu64, v[i]);
}

/* Of a recorded machine: as the first mapping of its smaps says. */
static void set_page_size(const struct root *root, struct facts *out)
{
	auto_free char *text = NULL;
	uint64_t bytes;

	if (root->is_live)
		facts_setf(out, "page_bytes", "%ld", sysconf(_SC_PAGESIZE));
	else if (!root_read(root, "proc/self/smaps", &text) &&
		 !vmstat_get(text, "KernelPageSize", &bytes))
		facts_setf(out, "page_bytes", "%" PRIu64, bytes);
}

static void set_os(const struct root *root, struct facts *out)
{
	static const char key[] = "\nPRETTY_NAME=";
	auto_free char *text = NULL;
	struct str lines = { 0 };
	char *value;

	if (root_read(root, "etc/os-release", &text) &&
	    root_read(root, "usr/lib/os-release", &text))
		return;
	str_addf(&lines, "\n%s", text);
	value = strstr(lines.text, key);
	if (value) {
		value += strlen(key);
		value[strcspn(value, "\n")] = '\0';
		value = str_trim(value);
		value += strspn(value, "\"'");
		value[strcspn(value, "\"'")] = '\0';
	}
	if (value && *value)
		facts_set(out, "os", value);
	str_free(&lines);
}

static void set_mitigations(const struct root *root, struct facts *out)
{
	static const char dir[] = "sys/devices/system/cpu/vulnerabilities";
	struct str sum = { 0 };
	char **names;
	size_t n;

	if (root_list(root, dir, &names, &n))
		return;
	for (size_t i = 0; i < n; i++) {
		auto_free char *path = xasprintf("%s/%s", dir, names[i]);
		auto_free char *text = NULL;

		if (!root_read_word(root, path, &text) && *text)
			str_addf(&sum, "%s%s: %s", sum.len ? "; " : "",
				 names[i], text);
	}
	if (sum.len)
		facts_set(out, "mitigations", sum.text);
	str_free(&sum);
	root_list_free(names, n);
}

static void set_buddyinfo(const struct root *root, struct facts *out)
{
	auto_free char *text = NULL;
	auto_free char **lines = NULL;
	struct str sum = { 0 };
	size_t n;

	if (root_read_word(root, "proc/buddyinfo", &text) || !*text)
		return;
	lines = str_split(text, '\n', &n);
	for (size_t i = 0; i < n; i++) {
		auto_free char **words = NULL;
		size_t n_words;

		words = str_split(lines[i], ' ', &n_words);
		if (sum.len)
			str_addc(&sum, ';');
		for (size_t j = 0; j < n_words; j++)
			str_addf(&sum, "%s%s", sum.len ? " " : "", words[j]);
	}
	facts_set(out, "buddyinfo", sum.text);
	str_free(&sum);
}

uint64_t host_huge_page_bytes(const struct root *root)
{
	auto_free char *text = NULL;
	uint64_t bytes;

	if (root_read_word(root,
			   "sys/kernel/mm/transparent_hugepage/hpage_pmd_size",
			   &text) ||
	    num_u64(text, &bytes) || !bytes || bytes & (bytes - 1))
		return 2 * NUM_MIB;
	return bytes;
}

uint64_t host_available_bytes(const struct root *root)
{
	auto_free char *text = NULL;
	uint64_t bytes = 0;

	if (root_read(root, "proc/meminfo", &text) ||
	    vmstat_get(text, "MemAvailable", &bytes))
		return 0;
	return bytes;
}

uint64_t host_oom_kills(const struct root *root)
{
	auto_free char *text = NULL;
	uint64_t n = 0;

	if (root_read(root, "proc/vmstat", &text) ||
	    vmstat_get(text, "oom_kill", &n))
		return 0;
	return n;
}

void host_facts(const struct root *root, struct facts *out)
{
	int thp;

	set_word(root, out, "hostname", "proc/sys/kernel/hostname");
	set_word(root, out, "kernel", "proc/sys/kernel/osrelease");
	set_word(root, out, "kernel_version", "proc/sys/kernel/version");
	set_word(root, out, "kernel_cmdline", "proc/cmdline");
	host_cpu_facts(root, out);
	set_meminfo(root, out);
	set_page_size(root, out);
	facts_setf(out, "huge_page_bytes", "%" PRIu64,
		   host_huge_page_bytes(root));
	set_os(root, out);
	set_word(root, out, "smt", "sys/devices/system/cpu/smt/control");
	set_mitigations(root, out);
	set_buddyinfo(root, out);
	thp = procstat_thp_enabled(root, 0);
	if (thp >= 0)
		facts_setf(out, "thp_enabled_self", "%d", thp);
}
