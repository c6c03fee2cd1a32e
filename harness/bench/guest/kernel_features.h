/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a kernel can do for DAMON and THP arms, found without booting it. */
#ifndef BENCH_KERNEL_FEATURES_H
#define BENCH_KERNEL_FEATURES_H

#include "bench/guest/kernels.h"

/* Lists of words that a kernel takes. */
enum kernel_words {
	KERNEL_OPS,     /* of contexts: vaddr, ... */
	KERNEL_ACTIONS, /* of schemes */
	KERNEL_GOALS,   /* target_metric of quota goals */
	KERNEL_TUNERS,  /* goal_tuner */
	N_KERNEL_WORDS,
};

struct kernel_features {
	char *arch;    /* NULL: not known */
	char *release; /* NULL: not known */
	char *why;     /* nothing is known, and why; else NULL */
	/* Name and "yes", "no", or "?" followed by why it is not known. */
	struct facts flags;
	/* With blanks between them; "" none; "?" as above. */
	char *words[N_KERNEL_WORDS];
};

/* "ops", "actions", "goals", "tuners" */
const char *kernel_words_name(enum kernel_words which);

/*
 * From an image and its configuration (NULL: what the image says of that).
 * What cannot be found out has its reason. kernel_features_free() it.
 */
void kernel_features_find(const char *image, const char *config,
			  struct kernel_features *out);
void kernel_features_free(struct kernel_features *f);

#endif
