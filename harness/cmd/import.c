/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thpbench import: files of other tools as a result folder. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "cmd/cmd.h"
#include "cmd/load.h"
#include "data/import/import.h"

enum choice { OUTPUT, BY, WINDOW, MEASURED, BASELINE };

static const struct cmd_option options[] = {
	[OUTPUT] = { "output", "DIR", 'o', "the result folder to make" },
	[BY] = { "by", "KEY", 0, "arms by this key (gobench) or column (csv)" },
	[WINDOW] = { "window", "FROM:TO", 0,
		     "seconds of a log that count; either may be left out" },
	[MEASURED] = { "measured", "WHEN", 0,
		       "when it was measured, as 2026-11-30T12:00:00Z" },
	[BASELINE] = { "baseline", "LABEL", 0,
		       "the arm to compare with; default: the first" },
	{ 0 },
};

/* One side of FROM:TO. */
static int read_seconds(const char *text, double *out)
{
	if (!*text)
		return 0;
	return num_double(text, out) < 0 || *out < 0 ? -1 : 0;
}

static int read_window(const char *value, struct import_request *r)
{
	auto_free char *copy = xstrdup(value);
	char *colon = strchr(copy, ':');

	if (colon)
		*colon = '\0';
	if (colon && read_seconds(copy, &r->from_s) == 0 &&
	    read_seconds(colon + 1, &r->to_s) == 0 && !(r->from_s >= r->to_s))
		return STATUS_OK;
	return refuse(STATUS_USAGE,
		      "import: --window '%s': right is FROM:TO "
		      "in seconds, such as 60:360",
		      value);
}

static int set_option(size_t i, const char *value, struct import_request *r)
{
	switch ((enum choice)i) {
	case OUTPUT:
		r->dir = value;
		break;
	case BY:
		r->by = value;
		break;
	case WINDOW:
		return read_window(value, r);
	case MEASURED:
		r->measured = value;
		break;
	case BASELINE:
		r->baseline = value;
		break;
	}
	return STATUS_OK;
}

/* What the format has no use for is not passed over. */
static int check_options(const struct import_request *r)
{
	const char *name = r->format->name;

	if (r->by && r->format->option != IMPORT_BY)
		return refuse(STATUS_USAGE,
			      "import: --by means nothing to %s; leave it out",
			      name);
	if ((!isnan(r->from_s) || !isnan(r->to_s)) &&
	    r->format->option != IMPORT_WINDOW)
		return refuse(STATUS_USAGE,
			      "import: --window means nothing to %s; leave it "
			      "out",
			      name);
	return STATUS_OK;
}

/* FORMAT and the files; 0, or STATUS_USAGE (printed). */
static int read_arguments(int argc, char **argv, struct import_request *r)
{
	size_t place;
	int bad;

	if (optind == argc)
		return refuse(STATUS_USAGE, "import: no FORMAT; see thpbench "
					    "import --help");
	bad = cmd_choose("import", "format", argv[optind],
			 CMD_ROWS(import_formats, n_import_formats), &place);
	if (bad)
		return bad;
	r->format = &import_formats[place];
	r->files = argv + optind + 1;
	r->n_files = (size_t)(argc - optind - 1);
	if (!r->n_files)
		return refuse(STATUS_USAGE, "import: no FILE of format %s",
			      r->format->name);
	if (!r->dir)
		return refuse(STATUS_USAGE, "import: -o DIR is needed: where "
					    "the result folder is to be");
	return check_options(r);
}

static int import_main(const struct cmd *cmd, int argc, char **argv)
{
	struct import_request r = { .from_s = NAN, .to_s = NAN };
	auto_free char *dir = NULL;
	const struct cmd_option *o;
	const char *value;
	int status = STATUS_OK;
	int ret;

	while (!status && (o = cmd_next(cmd, argc, argv, &value, &status)))
		status = set_option((size_t)(o - options), value, &r);
	if (!status)
		status = read_arguments(argc, argv, &r);
	if (status)
		return status < 0 ? STATUS_OK : status;
	dir = xstrdup(r.dir);
	for (size_t n = strlen(dir); n > 1 && dir[n - 1] == '/'; n--)
		dir[n - 1] = '\0';
	r.dir = dir;
	ret = import_files(&r);
	if (ret < 0)
		return err_status(ret);
	printf("%s\n", dir);
	return STATUS_OK;
}

const struct cmd cmd_import = {
	.name = "import",
	.arguments = "FORMAT [LABEL=]FILE...",
	.help = "files of other tools as a result folder",
	.options = options,
	.main = import_main,
};
