/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mariadb-install-db: an empty data folder. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/proc.h"
#include "bench/load/load_command.h"
#include "bench/server/prepared_parts.h"
#include "bench/server/server_parts.h"

static const uint64_t limit_ns = 300 * NUM_NS_PER_S;

static void add_args(const struct server_program *program,
		     const struct facts *built_in, const char *data_dir,
		     struct load_command *c)
{
	load_command_arg(c, "%s", program->install_db);
	load_command_arg(c, "--no-defaults"); /* first, or not at all */
	load_command_arg(c, "--basedir=%s", program->basedir);
	load_command_arg(c, "--datadir=%s", data_dir);
	/* root without a password, by the socket that only we can reach */
	load_command_arg(c, "--auth-root-authentication-method=normal");
	load_command_arg(c, "--skip-test-db");
	load_command_arg(c, "--skip-name-resolve");
	/* No look-up of this host's name: no grant needs it. */
	load_command_arg(c, "--force");
	/* Made again in its real size by the first start. */
	load_command_arg(c, "--innodb-log-file-size=8M");
	if (geteuid() == 0)
		load_command_arg(c, "--user=root");
	for (size_t i = 0; i < built_in->n; i++)
		load_command_arg(c, "--%s=%s", built_in->list[i].name,
				 built_in->list[i].value);
}

static int run(const struct server_program *program,
	       const struct load_command *c, const char *log, int *wstatus)
{
	auto_close int fd =
		open(log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC,
		     0644);
	auto_free const char **list = NULL;
	struct facts env = { 0 };
	struct proc_spec spec = {
		.argv = (const char *const *)c->argv,
		.out_fd = fd,
	};
	int ret;

	if (fd < 0)
		return fail(-errno, "make %s", log);
	server_env_libs(program, &env);
	list = server_env_list(&env);
	facts_free(&env);
	spec.env = list;
	ret = proc_run(&spec, limit_ns, wstatus);
	return ret ? fail(ret, "run %s", c->argv[0]) : 0;
}

int prepared_install(const struct server_program *program,
		     const struct facts *built_in, const char *data_dir,
		     const char *log)
{
	struct load_command command = { 0 };
	int wstatus = 0;
	int ret;

	/* It would take a folder with tables in it for done, and exit 0. */
	if (mkdir(data_dir, 0700))
		return fail(-errno, "make %s", data_dir);
	add_args(program, built_in, data_dir, &command);
	ret = run(program, &command, log, &wstatus);
	load_command_free(&command);
	if (!ret && wstatus) {
		auto_free char *how = proc_status_text(wstatus);
		auto_free char *end = server_log_end(log);

		ret = refuse(server_log_error(log), "%s %s; it said:%s",
			     program->install_db, how,
			     end[0] ? end : " nothing");
	}
	return ret;
}
