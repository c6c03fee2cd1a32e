/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/guest/guest_job.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "bench/guard/guard.h"
#include "bench/guest/guest_frame.h"

/* The state of the run, and why. */
static void send_end(const struct guest_job *job, enum run_state state,
		     const char *reason)
{
	auto_free char *text =
		xasprintf("%s\t%s", run_state_text(state), reason);

	guest_frame_send(job->fd, GUEST_END, "-", 0, text, strlen(text));
}

static int work(struct journal *journal, void *arg)
{
	struct guest_job *job = arg;
	struct run_shared *sh = &job->shared;
	struct run *run = job->experiment.runs;
	int ret;

	sh->journal = journal;
	sh->progress = progress_open_guest(job->fd);
	ret = settings_save(sh->root, sh->config, &sh->settings);
	if (!ret)
		ret = journal_settings(journal, &sh->settings);
	if (ret) {
		/* Another try would end the same. */
		send_end(job, RUN_INVALID, err_last());
		return err_status(ret);
	}
	ret = run_one(sh, run);
	send_end(job, ret ? RUN_FAILED : run->state,
		 ret ? err_last() : run->reason);
	return err_status(ret);
}

int guest_job_do(struct guest_job *job, int fd)
{
	struct guard_job guarded = {
		.root = job->root,
		.config_path = job->config.path,
		.work = work,
		.arg = job,
	};

	job->fd = fd;
	return guard_run(&guarded);
}

void guest_job_free(struct guest_job *job)
{
	settings_free(&job->shared.settings);
	server_program_free(&job->shared.program);
	prepared_free(&job->shared.prepared);
	free(job->shared.data_dir);
	experiment_free(&job->experiment);
	config_free(&job->config);
	free(job->run_dir);
}
