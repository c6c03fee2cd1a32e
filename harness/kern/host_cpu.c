/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kern/host_cpu.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

/* "8", "10-11"; 0 if it is none. No machine has a million; garbage has. */
static size_t scan_part(const char **text)
{
	uint64_t first;
	uint64_t last;

	if (num_scan_u64(text, &first))
		return 0;
	last = first;
	if (**text == '-') {
		(*text)++;
		if (num_scan_u64(text, &last))
			return 0;
	}
	if (last < first || last - first > 1000000)
		return 0;
	return (size_t)(last - first) + 1;
}

size_t host_count_list(const char *text)
{
	size_t count = 0;

	for (;; text++) {
		size_t n = scan_part(&text);

		if (!n)
			return 0;
		count += n;
		if (!*text || *text == '\n')
			return count;
		if (*text != ',')
			return 0;
	}
}

/* The value of the first line "key : value" of cpuinfo, or NULL. free(). */
static char *cpuinfo_get(const char *cpuinfo, const char *key)
{
	size_t len = strlen(key);

	for (const char *line = cpuinfo; line && *line;) {
		const char *p = line + len;

		if (strncmp(line, key, len) == 0) {
			p += strspn(p, " \t");
			if (*p == ':') {
				p++;
				p += strspn(p, " \t");
				return xstrndup(p, strcspn(p, "\n"));
			}
		}
		line = strchr(line, '\n');
		if (line)
			line++;
	}
	return NULL;
}

static size_t cpuinfo_count(const char *cpuinfo)
{
	size_t count = 0;

	for (const char *line = cpuinfo; line && *line;) {
		count += str_starts(line, "processor");
		line = strchr(line, '\n');
		if (line)
			line++;
	}
	return count;
}

/* MIDR_EL1 of servers: Documentation/arch/arm64/cpu-feature-registers.rst */
static const struct {
	const char *implementer;
	const char *part;
	const char *name;
} arm_parts[] = {
	{ "0x41", "0xd08", "Arm Cortex-A72" },
	{ "0x41", "0xd0c", "Arm Neoverse-N1" },
	{ "0x41", "0xd40", "Arm Neoverse-V1" },
	{ "0x41", "0xd49", "Arm Neoverse-N2" },
	{ "0x41", "0xd4f", "Arm Neoverse-V2" },
	{ "0x41", "0xd84", "Arm Neoverse-V3" },
	{ "0x41", "0xd8e", "Arm Neoverse-N3" },
	{ "0x46", "0x001", "Fujitsu A64FX" },
	{ "0x48", "0xd01", "HiSilicon TaiShan v110 (Kunpeng 920)" },
	{ "0x48", "0xd02", "HiSilicon TaiShan v120" },
	{ "0x4e", "0x004", "Nvidia Carmel" },
	{ "0xc0", "0xac3", "Ampere-1" },
	{ "0xc0", "0xac4", "Ampere-1a" },
};

static void set_model(const char *cpuinfo, struct facts *out)
{
	auto_free char *model = cpuinfo_get(cpuinfo, "model name");
	auto_free char *by = cpuinfo_get(cpuinfo, "CPU implementer");
	auto_free char *part = cpuinfo_get(cpuinfo, "CPU part");

	if (model && *model) {
		facts_set(out, "cpu", model);
		return;
	}
	if (!by || !part)
		return;
	facts_setf(out, "cpu", "implementer %s, part %s", by, part);
	for (size_t i = 0; i < ARRAY_SIZE(arm_parts); i++)
		if (str_eq(by, arm_parts[i].implementer) &&
		    str_eq(part, arm_parts[i].part))
			facts_set(out, "cpu", arm_parts[i].name);
}

static void set_arch(const struct root *root, const char *cpuinfo,
		     struct facts *out)
{
	auto_free char *text = NULL;
	auto_free char *vendor = cpuinfo_get(cpuinfo, "vendor_id");
	auto_free char *by = cpuinfo_get(cpuinfo, "CPU implementer");
	struct utsname names;

