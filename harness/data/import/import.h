/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of other tools made into a result folder that is read like ours.
 * What they do not say is n/a with that reason. Runs of imported folders are
 * paired with nothing (data/extra.h).
 *
 * To add a format: a file import_NAME.c with a function that reads one file
 * (data/import/import_parts.h), and a row in the table of import.c.
 */
#ifndef DATA_IMPORT_H
#define DATA_IMPORT_H

#include <stdbool.h>
#include <stddef.h>

struct import;

enum import_option {
	IMPORT_PLAIN,  /* neither */
	IMPORT_BY,     /* by */
	IMPORT_WINDOW, /* from_s and to_s */
};

struct import_format {
	const char *name;
	const char *help; /* one line */
	/*
	 * Read the current file into im. 0, or -EILSEQ (printed, with the
	 * file's line) for what is not of this format.
	 */
	int (*read)(struct import *im, const char *text);
	enum import_option option; /* what of the request it knows of */
};

extern const struct import_format import_formats[];
extern const size_t n_import_formats;

struct import_request {
	const struct import_format *format;
	char **files; /* FILE, or LABEL=FILE; files of one label are one arm */
	size_t n_files;
	const char *dir;      /* to be made; "there already" unless empty */
	const char *by;       /* what tells arms apart inside files; or NULL */
	const char *measured; /* when; NULL: unknown, or as the files say */
	const char *baseline; /* label; NULL: the first */
	double from_s;        /* the window of logs with a time; NAN: 0 */
	double to_s;          /* NAN: the end */
};

/*
 * Read all files, then make the folder: whole, or not at all. 0 or -errno
 * (printed): -EILSEQ for bad data, -EEXIST if the folder holds something.
 */
int import_files(const struct import_request *request);

#endif
