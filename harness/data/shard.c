/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/shard.h"

#include <errno.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

static int parse_count(const char *text, unsigned int *out)
{
	uint64_t n;

	/* As it is printed: no sign, no zero in front. */
	if (num_u64(text, &n) || !n || n > SHARD_MOST || *text == '0')
		return -EINVAL;
	*out = (unsigned int)n;
	return 0;
}

/* Two counts with a word between them, the first not the larger. */
static int parse_pair(const char *text, const char *between, struct shard *out)
{
	auto_free char *copy = xstrdup(text);
	char *second = strstr(copy, between);
	struct shard s;

	if (!second)
		return -EINVAL;
	*second = '\0';
	if (parse_count(copy, &s.index) ||
	    parse_count(second + strlen(between), &s.of) || s.index > s.of)
		return -EINVAL;
	*out = s;
	return 0;
}

int shard_parse(const char *text, struct shard *out)
{
	return parse_pair(text, "/", out);
}

bool shard_has(const struct shard *s, unsigned int block)
{
	return !s->of || (block - 1) % s->of == s->index - 1;
}

char *shard_blocks(const struct shard *s, unsigned int blocks)
{
	struct str out = { 0 };

	for (unsigned int block = 1; block <= blocks; block++)
		if (shard_has(s, block))
			str_addf(&out, "%s%u", out.len ? ", " : "", block);
	return str_steal(&out);
}

char *shard_dir(const struct shard *s)
{
	return xasprintf("shard-%u-of-%u", s->index, s->of);
}

int shard_dir_parse(const char *name, struct shard *out)
{
	static const char head[] = "shard-";

	if (!str_starts(name, head))
		return -EINVAL;
	return parse_pair(name + strlen(head), "-of-", out);
}
