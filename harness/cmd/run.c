/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thpbench run: a whole experiment, under guard. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "bench/run/run.h"
#include "cmd/cmd.h"
#include "cmd/foresee.h"
#include "cmd/load.h"
#include "data/stats/judge.h"

static const struct cmd_option options[] = {
	{ "output", "DIR", 'o', "where the results go (results/NAME-TIME)" },
	{ "arm", "LABEL", 0, "only this arm; may be given more than once" },
	{ "blocks", "N", 0, "so many blocks instead of the configured" },
	{ "kernel", "KERNEL", 0,
	  "for arms that name none: host, guest, a path, ..." },
	{ "pilot", "N", 0, "N runs of the baseline: what would it all show?" },
	{ "resume", NULL, 0, "go on with the interrupted run in -o DIR" },
	{ "shard", "I/N", 0,
	  "only blocks of shard I of N; in DIR/shard-I-of-N" },
	{ "wait", NULL, 0, "wait for the end of a run that is going on" },
	{ 0 },
};

struct choice {
	struct run_options run;
	const char **arms;
	size_t n_arms;
	uint64_t blocks; /* 0: as configured */
	uint64_t pilot;  /* runs of the baseline alone; 0: none */
};

static int set_option(struct choice *c, const struct cmd_option *o,
		      const char *value)
{
	if (o == &options[0]) {
		c->run.out_dir = value;
	} else if (o == &options[1]) {
		XGROW(c->arms, c->n_arms);
		c->arms[c->n_arms++] = value;
	} else if (o == &options[2]) {
		return cmd_blocks(value, &c->blocks);
	} else if (o == &options[3]) {
		c->run.kernel = value;
	} else if (o == &options[4]) {
		return cmd_blocks(value, &c->pilot);
	} else if (o == &options[6]) {
		return cmd_shard(value, &c->run.shard);
	} else if (o == &options[7]) {
		c->run.waits = true;
	} else {
		c->run.resume = true;
	}
	return 0;
}

static int read_options(const struct cmd *cmd, int argc, char **argv,
			struct choice *c)
{
	const struct cmd_option *o;
	const char *value;
	int bad = 0;

	while (!bad && (o = cmd_next(cmd, argc, argv, &value, &bad)))
		bad = set_option(c, o, value);
	if (!bad && c->run.resume && !c->run.out_dir)
		return refuse(STATUS_USAGE, "--resume needs -o DIR, the folder "
					    "to go on with");
	if (!bad && c->pilot &&
	    (c->n_arms || c->blocks || c->run.shard.of || c->pilot < 2))
		return refuse(STATUS_USAGE,
			      "--pilot N: at least 2 runs of the baseline; "
			      "without --arm, --blocks and --shard");
	return bad;
}

static int choose_arms(struct config *config, const struct choice *c)
{
	auto_free const char **labels =
		xcalloc(config->n_arms, sizeof(*labels));
	const char *near;

	for (size_t i = 0; i < config->n_arms; i++)
		labels[i] = config->arms[i].label;
	for (size_t i = 0; i < c->n_arms; i++) {
		bool is_there = false;

		for (size_t j = 0; j < config->n_arms; j++)
			is_there = is_there || str_eq(labels[j], c->arms[i]);
		if (is_there)
			continue;
		near = str_nearest(c->arms[i], labels, config->n_arms);
		return refuse(STATUS_USAGE, "%s has no arm \"%s\"%s%s%s",
			      config->path, c->arms[i],
			      near ? "; did you mean \"" : "", near ? near : "",
			      near ? "\"?" : "");
	}
	if (c->n_arms)
		config_keep_arms(config, c->arms, c->n_arms);
	if (c->blocks)
		config->blocks = (unsigned int)c->blocks;
	return cmd_shard_fits(&c->run.shard, config->path, config->blocks);
}

static void choose_pilot(struct config *config, const struct choice *c)
{
	auto_free char *baseline =
		xstrdup(config->arms[config->baseline].label);
	const char *const labels[] = { baseline };

	config_keep_arms(config, labels, 1);
	config->blocks = (unsigned int)c->pilot;
}

/*
 * Over the runs of a folder: is the experiment as sound as its A/A arm? A shard
 * is not asked by itself: each would be a chance of its own to fail.
 */
static int check_aa(const char *dir)
{
	struct experiment e = { 0 };
	int status = cmd_load("run", dir, &e);

	if (status)
		return err_status(status);
	if (judge_aa_failed(&e))
		status = refuse(STATUS_INVALID,
				"%s: the A/A arm differs from the baseline, "
				"whose settings it has: invalid",
				dir);
	experiment_free(&e);
	return status;
}

/* Exit statuses above are 128 + the number of the signal. */
enum { BY_SIGNAL = 128 };

static int run_config(const char *path, const struct choice *c)
{
	auto_free char *dir = NULL;
	struct foresight foresight;
	struct config config;
	struct root root;
	int ret = config_read(path, &config);

	if (ret)
		return err_status(ret);
	foresee(&config, &foresight);
	if (c->pilot)
		choose_pilot(&config, c);
	ret = choose_arms(&config, c);
	if (!ret) {
		ret = root_open(cmd_root(), &root);
		if (ret)
			ret = err_status(fail(ret, "--root %s", cmd_root()));
	}
	if (!ret) {
		ret = run_experiment(&root, &config, &c->run, &dir);
		root_close(&root);
	}
	if (!ret && dir && config.has_aa && !c->run.shard.of)
		ret = check_aa(dir);
	if (!ret && dir && c->pilot)
		ret = foresee_pilot(dir, &foresight);
	config_free(&config);
	if (dir && ret > BY_SIGNAL)
		refuse(ret,
		       "cut off; the same command with --resume and -o %s goes "
		       "on",
		       dir);
	if (dir)
		printf("%s\n", dir);
	return ret;
}

static int run_main(const struct cmd *cmd, int argc, char **argv)
{
	struct choice c = { 0 };
	int ret = read_options(cmd, argc, argv, &c);

	if (!ret && optind + 1 != argc)
		ret = refuse(STATUS_USAGE, "run: one configuration is wanted; "
					   "see thpbench run --help");
	if (!ret)
		ret = run_config(argv[optind], &c);
	free(c.arms);
	return ret < 0 ? STATUS_OK : ret;
}

const struct cmd cmd_run = {
	.name = "run",
	.arguments = "CONFIG",
	.help = "run an experiment and print its result folder",
	.options = options,
	.main = run_main,
};