	/* Since Linux 6.1. */
	if (!root_read_word(root, "proc/sys/kernel/arch", &text) && *text)
		facts_set(out, "arch", text);
	else if (root->is_live && uname(&names) == 0)
		facts_set(out, "arch", names.machine);
	else if (by)
		facts_set(out, "arch", "aarch64");
	else if (vendor)
		facts_set(out, "arch", "x86_64");
}

static void set_lists(const struct root *root, const char *cpuinfo,
		      struct facts *out)
{
	auto_free char *cpus = NULL;
	auto_free char *nodes = NULL;
	size_t n = 0;

	if (!root_read_word(root, "sys/devices/system/cpu/online", &cpus))
		n = host_count_list(cpus);
	if (n)
		facts_set(out, "cpu_list", cpus);
	else
		n = cpuinfo_count(cpuinfo);
	if (n)
		facts_setf(out, "cpus", "%zu", n);
	if (!root_read_word(root, "sys/devices/system/node/online", &nodes) &&
	    host_count_list(nodes))
		facts_setf(out, "numa_nodes", "%zu", host_count_list(nodes));
}

/* What firmware calls itself in a virtual machine. */
static const char *hypervisor_by_dmi(const struct root *root)
{
	static const char *const files[] = {
		"sys/class/dmi/id/sys_vendor",
		"sys/class/dmi/id/product_name",
		"sys/class/dmi/id/bios_vendor",
	};
	static const struct {
		const char *text;
		const char *name;
	} rows[] = {
		{ "QEMU", "QEMU" },
		{ "KVM", "KVM" },
		{ "VMware", "VMware" },
		{ "VirtualBox", "VirtualBox" },
		{ "innotek", "VirtualBox" },
		{ "Virtual Machine", "Hyper-V" },
		{ "Xen", "Xen" },
		{ "Google Compute Engine", "Google Compute Engine" },
		{ "Alibaba Cloud ECS", "Alibaba Cloud" },
		{ "OpenStack", "OpenStack" },
		{ "Parallels", "Parallels" },
		{ "Bochs", "Bochs" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		auto_free char *text = NULL;

		if (root_read(root, files[i], &text))
			continue;
		for (size_t j = 0; j < ARRAY_SIZE(rows); j++)
			if (strstr(text, rows[j].text))
				return rows[j].name;
	}
	return NULL;
}

static void set_hypervisor(const struct root *root, const char *cpuinfo,
			   struct facts *out)
{
	auto_free char *type = NULL;
	auto_free char *flags = cpuinfo_get(cpuinfo, "flags");
	const char *name = hypervisor_by_dmi(root);

	if (name)
		facts_set(out, "hypervisor", name);
	else if (!root_read_word(root, "sys/hypervisor/type", &type) && *type)
		facts_set(out, "hypervisor", type);
	else if (flags)
		facts_set(out, "hypervisor",
			  strstr(flags, " hypervisor") ? "unknown" : "none");
}

/* Each word once, in the order of the policies. */
static void set_governor(const struct root *root, struct facts *out)
{
	static const char dir[] = "sys/devices/system/cpu/cpufreq";
	struct facts seen = { 0 };
	struct str sum = { 0 };
	char **names;
	size_t n;

	if (root_list(root, dir, &names, &n))
		return;
	for (size_t i = 0; i < n; i++) {
		auto_free char *path =
			xasprintf("%s/%s/scaling_governor", dir, names[i]);
		auto_free char *word = NULL;

		if (root_read_word(root, path, &word) || !*word ||
		    *facts_get(&seen, word))
			continue;
		facts_set(&seen, word, "1");
		str_addf(&sum, "%s%s", sum.len ? ", " : "", word);
	}
	if (sum.len)
		facts_set(out, "governor", sum.text);
	str_free(&sum);
	facts_free(&seen);
	root_list_free(names, n);
}

void host_cpu_facts(const struct root *root, struct facts *out)
{
	auto_free char *cpuinfo = NULL;

	if (root_read(root, "proc/cpuinfo", &cpuinfo))
		cpuinfo = xstrdup("");
	set_arch(root, cpuinfo, out);
	set_model(cpuinfo, out);
	set_lists(root, cpuinfo, out);
	set_hypervisor(root, cpuinfo, out);
	set_governor(root, out);
}
