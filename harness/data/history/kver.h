/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Versions of kernels, in the order of their history: 6.18-rc7 < 6.18 <
 * 6.18-5-gabc < 6.18.1 < 6.19-rc1 < 6.19-rc1-23-gabc < 6.19. As git describe
 * and uname -r write them: "v6.19-rc1-23-gabc", "6.19.0-rc1-00023-gabc",
 * "6.18.12+deb14-amd64", "6.19.0-rc1-next-20260101".
 */
#ifndef DATA_KVER_H
#define DATA_KVER_H

#include <stdbool.h>
#include <stdint.h>

struct kver {
	uint32_t part[3]; /* 6, 19, 0: without a third part 0 */
	uint32_t rc;      /* KVER_RELEASED: none */
	uint32_t commits; /* behind that tag; KVER_NEXT: linux-next */
	const char *rest; /* what follows, within the text */
};

#define KVER_RELEASED UINT32_MAX
#define KVER_NEXT UINT32_MAX

/* False, and out untouched, if it does not begin as a version does. */
bool kver_parse(const char *text, struct kver *out);

/*
 * < 0, 0, > 0 as strcmp(). What is no version comes before all that are; what
 * is the same but for its rest is in the order of strverscmp(), so that two
 * texts are equal only where all of them is (6.18 and v6.18.0 are, too).
 */
int kver_compare(const char *a, const char *b);

/*
 * A version halfway between two that may be released or a -rc: "6.19-rc4"
 * between 6.19-rc2 and 6.19-rc6, "6.18.5" between 6.18.2 and 6.18.8, "7.0"
 * between 6.18 and 7.2; between 6.18 and 6.19 "6.19-rc4", in the middle of
 * the usual seven. free() it; NULL where no tag is known to lie between them.
 */
char *kver_between(const char *good, const char *bad);

/* The tag as git has it: "v6.19-rc1", or the commit of -N-gCOMMIT. free() it.
 */
char *kver_git_name(const char *text);

#endif
