/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/guest/guest_pack.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/elf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/paths.h"
#include "base/proc.h"
#include "base/str.h"

static int add_busybox(struct guest_files *f)
{
	auto_free char *path = proc_find_program("busybox");
	struct elf elf = { 0 };
	bool is_static = path && !elf_read(path, &elf) && !elf.interp;

	elf_free(&elf);
	if (!is_static)
		return refuse(-ENOTSUP,
			      path ? "%s needs libraries, and a guest has none "
				     "yet when it starts: install the package "
				     "busybox-static"
				   : "there is no %s: install the package "
				     "busybox-static",
			      path ? path : "busybox");
	return guest_files_add_as(f, "/bin/busybox", path, 0755);
}

int guest_pack_init(struct guest_files *f)
{
	auto_free char *init = paths_find("guest-init");
	int ret = init ? add_busybox(f) : -ENOENT;

	return ret ? ret : guest_files_add_as(f, "/init", init, 0755);
}

/* Who is who, for programs that ask; and where the loader looks. */
static int add_etc(struct guest_files *f)
{
	static const struct {
		const char *name;
		const char *text;
	} texts[] = {
		{ "/etc/passwd", "root:x:0:0:root:/root:/bin/sh\n" },
		{ "/etc/group", "root:x:0:\n" },
		{ "/etc/hosts", "127.0.0.1 localhost guest\n" },
	};
	int ret = 0;

	for (size_t i = 0; !ret && i < ARRAY_SIZE(texts); i++)
		ret = guest_files_add_data(f, texts[i].name, texts[i].text,
					   strlen(texts[i].text), 0644);
	if (!ret && access("/etc/ld.so.cache", R_OK) == 0)
		ret = guest_files_add(f, "/etc/ld.so.cache");
	return ret;
}

/* By the name that it has here, and as a command. */
static int add_ourselves(struct guest_files *f)
{
	auto_free char *exe = realpath("/proc/self/exe", NULL);
	int ret = exe ? guest_files_add_program(f, exe, NULL)
		      : fail(-errno, "/proc/self/exe");

	return ret ? ret : guest_files_add_link(f, "/bin/thpbench", exe);
}

static int add_events(struct guest_files *f)
{
	auto_free char *path = paths_find("events");

	return path ? guest_files_add_tree(f, path) : -ENOENT;
}

static int add_ours(struct guest_files *f)
{
	static const char *const names[] = {
		"memtouch",      "libthpkeep.so", "mariadb.cnf", "report.lua",
		"hot-range.lua", "zipfian.lua",   "builtin.lua",
	};
	int ret = 0;

	for (size_t i = 0; !ret && i < ARRAY_SIZE(names); i++) {
		auto_free char *path = paths_find(names[i]);

		ret = path ? guest_files_add_program(f, path, NULL) : -ENOENT;
	}
	return ret ? ret : add_events(f);
}

/* As a line of sh. */
static void add_export(struct str *text, const char *name)
{
	const char *value = getenv(name);

	if (!value)
		return;
	str_addf(text, "export %s='", name);
	for (; *value; value++)
		str_addf(text, *value == '\'' ? "'\\'%c" : "%c", *value);
	str_add(text, "'\n");
}

/* What our programs look at here is to be the same there. */
static int add_env(struct guest_files *f)
{
	static const char *const names[] = { "THPBENCH_SHARE", "TZ" };
	auto_str struct str text = { 0 };

	str_add(&text, "");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		add_export(&text, names[i]);
	return guest_files_add_data(f, "/thpbench/env", text.text, text.len,
				    0644);
}

int guest_pack_tools(struct guest_files *f)
{
	int ret = add_etc(f);

	if (!ret)
		ret = add_ourselves(f);
	if (!ret)
		ret = add_ours(f);
	return ret ? ret : add_env(f);
}

int guest_pack_command(struct guest_files *f, const char *const *argv)
{
	auto_str struct str text = { 0 };

	for (size_t i = 0; argv[i]; i++)
		str_addn(&text, argv[i], strlen(argv[i]) + 1);
	return guest_files_add_data(f, "/thpbench/argv", text.text, text.len,
				    0644);
}
