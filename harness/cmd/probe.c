/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thpbench probe: small tests of this machine and its kernel. */
#include "bench/probe.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "cmd/cmd.h"

static const struct {
	const char *word;
	enum status status;
} states[] = {
	[PROBE_OK] = { "ok", STATUS_OK },
	[PROBE_WRONG] = { "wrong", STATUS_REGRESSION },
	[PROBE_MISSING] = { "n/a", STATUS_UNAVAILABLE },
};

static const struct probe *find(const char *name)
{
	const char **names = xcalloc(n_probes, sizeof(*names));
	const struct probe *found = NULL;
	const char *nearest;

	for (size_t i = 0; i < n_probes; i++) {
		names[i] = probes[i].name;
		if (str_eq(name, probes[i].name))
			found = &probes[i];
	}
	nearest = found ? NULL : str_nearest(name, names, n_probes);
	if (nearest)
		refuse(STATUS_USAGE, "probe: no probe '%s'; did you mean '%s'?",
		       name, nearest);
	else if (!found)
		refuse(STATUS_USAGE,
		       "probe: no probe '%s'; thpbench probe runs all", name);
	free(names);
	return found;
}

static int run(const struct root *root, const struct probe *probe)
{
	struct probe_result result = { 0 };

	probe->run(root, &result);
	printf("%s: %s: %s\n", probe->name, states[result.state].word,
	       result.text);
	free(result.text);
	return (int)states[result.state].status;
}

/* All of them: what is wrong weighs more than what cannot be found out. */
static int run_all(const struct root *root)
{
	int status = STATUS_OK;

	for (size_t i = 0; i < n_probes; i++) {
		int one = run(root, &probes[i]);

		if (one == STATUS_REGRESSION || status == STATUS_OK)
			status = one;
	}
	return status;
}

static int probe_main(const struct cmd *cmd, int argc, char **argv)
{
	const struct probe *one = NULL;
	struct root root;
	const char *value;
	int bad;
	int ret;

	/* No options of its own: this returns NULL. */
	cmd_next(cmd, argc, argv, &value, &bad);
	if (bad)
		return bad < 0 ? STATUS_OK : bad;
	if (argc - optind > 1)
		return refuse(STATUS_USAGE, "probe: one NAME at the most; see "
					    "thpbench probe --help");
	if (optind < argc) {
		one = find(argv[optind]);
		if (!one)
			return STATUS_USAGE;
	}
	ret = root_open(cmd_root(), &root);
	if (ret)
		return err_status(fail(ret, "--root %s", cmd_root()));
	ret = one ? run(&root, one) : run_all(&root);
	root_close(&root);
	return ret;
}

const struct cmd cmd_probe = {
	.name = "probe",
	.arguments = "[NAME]",
	.help = "small tests of this machine: tlb, whether its counters of "
		"TLBs are right",
	.main = probe_main,
};
