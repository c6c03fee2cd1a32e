/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the runs of an experiment need in a guest. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/str.h"
#include "base/tsv.h"
#include "bench/guest/guest_pack.h"

/* Beside the program: what it reads when it starts, in one language. */
static int add_server(struct guest_files *f, const struct server_program *p)
{
	auto_free char *english = xasprintf("%s/english", p->share);
	auto_free char *charsets = xasprintf("%s/charsets", p->share);
	int ret = guest_files_add_program(f, p->path, p->lib_path);

	if (!ret)
		ret = guest_files_add_tree(f, english);
	if (!ret)
		ret = guest_files_add_tree(f, charsets);
	/* It is looked for, and not run. */
	return ret ? ret : guest_files_add(f, p->install_db);
}

static int add_data(struct guest_files *f, const struct prepared *p)
{
	auto_free char *record = xasprintf("%s/prepared.tsv", p->dir);
	auto_free char *data = xasprintf("%s/data", p->dir);
	int ret = guest_files_add(f, record);

	return ret ? ret : guest_files_add_tree(f, data);
}

/* The scripts that it brings lie beside it, in share/sysbench. */
static int add_scripts(struct guest_files *f, const char *sysbench)
{
	auto_free char *real = realpath(sysbench, NULL);
	auto_free char *dir = NULL;
	char *slash = real ? strrchr(real, '/') : NULL;

	if (!slash)
		return 0;
	*slash = '\0';
	dir = xasprintf("%s/../share/sysbench", real);
	return access(dir, R_OK) ? 0 : guest_files_add_tree(f, dir);
}

static int add_sysbench(struct guest_files *f, const struct workload_config *w)
{
	bool is_system = str_eq(w->sysbench, "system");
	const char *name = is_system ? "sysbench" : w->sysbench;
	auto_free char *path = proc_find_program(name);
	int ret;

	if (!path)
		return refuse(-ENOENT, "there is no program %s", name);
	ret = guest_files_add_program(f, path, NULL);
	if (!ret)
		ret = add_scripts(f, path);
	if (!ret && str_ends(w->script, ".lua"))
		ret = guest_files_add(f, w->script);
	return ret;
}

/* A program, or a file, or a folder with all in it. */
static int add_any(struct guest_files *f, const char *name)
{
	auto_free char *path = proc_find_program(name);
	struct stat st;

	if (path)
		return guest_files_add_program(f, path, NULL);
	if (stat(name, &st))
		return refuse(-ENOENT, "there is no program or file %s", name);
	return S_ISDIR(st.st_mode) ? guest_files_add_tree(f, name)
				   : guest_files_add(f, name);
}

/* /bin/sh is there: busybox's. */
static int add_points(struct guest_files *f, const struct config *config)
{
	const char *files = config->workload.points_config.files;
	auto_free char *copy = xstrdup(files ? files : "");
	size_t n_programs;
	size_t n_files;
	auto_free const char **programs = points_programs(config, &n_programs);
	auto_free char **list = str_split(copy, ' ', &n_files);
	int ret = 0;

	for (size_t i = 0; i < n_programs && !ret; i++)
		if (!str_eq(programs[i], POINTS_SHELL))
			ret = add_any(f, programs[i]);
	for (size_t i = 0; i < n_files && !ret; i++)
		ret = add_any(f, list[i]);
	return ret;
}

static void add_fact(struct str *text, const char *name, const char *value)
{
	tsv_add_cell(text, name);
	tsv_add_cell(text, value);
	str_addc(text, '\n');
}

static int add_record(struct guest_files *f, const struct config *config,
		      const struct server_program *program,
		      const struct prepared *prepared)
{
	auto_free char *here = getcwd(NULL, 0);
	auto_str struct str text = { 0 };
	int ret = here ? guest_files_add_dir(f, here)
		       : fail(-errno, "the working folder");

	if (ret)
		return ret;
	add_fact(&text, "config", config->path);
	add_fact(&text, "dir", here);
	add_fact(&text, "mariadbd", program->path ? program->path : "");
	add_fact(&text, "prepared", prepared->dir ? prepared->dir : "");
	for (size_t i = 0; i < config->n_arms; i++) {
		auto_free char *name = xasprintf("arm.%zu", i);

		add_fact(&text, name, config->arms[i].label);
	}
	ret = guest_files_add_data(f, "/thpbench/config", config->text,
				   strlen(config->text), 0644);
	return ret ? ret
		   : guest_files_add_data(f, "/thpbench/experiment.tsv",
					  text.text, text.len, 0644);
}

int guest_pack_experiment(struct guest_files *f, const struct config *config,
			  const struct server_program *program,
			  const struct prepared *prepared)
{
	int ret = add_record(f, config, program, prepared);

	if (!ret && config->workload.program == WORKLOAD_SYSBENCH)
		ret = add_sysbench(f, &config->workload);
	if (!ret)
		ret = add_points(f, config);
	if (!ret && program->path)
		ret = add_server(f, program);
	if (!ret && prepared->dir)
		ret = add_data(f, prepared);
	if (!ret && config->collect.events)
		ret = guest_files_add_tree(f, config->collect.events);
	if (!ret && config->collect.counters_from)
		ret = guest_files_add(f, config->collect.counters_from);
	return ret;
}
