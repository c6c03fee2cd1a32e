/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A part of an experiment, for one host or one job: shard I of N has the blocks
 * I, I + N, I + 2 N, ... of the plan, whole and in the plan's order. Together
 * the N shards are the plan, and no run is in two of them.
 */
#ifndef DATA_SHARD_H
#define DATA_SHARD_H

#include <stdbool.h>

struct shard {
	unsigned int index; /* from 1 */
	unsigned int of;    /* 0: the whole experiment */
};

enum { SHARD_MOST = 1000 };

/* "2/3". 0, or -EINVAL for what is none of 1/1 to SHARD_MOST/SHARD_MOST. */
int shard_parse(const char *text, struct shard *out);

/* Is this block (from 1) one of its? Of the whole each is. */
bool shard_has(const struct shard *s, unsigned int block);

/* Its blocks of so many: "2, 5, 8". free() it. */
char *shard_blocks(const struct shard *s, unsigned int blocks);

/* The folder of a shard in that of its experiment: "shard-2-of-3". free() it.
 */
char *shard_dir(const struct shard *s);
/* 0, or -EINVAL for a name that shard_dir() does not give. */
int shard_dir_parse(const char *name, struct shard *out);

#endif
