/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A machine to write on: a recorded tree copied to a temporary folder. */
#ifndef TESTS_UNIT_SCRATCH_H
#define TESTS_UNIT_SCRATCH_H

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/root.h"
#include "base/tree.h"

struct scratch {
	char dir[64]; /* holds root/ */
	struct root root;
};

/* tree: "host-6.18", of tests/roots. The tests run from the top folder. */
static inline int scratch_open(struct scratch *s, const char *tree)
{
	auto_free char *from = xasprintf("tests/roots/%s", tree);
	auto_free char *to = NULL;

	snprintf(s->dir, sizeof(s->dir), "/tmp/thpbench-test-XXXXXX");
	if (!mkdtemp(s->dir) || chmod(s->dir, 0755))
		return -1;
	to = xasprintf("%s/root", s->dir);
	return tree_copy(from, to, NULL) || root_open(to, &s->root);
}

static inline int scratch_close(struct scratch *s)
{
	root_close(&s->root);
	return tree_remove(s->dir);
}

/* Below the root; made with its folders. */
static inline int scratch_put(const struct scratch *s, const char *path,
			      const char *text)
{
	auto_free char *full = xasprintf("%s/root/%s", s->dir, path);
	char *slash = strrchr(full, '/');
	int ret;

	*slash = '\0';
	ret = file_mkdirs(full);
	*slash = '/';
	return ret ? ret : file_publish(full, text);
}

#endif
