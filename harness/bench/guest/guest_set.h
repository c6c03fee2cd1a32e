/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which kernel the runs of each arm are on: the host's, or one of a guest. */
#ifndef BENCH_GUEST_SET_H
#define BENCH_GUEST_SET_H

#include <stdbool.h>

#include "base/root.h"
#include "bench/config/config.h"
#include "bench/guest/guest_files.h"
#include "bench/guest/guest_image.h"
#include "bench/guest/guest_vm.h"
#include "data/record.h"

/* So many guests of a kernel that do not boot are enough. */
enum { GUEST_UNBOOTED_MAX = 2 };

/* A kernel that is booted in guests. */
struct guest_target {
	struct guest_image image;
	enum guest_accel accel;
	char *why;               /* KVM is not used; NULL: it is */
	unsigned int n_unbooted; /* guests in a row that did not boot */
};

struct guest_set {
	struct guest_target *targets;
	size_t n;
	size_t *of_arm; /* its target's place and 1; 0: the host's kernel */
	size_t n_arms;
	struct guest_files files; /* what they boot with; path NULL: not yet */
	char *chosen;             /* what "auto" came to, and why; or NULL */
};

/*
 * Find the images that the arms name, and for "auto" the host's kernel if it
 * has what all arms with that word need, else the newest of the cache. Each
 * image is looked at; nothing is booted. What is missing is printed:
 * -ENOENT, -ENOEXEC (no image), -ENOTSUP (no qemu, or for another machine).
 */
int guest_set_open(const struct root *root, const struct config *config,
		   struct guest_set *set);
/*
 * Before anything is booted: -ENOTSUP, printed, if by its image the guest of an
 * arm cannot do what the arm asks of DAMON.
 */
int guest_set_check(struct guest_set *set, const struct config *config);
/* Find out for each image whether KVM works (guest_accel.h). */
int guest_set_try(struct guest_set *set, const struct guest_config *config);
/* "guests of 7.3.4 are emulated: KVM does not work: ..."; free() it. */
char *guest_target_text(const struct guest_target *t);
void guest_set_free(struct guest_set *set);

/* The guest of an arm; NULL: it runs on the host. */
struct guest_target *guest_set_target(struct guest_set *set, size_t arm);
bool guest_set_has_host(const struct guest_set *set);

/*
 * What the record says of it. host: accel ("tcg" if any guest is emulated),
 * guest_kernels, guest_images (hashes of their bytes), guest_cpus; marks: under
 * emulation.
 */
void guest_set_note(const struct guest_set *set, const struct config *config,
		    struct experiment *e);

#endif
