/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words behind "thpbench guest". */
#ifndef CMD_GUEST_H
#define CMD_GUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/guest/guest_boot.h"

/* What the options of the command line came to. */
struct guest_choice {
	struct guest_boot boot;
	const char **add; /* --add */
	size_t n_add;
	const char *arch;    /* of a kernel to fetch; NULL: this machine's */
	const char *modules; /* of an image to fetch; NULL: none */
	bool is_json;
};

/* guest_fetch.c; each returns an exit status, argv are those behind the word */
int guest_fetch(const struct guest_choice *c, int argc, char **argv);
int guest_list(const struct guest_choice *c, int argc, char **argv);

#endif
